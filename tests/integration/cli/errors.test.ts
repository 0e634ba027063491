import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { conformance, createScratchFolder } from '../../support/command.ts';
import { runInProcess } from '../../support/in-process-command.ts';

const folder = createScratchFolder();
const base = 'baseUrl: http://gateway.example\n';
const profile = `${base}keys: { valid: sk-a }\n`;
const files: Readonly<Record<string, string>> = {
  'good.yaml': profile,
  'other.yaml': `baseUrl: http://other.example\nkeys: { valid: sk-b }\n`,
  'empty.yaml': '',
  'broken.yaml': 'baseUrl: [\n',
  'property.yaml': `${profile}base_url: http://x\n`,
  'inner.yaml': `${base}keys:\n  valid: sk-a\n  delete: sk-b\n`,
  'unset.yaml': `${base}keys:\n  valid: \${GATEWAY_NOT_SET}\n`,
  'credential.yaml': `${profile}headers:\n  Authorization: Bearer x\n`,
  'no-url.yaml': 'keys: { valid: sk-a }\n',
  'no-key.yaml': base,
  environment: base,
  'same-keys.yaml': `${base}keys: { valid: sk-a, deleted: sk-a }\n`,
  'same-models.yaml': `${profile}models: { chat: { good: m, unsupported: m } }\n`,
  'literal-key.yaml': `${base}keys:\n  valid: sk-literal\n`,
  'no-messages.yaml': `${base}keys: { valid: '\${GATEWAY_API_KEY}' }\noperations: { messages: null }\n`,
  'default-name.yaml': `${profile}defaults:\n  reporters: [json]\n`,
  'default-value.yaml': `${profile}defaults:\n  wait: soon\n`,
  'default-file.yaml': `${profile}defaults:\n  reporter: [json=/etc/report.json]\n`,
  'baseline.yaml': 'violations:\n  - { requirement: auth/bad-bearer-token }\n',
  'rules-no-list.yaml': 'rules: []\n',
  'rules-property.yaml': '- match: { operation: chat }\n  chnage: {}\n',
  'rules-word.yaml': '- change:\n    refsue: internal\n',
  'rules-list.yaml': '- change:\n  - { refsue: internal }\n',
  'rules-reason.yaml': '- change:\n    refuse: lowbalance\n',
  'rules-both.yaml': '- change:\n    refuse: internal\n    answer: {}\n',
  'rules-time.yaml': '- change:\n    after: 3 sec\n',
  'rules-operation.yaml': '- match:\n    operation: [chat, chta]\n  change: { cut: 1 }\n',
  'rules-phase.yaml': '- match:\n    refused: true\n  change: { hold: 5ms }\n',
  'rules-keys.yaml': '- match:\n    place: bearer\n  change: { keys: { ignore: [case] } }\n',
  'rules-yaml.yaml': '- {\n',
  'report.json': '{}',
  'not.json': 'no JSON',
  'not.har': 'no recording',
  'empty.har': '{"log":{"entries":[]}}',
  'not-a-certificate.pem': 'text',
  'empty.key': '',
};
/** Folders for `compare`, with the texts of their files. */
const folders: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'no-gateways': { 'litellm.json': '{}' },
  'no-report': { 'litellm/1.80/litellm.json': '{}' },
  'no-version': { 'litellm/command.txt': 'litellm' },
  'no-folder': { 'report.json': '{}' },
  'two-places': { 'litellm/report.json': '{}', 'litellm/1.80/report.json': '{}' },
  'not-a-report': { 'litellm/1.80/report.json': '{"schemaVersion":1}' },
  'other-version': { 'litellm/1.80/report.json': '{"schemaVersion":2}' },
};
const key = { GATEWAY_API_KEY: 'sk-a' };
const taken = createServer();
let port = 0;

beforeAll(async () => {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  for (const [name, own] of Object.entries(folders))
    for (const [path, text] of Object.entries(own)) {
      mkdirSync(join(folder, name, dirname(path)), { recursive: true });
      writeFileSync(join(folder, name, path), text);
    }
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  port = (taken.address() as AddressInfo).port;
});
afterAll(() => void taken.close());

