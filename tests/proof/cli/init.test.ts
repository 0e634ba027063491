// biome-ignore-all lint/suspicious/noTemplateCurlyInString: profiles contain such variables
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { toMapping } from '../../../common/mapping.ts';
import {
  createReferenceServer,
  type ProfileChanges,
  type ReferenceServer,
  variants,
} from '../../../reference-server/index.ts';
import { catalogOfPackage } from '../../../runner/catalog/catalog.ts';
import { findTestable, type TestableIds } from '../../../runner/init/format-draft.ts';
import { plan } from '../../../runner/plan/plan.ts';
import type { Profile } from '../../../runner/profile/profile.ts';
import { createPromise } from '../../../runner/profile/promise.ts';
import { readProfile } from '../../../runner/profile/read-profile.ts';
import type { Report } from '../../../runner/report/report.ts';
import { conformance, createScratchFolder } from '../../support/command.ts';
import { runInProcess } from '../../support/in-process-command.ts';
import { startCommand } from '../../support/long-running-command.ts';
import { isToolMissing } from '../../support/tools.ts';

const noNative = { messages: null, generate: null, streamGenerate: null };
const catalog = await catalogOfPackage();
const servers: ReferenceServer[] = [];
const serve = async (operations: ProfileChanges['operations'] = {}): Promise<ReferenceServer> => {
  const server = await createReferenceServer({ profile: { operations } });
  servers.push(server);
  return server;
};
const whole = await serve();
const key = whole.profile.keys.valid;
afterAll(() => Promise.all(servers.map((server) => server.close())));

