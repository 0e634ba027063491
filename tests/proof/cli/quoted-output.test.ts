import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { packageRoot } from '../../../common/package-root.ts';
import { createReferenceServer, faults, type ReferenceServer } from '../../../reference-server/index.ts';
import { createScratchFolder } from '../../support/command.ts';
import { runInProcess } from '../../support/in-process-command.ts';

/** The fault of each gateway in the examples of the documents. The conforming gateway has no fault. */
const gateways = {
  conforming: undefined,
  acceptsHalfAKey: 'bad-key/beginning-is-enough-for-the-model-list',
  answers404: 'models/unlisted-404',
  ignoresSystemMessages: 'near-miss/system-message-unchecked',
};
type GatewayName = keyof typeof gateways;
const servers = new Map<GatewayName, Pick<ReferenceServer, 'url' | 'close'>>();
beforeAll(async () => {
  for (const [name, id] of Object.entries(gateways)) {
    const fault = faults.find((item) => item.id === id);
    servers.set(name as GatewayName, await createReferenceServer(fault?.setup()));
  }
});
afterAll(() => Promise.all([...servers.values()].map((server) => server.close())));

const reference = readFileSync(join(packageRoot, 'fixtures/profiles/reference.yaml'), 'utf8');

const cwd = createScratchFolder();
const outputs = new Map<string, string>();

/**
 * Runs commands, each against a gateway, and returns their output. All commands run in one folder. The same command
 * runs only once against each gateway.
 */
async function outputOf(...commands: readonly (readonly [GatewayName, ...string[]])[]): Promise<string> {
  const url = (name: GatewayName): string => servers.get(name)?.url ?? '';
  const profile = (name: GatewayName): string => reference.replace(/^baseUrl: .*/m, `baseUrl: ${url(name)}`);
  writeFileSync(join(cwd, 'conformance.staging.yaml'), profile('conforming'));
  writeFileSync(join(cwd, 'conformance.production.yaml'), profile('acceptsHalfAKey'));
  const env = { GATEWAY_API_KEY: parse(reference).keys.valid };
  let output = '';
  for (const [name, ...args] of commands) {
    const command = [name, ...args].join(' ');
    if (!outputs.has(command)) {
      writeFileSync(join(cwd, 'gateway.yaml'), profile(name));
      const { stdout, stderr } = await runInProcess(
        args.map((arg) => arg.replace('URL', url(name))),
        { cwd, env },
      );
      outputs.set(command, stdout + stderr);
    }
    output += outputs.get(command);
  }
  return output;
}

/**
 * Returns the line with placeholders for the parts that differ between runs: URLs, UUIDs, and numbers other than the
 * statuses 200, 400, 401 and 404.
 */
const comparable = (line: string): string =>
  line
    .replace(/https?:\/\/[\w.:-]+/g, 'URL')
    .replace(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g, 'ID')
    .replace(/\b(?!(?:200|400|401|404)\b)\d+(?:\.\d+)?/g, '#')
    .replace(/[\s─]+/g, ' ')
    .trim();

/**
 * Returns the output lines of the first code block that contains a text, in a document. Omits empty lines, the mark
 * `⋮`, and the text after an ellipsis, unless the text begins with ` and`.
 */
function quotedLines(document: string, text: string): string[] {
  const blocks = [
    ...readFileSync(join(packageRoot, document), 'utf8').matchAll(/^```(?:console|text)\n(.*?)^```/gms),
  ];
  const [block] = blocks.flatMap(([, content = '']) => (content.includes(text) ? [content] : []));
  return (block ?? '')
    .replace(/^\$ (?:.*\\\n)*.*$/gm, '')
    .split('\n')
    .map((line) => comparable(line.replace(/…(?! and).*/, '')))
    .filter((line) => line !== '' && line !== '⋮');
}

const full = ['run', '--profile', 'gateway.yaml'] as const;
const targets = [
  'run',
  '--target',
  'staging=conformance.staging.yaml',
  '--target',
  'production=conformance.production.yaml',
  '--reporter',
  'json={target}.json',
] as const;
const oneCase = 'models/unlisted/operation=responses';
test.each<[string, string, ...(readonly [GatewayName, ...string[]])[]]>([
  [
    'docs/concepts.md',
    'conformance explain',
    ['conforming', 'list', 'cases'],
    ['conforming', 'explain', oneCase],
  ],
  ['docs/concepts.md', '< 404', ['answers404', 'run', '--base-url', 'URL', '--only', oneCase, '--verbose']],
  ['docs/concepts.md', 'VIOLATES', ['answers404', 'run', '--base-url', 'URL', '--only', oneCase]],
  [
    'docs/baseline.md',
    'PASSED with',
    ['acceptsHalfAKey', ...full, '--baseline', 'known.yaml', '--update-baseline'],
    ['acceptsHalfAKey', ...full, '--baseline', 'known.yaml'],
  ],
  [
    'docs/baseline.md',
    'STALE BASELINE',
    ['acceptsHalfAKey', ...full, '--baseline', 'known.yaml', '--update-baseline'],
    ['conforming', ...full, '--baseline', 'known.yaml'],
  ],
  [
    'docs/compare.md',
    'conformance diff',
    ['conforming', ...targets],
    ['conforming', 'diff', 'staging.json', 'production.json'],
  ],
  ['docs/compare.md', '--target staging', ['conforming', ...targets]],
  ['docs/production.md', '--dry-run', ['conforming', ...full, '--safe', '--dry-run']],
  [
    'docs/fuzzing.md',
    '--seed 3',
    ['ignoresSystemMessages', ...full, '--fuzz', '200', '--seed', '3', '--suite', 'fuzz'],
  ],
  [
    'docs/models.md',
    '--models all',
    ['conforming', ...full, '--models', 'all', '--dry-run'],
    ['conforming', ...full, '--models', 'gpt-*,claude-reference-*', '--max-billable', '500'],
  ],
  ['docs/profile.md', 'Wrote conformance.yaml', ['conforming', 'init', '--base-url', 'URL']],
  ['docs/sdks.md', 'NotFoundError', ['answers404', 'clients', '--base-url', 'URL']],
])('%s quotes the output of the command at %j', async (document, text, ...commands) => {
  const printed = (await outputOf(...commands)).split('\n').map(comparable);
  const quoted = quotedLines(document, text);
  expect(quoted.length).toBeGreaterThan(0);
  expect(quoted.filter((line) => !printed.some((other) => other.startsWith(line)))).toEqual([]);
});