/** Command lines that end with an error, by subject. `PORT` stands for a port in use. */
const lines: Readonly<Record<string, readonly (string | [string, Record<string, string>])[]>> = {
  'The command line': [
    'rum',
    'doctor',
    'AbCdEf0123456789ghIJkl',
    'run --base-ulr http://gateway.example',
    'run --api-key=sk-a',
    'run --base-url',
    'run --header',
    'run --wait long',
    'run --rate fast',
    'run --rate sk-secret-key',
    'run --shard 6/5',
    'run --repeat 0',
    'run --models gpt-*,',
    'run --timeout 60',
    'run --fuzz 0',
    'run --fuzz 100001',
    'run --seed 1',
    'run --fuzz 9 --seed 2147483648',
    'serve --port 65536',
    'explain',
    'list cases suites',
    'completion basch',
    'completion powershell',
    'list cases auth models',
    'test',
    'run --url http://gateway.example',
    'run -o report.json',
    'run --json',
    'run --no-color',
    'run gateway.example',
    'run http://a.example http://b.example',
    'run http://a.example --base-url http://b.example',
  ],
  'The target': [
    'run --base-url http://gateway.example',
    ['run --base-url nonsense', key],
    ['run --base-url ftp://gateway.example', key],
    ['run --base-url http://user:secret@gateway.example', key],
    ['run --base-url http://gateway.example?a=1', key],
    ['run --base-url localhost:8787', key],
    ['run --base-url gateway.example/api', key],
    ['run --base-url http://gateway.example/sk-secret-key', { GATEWAY_API_KEY: 'sk-secret-key' }],
    ['run --base-url http://gateway.example/c2stc2VjcmV0LWtleQ==', { GATEWAY_API_KEY: 'sk-secret-key' }],
    ['run --base-url http://gateway.example', { GATEWAY_API_KEY: 'sk a' }],
    'run --key-file good.key',
    'run --header x-tenant:a --dry-run',
    'run --base-url http://gateway.example --key-file none',
    'run --base-url http://gateway.example --key-file empty.key',
    'run --base-url http://gateway.example --key-file .',
    ['run --base-url http://gateway.example --header x-tenant', key],
    ['run --base-url http://gateway.example --header x-api-key:sk-b', key],
    ['run --base-url http://gateway.example --header x-a:1 --header x-a:2', key],
    ['run --base-url http://gateway.example --header x-a:${NONE}', key],
    ['run --base-url http://gateway.example --header x-a:${BROKEN}', { ...key, BROKEN: 'a\nb' }],
    'run --profile good.yaml --ca none.pem',
    'run --profile good.yaml --ca not-a-certificate.pem',
    ['run --profile good.yaml --suite models', { HTTP_PROXY: 'proxy.example:3128' }],
  ],
  'The profile': [
    'run --profile none.yaml',
    'run --profile .',
    'run --profile empty.yaml',
    'run --profile broken.yaml',
    'run --profile property.yaml',
    'run --profile inner.yaml',
    'run --profile unset.yaml',
    'run --profile credential.yaml',
    'run --profile no-url.yaml',
    'run --profile no-key.yaml',
    'run --profile environment',
    'run --profile same-keys.yaml',
    'run --profile same-models.yaml',
    'run --profile default-name.yaml',
    'run --profile default-value.yaml',
    'run --profile default-file.yaml',
  ],
  'What to send': [
    'run --last-failed',
    'run --failed',
    'run --suite model',
    'run --suite zzzzzzzz',
    'run --only auth/bad-bearer-tokem',
    'run --only zzzzzzzzzzzz',
    'run --fuzz 5 --only auth/good-key/*',
    'run --fuzz 5 --suite auth --only fuzz/*',
    'run --fuzz 5 --shard 1/2',
    'run --models all --suite billing',
    'run --max-billable 3',
    'run --watch',
    'run --watch none',
  ],
  'Several targets': [
    'run --target a=good.yaml',
    'run --target good.yaml --target b=other.yaml',
    'run --target ../a=good.yaml --target b=other.yaml',
    'run --target a=none.yaml --target b=other.yaml',
    'run --target a=good.yaml --target A=other.yaml',
    'run --target a=no-url.yaml --target b=other.yaml',
    'run --target a=good.yaml --target b=other.yaml --key sk-x',
    'run --target a=good.yaml --target b=other.yaml --base-url http://x',
    'run --target a=good.yaml --target b=other.yaml --watch',
    'run --target a=good.yaml --target b=other.yaml --bail',
    'run --target a=good.yaml --target b=other.yaml --last-failed',
    'run --target a=good.yaml --target b=other.yaml --baseline known.yaml --update-baseline',
    'run --target a=good.yaml --target b=other.yaml --reporter har=all.har',
  ],
  'Reports and baselines': [
    'run --reporter jsom',
    'run --reporter zzzzzzzz',
    'run --reporter json=',
    'run --reporter json --reporter junit',
    'run --reporter json=a.out --reporter html=./a.out',
    'run --reporter json=.',
    'run --reporter json=good.yaml/report.json',
    'run --baseline none.yaml',
    'run --baseline baseline.yaml',
    'run --update-baseline',
    'run --update-baseline --baseline .',
  ],
  init: [
    ['init --base-url http://gateway.example --output good.yaml', key],
    ['init --profile no-messages.yaml --output no-messages.yaml', key],
    'init',
    ['init', key],
    'init --base-url http://gateway.example',
    ['init --base-url http://gateway.example --model gpt-4o', key],
    ['init --base-url http://gateway.example --model chatt=gpt-4o', key],
    ['init --base-url http://gateway.example --model embeddings=x', key],
    ['init --base-url http://gateway.example --model chat.textonly=x', key],
    ['init --base-url http://gateway.example --model streamGenerate=x', key],
    ['init --base-url http://gateway.example --model chat=a --model chat=b', key],
    ['init --base-url http://gateway.example --model chat=${NONE}', key],
    ['init --base-url http://gateway.example --header x-a:${PATH}', key],
    [
      'init --base-url http://gateway.example --header x-a:sk-a-key-0123',
      { GATEWAY_API_KEY: 'sk-a-key-0123' },
    ],
    ['init --profile literal-key.yaml', key],
    ['init --profile no-messages.yaml --model messages=claude', key],
  ],
  'check and proxy': [
    'check none.har',
    'check not.har',
    'check empty.har',
    'proxy',
    'proxy --base-url http://gateway.example --port PORT',
    'proxy --base-url http://gateway.example --allow-host http://x',
  ],
  'diff and merge': ['diff none.json not.json', 'diff not.json not.json', 'merge report.json'],
  compare: [
    'compare',
    'compare none',
    'compare good.yaml',
    ...Object.keys(folders).map((name) => `compare ${name}`),
    'compare no-gateways --reporter junit',
  ],
  serve: [
    'serve --fault bad-key/prefix-optionl',
    'serve --variant zzzzzzzz',
    'serve --fault {"change":{"sttaus":500}}',
    'serve --fault {change:',
    'serve --rules none.yaml',
    ...[
      'no-list',
      'property',
      'word',
      'list',
      'reason',
      'both',
      'time',
      'operation',
      'phase',
      'keys',
      'yaml',
    ].map((name) => `serve --rules rules-${name}.yaml`),
    'serve --latency soon',
    'serve --break-stream -1',
    'serve --throttle 0',
    'serve --port PORT',
  ],
  'clients, list and explain': [
    'clients --sdk open-ai',
    'clients --sdk zzzzzzzz',
    'list requirement',
    'list zzzzzzzz',
    'explain auth/missing-credentials',
    'explain clients/no-retries',
    'explain client/one-headers',
    'explain zzzzzzzz',
  ],
};