/** Returns a key, parts of the key and encodings of the key, none of which may be in a file or in the output. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [
    secret,
    secret.toUpperCase(),
    secret.slice(3),
    secret.slice(0, 20),
    encodeURIComponent(secret),
    bytes.toString('hex'),
    bytes.toString('base64').slice(0, -4),
    bytes.toString('base64url').slice(0, -4),
    [...secret].reverse().join(''),
  ];
}

async function init(
  url: string,
  args: readonly string[] = [],
  env: Record<string, string> = { GATEWAY_API_KEY: key },
): Promise<{ code: number | null; stdout: string; stderr: string; folder: string; text: string }> {
  const folder = createScratchFolder();
  const done = await runInProcess(['init', '--base-url', url, ...args], { cwd: folder, env });
  const file = join(folder, 'conformance.yaml');
  return { ...done, folder, text: existsSync(file) ? readFileSync(file, 'utf8') : '' };
}

describe('init', () => {
  test.each([
    ['everything', {}, ['messages', 'generate', 'streamGenerate'], []],
    ['no family B or C', noNative, [], ['messages', 'generate', 'streamGenerate']],
    ['no family B', { messages: null }, ['generate', 'streamGenerate'], ['messages']],
  ] as const)(
    'writes a profile with which a run conforms, and prints the number of cases: a gateway with %s',
    async (_, operations, found, absent) => {
      const server = await serve(operations);
      const { code, text, stdout, folder } = await init(server.url);
      expect(code).toBe(0);
      const [, testable] = /(\d+) of \d+ cases can be tested with this profile/.exec(stdout) ?? [];
      expect(Number(testable)).toBeGreaterThan(0);
      const file = join(folder, 'conformance.yaml');
      const profile = readProfile(file, {}, { GATEWAY_API_KEY: key }, catalog);
      expect(profile).toMatchObject({ baseUrl: server.url, models: { chat: { good: 'gpt-reference' } } });
      for (const id of found) expect(profile.operations[id]?.stated).toBe('profile');
      for (const id of absent) expect(text).toContain(`#   ${id}: ${catalog.operations[id].request}`);
      const run = await runInProcess(['run', '--reporter', 'json=report.json'], {
        cwd: folder,
        env: { GATEWAY_API_KEY: key },
      });
      expect([run.code, run.stdout]).toEqual([
        0,
        expect.stringMatching(/✓ (CONFORMS|PASSED in a selection)/),
      ]);
      const report: Report = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'));
      const { conforms, violates, warns } = report.summary.cases;
      // The number is exact only for a gateway with all operations.
      if (absent.length === 0) expect(Number(testable)).toBe(conforms + violates + warns);
    },
  );

  test('writes examples that are valid together, each with the number of cases that need the example', async () => {
    const { text, stdout } = await init(whole.url);
    const { keys } = whole.profile;
    const env = {
      GATEWAY_API_KEY: keys.valid,
      GATEWAY_DELETED_KEY: keys.deleted,
      GATEWAY_DEPLETED_KEY: keys.depleted,
      GATEWAY_FOREIGN_KEY: keys.foreign,
    };
    const file = join(createScratchFolder(), 'all.yaml');
    const read = (lines: string): Profile => {
      writeFileSync(file, lines);
      return readProfile(file, {}, env, catalog);
    };
    const all = text.replace(/^# (?!yaml-)( *[a-zA-Z-]+:.*)$/gm, '$1');
    const profile = read(all);
    expect(profile.keys).toEqual(keys);
    expect(profile.rateLimit).toMatchObject({ operation: 'usage', requests: 200 });
    expect(profile.headers).toEqual({ 'x-tenant': 'acme' });
    const testable = (own: Profile): TestableIds => findTestable(plan(createPromise(catalog, own)), own);
    const { cases } = testable(profile);
    expect(stdout).toContain(` of ${cases.size} cases can be tested`);
    for (const member of ['deleted', 'record', 'own', 'rateLimit']) {
      const line = new RegExp(`^ *${member}: .*\\((\\d+) case.*$`, 'm');
      const [whole = '', need] = line.exec(all) ?? [];
      const without = testable(read(all.replace(whole, '')));
      expect([member, cases.size - without.cases.size]).toEqual([member, Number(need)]);
    }
  });

  test('states the optional keys that are in the environment', async () => {
    const { deleted } = whole.profile.keys;
    const { text } = await init(whole.url, [], { GATEWAY_API_KEY: key, GATEWAY_DELETED_KEY: deleted });
    expect(text).toMatch(/^ {2}deleted: \$\{GATEWAY_DELETED_KEY\}/m);
    expect(text).not.toContain(deleted);
  });

  test('writes no key, even if the gateway returns the key in several encodings', async () => {
    const echo = createServer((incoming, outgoing) => {
      const sent = String(incoming.headers.authorization ?? incoming.headers['x-api-key'] ?? '');
      const data = [...formsOf(key), `gpt-${sent}`, 'gpt-${GATEWAY_API_KEY}'].map((id) => ({ id }));
      outgoing.writeHead(200, { 'content-type': 'application/json' });
      outgoing.end(JSON.stringify({ data, content: [], candidates: [], choices: [] }));
    });
    await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
    const { port } = echo.address() as AddressInfo;
    const folder = createScratchFolder();
    writeFileSync(join(folder, 'key'), `${key}\n`);
    const { code, stdout, stderr } = await runInProcess(
      ['init', '--base-url', `http://127.0.0.1:${port}`, '--key-file', 'key'],
      { cwd: folder },
    );
    echo.close();
    expect(code).toBe(0);
    const written = readFileSync(join(folder, 'conformance.yaml'), 'utf8');
    for (const form of formsOf(key)) expect(written + stdout + stderr).not.toContain(form);
    expect(written).not.toContain('gpt-');
  });

  test('writes a hostile model name as plain text', async () => {
    const name = 'gpt: "x" # \u202e\n  evil: true\n';
    const server = createServer(async (incoming, outgoing) => {
      incoming.resume();
      outgoing.writeHead(200, { 'content-type': 'application/json' });
      outgoing.end(JSON.stringify({ data: [{ id: name }], choices: [] }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const { folder, text } = await init(`http://127.0.0.1:${port}`);
    server.close();
    const profile = readProfile(join(folder, 'conformance.yaml'), {}, { GATEWAY_API_KEY: key }, catalog);
    expect(profile.models.chat.good).toBe(name);
    expect(text).toMatch(/^[\x20-\x7e\n]*$/);
  });
});

/** Starts a server that stops with the test, and returns its base URL. */
async function listen(
  answer: (incoming: IncomingMessage, body: Readonly<Record<string, unknown>>) => [number, unknown],
): Promise<string> {
  const server = createServer(async (incoming, outgoing) => {
    const pieces: Buffer[] = [];
    for await (const piece of incoming) pieces.push(piece);
    const text = Buffer.concat(pieces).toString();
    const [status, body] = answer(incoming, toMapping(text === '' ? {} : JSON.parse(text)));
    const isText = typeof body === 'string';
    outgoing.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json' });
    outgoing.end(isText ? body : JSON.stringify(body));
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

/** Returns the status and the body of the response of a gateway with one chat model and without a model list. */
function respondWithoutList(
  incoming: IncomingMessage,
  { model }: Readonly<Record<string, unknown>>,
): [number, unknown] {
  if (incoming.url === '/v1/models') return [404, { detail: 'Not Found' }];
  if (incoming.url !== '/v1/chat/completions') return [404, 'no such page\u001b[2J'];
  if (model !== 'hidden-1') return [422, { detail: [{ loc: ['body', 'model'], msg: 'Unknown model' }] }];
  const message = { role: 'assistant', content: 'ok' };
  return [200, { object: 'chat.completion', choices: [{ index: 0, message, finish_reason: 'stop' }] }];
}

describe('init with --header', () => {
  const tenant = async (): Promise<{ readonly url: string }> => {
    const server = await createReferenceServer(
      variants.find(({ id }) => id === 'places/tenant-header')?.setup(),
    );
    onTestFinished(() => server.close());
    return server;
  };

  test('sends the header and writes the header to a profile with which a run conforms', async () => {
    const { url } = await tenant();
    const without = await init(url);
    expect([without.code, without.text]).toEqual([3, '']);
    const { code, text, folder } = await init(url, ['--header', 'x-tenant: acme']);
    expect([code, text]).toEqual([0, expect.stringMatching(/^headers:\n {2}x-tenant: acme$/m)]);
    const run = await runInProcess(['run', '--suite', 'models'], {
      cwd: folder,
      env: { GATEWAY_API_KEY: key },
    });
    expect([run.code, run.stdout]).toEqual([0, expect.stringMatching(/✓ (CONFORMS|PASSED in a selection)/)]);
  });

  test('writes the variable of a value instead of the value', async () => {
    const { url } = await tenant();
    const env = { GATEWAY_API_KEY: key, GATEWAY_TENANT: 'acme' };
    const { code, text } = await init(url, ['--header', 'x-tenant: ${GATEWAY_TENANT}'], env);
    expect([code, text]).toEqual([0, expect.stringMatching(/^ {2}x-tenant: \$\{GATEWAY_TENANT\}$/m)]);
    expect(text).not.toContain('acme');
  });

  test('exists for run and clients too', async () => {
    const { url } = await tenant();
    for (const command of [
      ['run', '--suite', 'models'],
      ['clients', '--sdk', 'openai'],
    ]) {
      const args = [...command, '--base-url', url, '--header', 'x-tenant: acme'];
      const { code, stdout } = await runInProcess(args, { env: { GATEWAY_API_KEY: key } });
      expect([command, code, stdout]).toEqual([
        command,
        0,
        expect.stringMatching(/✓ (CONFORMS|PASSED in a selection)/),
      ]);
    }
  });

  test.each([
    ['a credential', 'x-api-key: sk-mine', 'must not contain a credential (x-api-key). Set GATEWAY_API_KEY'],
    ['the key in another header', `x-upstream: ${key}`, 'headers.x-upstream would contain an API key'],
  ])('refuses %s and sends nothing', async (_, header, says) => {
    const { code, stderr, text } = await init('http://127.0.0.1:9', ['--header', header]);
    expect([code, stderr, text]).toEqual([2, expect.stringContaining(says), '']);
    expect(stderr).not.toContain(key);
  });
});

describe('init with a gateway that lists no models', () => {
  test('prints the requests, the responses, and the members to add', async () => {
    const url = await listen(respondWithoutList);
    const { code, stderr } = await init(url);
    expect(code).toBe(3);
    expect(stderr).toContain(
      `At ${url}, GET /v1/models returned 404 "Not Found". The operations chat, responses, messages and generate were not tried, because no model is known. Set \`models.chat.good\` in the profile, or add \`--model chat=ID\`.`,
    );
    expect(stderr).toContain('· chat            not tried: no model is known; add `--model chat=ID`');
    const run = await runInProcess(['run', '--base-url', url], { env: { GATEWAY_API_KEY: key } });
    expect([run.code, run.stdout]).toEqual([3, expect.stringContaining('add `--model chat=ID`')]);
    const named = await runInProcess(
      [
        'run',
        '--base-url',
        url,
        '--model',
        'chat=hidden-1',
        '--only',
        'endpoints/chat',
        '--reporter',
        'json',
      ],
      { env: { GATEWAY_API_KEY: key } },
    );
    const { requirements }: Report = JSON.parse(named.stdout);
    expect(requirements.find(({ id }) => id === 'endpoints/chat')?.outcome).toBe('conforms');
  });

  test('names the best of the listed models if none of them can be called', async () => {
    const ids = ['gpt-4o-mini-retired', 'other', 'gpt-4o', 'claude'];
    const url = await listen((incoming, body) =>
      incoming.url === '/v1/models' ? [200, { data: ids }] : respondWithoutList(incoming, body),
    );
    const { stdout } = await init(url);
    expect(stdout).toMatch(/✗ chat .*Unknown model".*requested model "gpt-4o"/s);
  });

  test('does not call a pattern of the model list', async () => {
    const called: unknown[] = [];
    const url = await listen((incoming, body) => {
      if (incoming.url === '/v1/models') return [200, { data: [{ id: 'gpt*' }, { id: 'openai/*' }] }];
      called.push(body.model);
      return respondWithoutList(incoming, body);
    });
    const { code, stdout } = await init(url);
    expect([code, called]).toEqual([0, []]);
    expect(stdout).toContain(
      '· chat            not tried: the model list has patterns such as "gpt*", but no model; add',
    );
  });

  test('tests and writes the operations of --model', async () => {
    const { code, text, stdout } = await init(await listen(respondWithoutList), ['--model', 'chat=hidden-1']);
    expect(code).toBe(0);
    expect(text).toMatch(/^ {4}good: hidden-1 +# called successfully$/m);
    expect(stdout).toMatch(/✓ chat +key accepted in bearer, x-api-key.*; model hidden-1/);
    expect(stdout).toContain('✗ models          not found: 404 "Not Found"');
  });

  test('prints the error message of the gateway for each operation that failed', async () => {
    const url = await listen((incoming, body) =>
      incoming.url === '/v1/responses'
        ? [400, { message: `bad key ${key}` }]
        : respondWithoutList(incoming, body),
    );
    const models = ['chat=wrong', 'responses=x', 'messages=x', 'generate=x'];
    const { code, stderr } = await init(
      url,
      models.flatMap((model) => ['--model', model]),
    );
    expect(code).toBe(3);
    expect(stderr).toContain(
      '✗ chat            failed: 422 "body.model: Unknown model"; requested model "wrong"',
    );
    expect(stderr).toContain('✗ responses       failed: 400 "bad key {{keys.valid}}"');
    expect(stderr).toContain('✗ messages        not offered: 404 "no such page\\u001b[2J"');
    expect(stderr).not.toContain(key);
  });
});

describe('init with --profile', () => {
  const existing = {
    baseUrl: '${GATEWAY_BASE}',
    keys: { valid: '${GATEWAY_MY_KEY}', deleted: '${GATEWAY_MY_DELETED}' },
    models: { chat: 'gpt-reference', responses: { textOnly: 'some-text' } },
    headers: { 'x-tenant': 'acme' },
    operations: { messages: null, balance: 'GET /v1/billing/balance' },
    bodies: { chat: { max_tokens: 5 } },
    records: { own: '5b0c7b8e-3c55-4c6e-9a53-0d6f5b3e1a01' },
    rateLimit: { operation: 'balance', requests: 200, within: '10s' },
    timeFormat: 'iso-date',
  };
  const extend = async (
    stated: object,
    args: readonly string[] = [],
  ): Promise<{ code: number | null; stdout: string; stderr: string; value: unknown; file: string }> => {
    const file = join(createScratchFolder(), 'mine.yaml');
    writeFileSync(file, stringify(stated));
    const flags = ['--profile', file, '--output', file, '--force', ...args];
    const env = { GATEWAY_MY_KEY: key, GATEWAY_BASE: whole.url };
    return {
      ...(await runInProcess(['init', ...flags], { env })),
      value: parse(readFileSync(file, 'utf8')),
      file,
    };
  };

  test('keeps the members of the profile and adds the found members', async () => {
    const { code, value, stdout } = await extend(existing, ['--model', 'generate=gemini-reference']);
    expect(code).toBe(0);
    expect(value).toEqual({
      ...existing,
      models: {
        chat: { good: 'gpt-reference' },
        responses: { textOnly: 'some-text', good: 'gpt-reference' },
        generate: { good: 'gemini-reference' },
      },
      operations: {
        ...existing.operations,
        generate: catalog.operations.generate.request,
        streamGenerate: catalog.operations.streamGenerate.request,
      },
    });
    expect(stdout).toContain('export GATEWAY_MY_DELETED=…\n  npx conformance run --profile ');
  });

  test('replaces members with the values of flags', async () => {
    const { value } = await extend(existing, ['--header', 'X-Tenant: other', '--model', 'chat=gpt-4o']);
    expect(value).toMatchObject({
      headers: { 'X-Tenant': 'other' },
      models: { chat: { good: 'gpt-4o' } },
    });
    expect(value).not.toHaveProperty(['headers', 'x-tenant']);
  });

  test.each([
    [
      'a key instead of a variable',
      { ...existing, keys: { valid: 'sk-literal-0123456789' } },
      [],
      'mine.yaml:3: keys.valid contains the key itself, but `init` does not write keys to files. Write `${GATEWAY_API_KEY}` instead',
    ],
    ['an unknown member', { ...existing, model: {} }, [], 'Did you mean "models"?'],
    [
      'a variable that is not allowed',
      { ...existing, keys: { valid: '${AWS_SECRET_ACCESS_KEY}' } },
      [],
      'or allow the variable with --allow-env AWS_SECRET_ACCESS_KEY',
    ],
    [
      'a variable in a flag that is not allowed in profiles',
      existing,
      ['--header', 'x-a: ${PATH}'],
      '--header x-a refers to the environment variable PATH',
    ],
    [
      'a variable that is not set',
      { ...existing, keys: { valid: '${GATEWAY_NONE}' } },
      [],
      'variable GATEWAY_NONE',
    ],
    [
      'a model for an operation that the profile excludes',
      existing,
      ['--model', 'messages=claude'],
      'the gateway does not offer `messages`',
    ],
  ])('refuses %s and does not change the file', async (_, stated, args, says) => {
    const { code, stderr, value } = await extend(stated, args);
    expect([code, stderr, value]).toEqual([2, expect.stringContaining(says), stated]);
  });
});

test.each([
  ['init', '/v1/models'],
  ['check', '/v1'],
  ['proxy', '/v1beta'],
] as const)(
  '%s reports that the base URL contains the beginning of a request path',
  async (command, path) => {
    const folder = createScratchFolder();
    writeFileSync(join(folder, 'empty.har'), '{"log":{"entries":[]}}');
    const args = [
      ...(command === 'check' ? ['check', 'empty.har'] : [command]),
      '--base-url',
      `${whole.url}${path}`,
    ];
    const { stderr } = await conformance(command === 'proxy' ? [...args, '--port', '0'] : args, {
      cwd: folder,
      env: { GATEWAY_API_KEY: key },
      interruptWhen: /Press Ctrl\+C/,
    });
    expect(stderr).toContain(`Did you mean ${whole.url}?`);
  },
);

describe('init writes nothing', () => {
  test.each([
    ['the gateway is unreachable', 'http://127.0.0.1:9', key, 'cannot be reached'],
    [
      'the key is rejected',
      undefined,
      'sk-wrong-key-000000',
      'The key is rejected (GET /v1/models returned 401',
    ],
  ])('if %s, and exits with 3', async (_, url, own, says) => {
    const { code, stderr, text } = await init(url ?? whole.url, [], { GATEWAY_API_KEY: own });
    expect(stderr).toContain(says);
    expect([code, text]).toEqual([3, '']);
  });

  test.each([
    [
      'if the file already exists',
      ['--output', 'taken.yaml'],
      { GATEWAY_API_KEY: 'sk-a' },
      'Use --force to replace it, --profile taken.yaml --force to extend the file',
    ],
    ['without a key', [], {}, 'The API key is missing. Set GATEWAY_API_KEY'],
    [
      'with a key file that does not exist',
      ['--key-file', 'none'],
      {},
      '--key-file "none": the file does not exist',
    ],
  ])('%s, and exits with 2', async (_, args, env: Record<string, string>, says) => {
    const folder = createScratchFolder();
    writeFileSync(join(folder, 'taken.yaml'), 'mine');
    const { code, stderr } = await runInProcess(['init', '--base-url', whole.url, ...args], {
      cwd: folder,
      env,
    });
    expect([code, stderr]).toEqual([2, expect.stringContaining(says)]);
    expect(readFileSync(join(folder, 'taken.yaml'), 'utf8')).toBe('mine');
    expect(existsSync(join(folder, 'conformance.yaml'))).toBe(false);
  });

  test('without a base URL, and exits with 2', async () => {
    const { code, stderr } = await runInProcess(['init'], { env: { GATEWAY_API_KEY: key } });
    expect([code, stderr]).toEqual([2, expect.stringContaining('The base URL is missing.')]);
  });

  test('if the file cannot be written, and exits with 4', async () => {
    const folder = createScratchFolder();
    mkdirSync(join(folder, 'taken'));
    const { code, stderr } = await runInProcess(
      ['init', '--force', '--base-url', whole.url, '--output', 'taken'],
      { cwd: folder, env: { GATEWAY_API_KEY: key } },
    );
    expect([code, stderr]).toEqual([
      4,
      expect.stringContaining('The profile could not be written to "taken" (EISDIR)'),
    ]);
  });
});

test('init writes nothing if every path returns a web page, and asks to check the base URL', async () => {
  const url = await listen(() => [200, '<!doctype html><title>Console</title>']);
  const { code, stderr, text } = await init(`${url}/console`, ['--model', 'chat=gpt-x']);
  expect([code, text]).toEqual([3, '']);
  expect(stderr).toContain('with a web page. Check the base URL.');
  expect(stderr).toContain('✗ chat            returned a web page: 200 "<!doctype html>');
});

test('init --force keeps the file if no valid request succeeded, and exits with 3', async () => {
  const folder = createScratchFolder();
  writeFileSync(join(folder, 'conformance.yaml'), 'mine');
  const { code, stderr } = await runInProcess(['init', '--force', '--base-url', 'http://127.0.0.1:9'], {
    cwd: folder,
    env: { GATEWAY_API_KEY: key },
  });
  expect(code).toBe(3);
  expect(readFileSync(join(folder, 'conformance.yaml'), 'utf8')).toBe('mine');
  expect(stderr).toContain(
    'No valid request succeeded, so conformance.yaml was not changed. Start the gateway',
  );
});

describe.skipIf(isToolMissing('script'))('init on a terminal', () => {
  test('asks for missing information, and never prints or writes the key', async () => {
    const folder = createScratchFolder();
    const { child, ended, until, said } = startCommand(['init'], { cwd: folder, terminal: true });
    await until(1, /What is the base URL/g);
    child.stdin.write(`${whole.url}\r`);
    await until(1, /GATEWAY_API_KEY is unset or empty/g);
    child.stdin.write(`${key}\r`);
    await until(1, /Which other keys/g);
    child.stdin.write(' \r');
    await until(1, /Request line for balance/g);
    child.stdin.write('GET /v1/billing/balance\r');
    for (const operation of ['usage', 'record', 'internalError']) {
      await until(1, new RegExp(`Request line for ${operation}`, 'g'));
      child.stdin.write('\r');
    }
    expect(await ended).toBe(0);
    const text = readFileSync(join(folder, 'conformance.yaml'), 'utf8');
    expect(text).toMatch(/^ {2}deleted: \$\{GATEWAY_DELETED_KEY\}/m);
    expect(text).toMatch(/^ {2}balance: GET \/v1\/billing\/balance +# found/m);
    for (const form of formsOf(key)) expect(text + said()).not.toContain(form);
  });

  test('exits with 130 and writes nothing when cancelled', async () => {
    const folder = createScratchFolder();
    const { child, ended, until } = startCommand(['init'], { cwd: folder, terminal: true });
    await until(1, /What is the base URL/g);
    child.stdin.write('\u0003');
    expect(await ended).toBe(130);
    expect(existsSync(join(folder, 'conformance.yaml'))).toBe(false);
  });
});