async function run(line: string | [string, Record<string, string>]): Promise<string> {
  const [command, env] = typeof line === 'string' ? [line, {}] : line;
  const args = command.replace('PORT', String(port)).split(' ');
  // A server that stays open would keep a process from ending.
  const start = command.startsWith('serve') || command.startsWith('proxy') ? conformance : runInProcess;
  const { code, stdout, stderr } = await start(args, { cwd: folder, env });
  expect([command, stdout]).toEqual([command, '']);
  expect(stderr).not.toMatch(/\n\s+at /);
  const variables = Object.entries(env).map(([name, value]) => `${name}=${JSON.stringify(value)} `);
  const output = stderr.replaceAll(folder, 'FOLDER').replaceAll(String(port), 'PORT');
  return `$ ${variables.join('')}conformance ${command}\n${output}(exit code ${code})\n`;
}

test('every command line ends with the error in errors.txt, without a stack trace', async () => {
  const sections: string[] = [];
  for (const [title, commands] of Object.entries(lines))
    sections.push(`# ${title}\n\n${(await Promise.all(commands.map(run))).join('\n')}`);
  await expect(sections.join('\n')).toMatchFileSnapshot('errors.txt');
}, 240_000);

test.each([
  ["--apikey=it's a\nAbCdEf0123456789ghIJkl", 'Unknown flag --apikey.'],
  ["-it's a\nAbCdEf0123456789ghIJkl", 'Unknown flag '],
])('a message about %j contains no key', async (flag, message) => {
  const { code, stderr } = await runInProcess(['run', flag], { cwd: folder });
  expect(stderr).toContain(message);
  expect(stderr).not.toContain('AbCdEf');
  expect(code).toBe(2);
});
