import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import {
  createReferenceServer,
  type ProfileChanges,
  type ReferenceServer,
} from '../reference-server/index.ts';
import { loadCatalog } from '../runner/catalog/catalog.ts';
import { judgedWith } from '../runner/plan/count-judged.ts';
import type { Profile } from '../runner/profile/profile.ts';
import { readProfile } from '../runner/profile/read-profile.ts';
import { conformance, scratch } from './command.ts';
import { hasTerminal, startStaying } from './staying-command.ts';

const noNative = { messages: null, generate: null, streamGenerate: null };
const catalog = await loadCatalog();
const servers: ReferenceServer[] = [];
const serve = async (operations: ProfileChanges['operations'] = {}): Promise<ReferenceServer> => {
  const server = await createReferenceServer({ profile: { operations } });
  servers.push(server);
  return server;
};
const whole = await serve();
const key = whole.profile.keys.valid;
afterAll(() => Promise.all(servers.map((server) => server.close())));

/** Every form in which a key could stand in a file. */
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
  const folder = scratch();
  const done = await conformance(['init', '--base-url', url, ...args], { cwd: folder, env });
  const file = join(folder, 'conformance.yaml');
  return { ...done, folder, text: existsSync(file) ? readFileSync(file, 'utf8') : '' };
}

describe('init', () => {
  test.each([
    ['everything', {}, ['messages', 'generate', 'streamGenerate'], []],
    ['no family B or C', noNative, [], ['messages', 'generate', 'streamGenerate']],
    ['no family B', { messages: null }, ['generate', 'streamGenerate'], ['messages']],
  ] as const)(
    'writes a profile of a gateway with %s that a run takes and that conforms',
    async (_, operations, found, absent) => {
      const server = await serve(operations);
      const { code, text, stdout, folder } = await init(server.url);
      expect(code).toBe(0);
      expect(stdout).toMatch(/With it \d+ of \d+ cases can be judged/);
      const file = join(folder, 'conformance.yaml');
      const profile = readProfile(file, {}, { GATEWAY_API_KEY: key }, catalog);
      expect(profile).toMatchObject({ baseUrl: server.url, models: { chat: { good: 'gpt-reference' } } });
      for (const id of found) expect(profile.operations[id]?.stated).toBe('profile');
      for (const id of absent) expect(text).toContain(`#   ${id}: ${catalog.operations[id].request}`);
      const run = await conformance(['run'], { cwd: folder, env: { GATEWAY_API_KEY: key } });
      expect([run.code, run.stdout]).toEqual([0, expect.stringContaining('✓ CONFORMS')]);
    },
  );

  test('tells as many cases as a run then judges', async () => {
    const { folder, stdout } = await init(whole.url);
    const [, told] = /With it (\d+) of/.exec(stdout) ?? [];
    const run = await conformance(['run', '--reporter', 'json'], {
      cwd: folder,
      env: { GATEWAY_API_KEY: key },
    });
    const { conforms, violates, warns } = JSON.parse(run.stdout).summary.cases;
    expect(Number(told)).toBe(conforms + violates + warns);
  });

  test('shows examples that are valid together, and tells how many cases lack where one is taken away', async () => {
    const { text, stdout } = await init(whole.url);
    const { keys } = whole.profile;
    const env = {
      GATEWAY_API_KEY: keys.valid,
      GATEWAY_DELETED_KEY: keys.deleted,
      GATEWAY_DEPLETED_KEY: keys.depleted,
      GATEWAY_FOREIGN_KEY: keys.foreign,
    };
    const file = join(scratch(), 'all.yaml');
    const read = (lines: string): Profile => {
      writeFileSync(file, lines);
      return readProfile(file, {}, env, catalog);
    };
    const all = text.replace(/^# (?!yaml-)( *[a-zA-Z-]+:.*)$/gm, '$1');
    const profile = read(all);
    expect(profile.keys).toEqual(keys);
    expect(profile.rateLimit).toMatchObject({ operation: 'usage', requests: 200 });
    expect(profile.headers).toEqual({ 'x-tenant': 'acme' });
    const { cases } = judgedWith(catalog, profile);
    expect(stdout).toContain(` of ${cases.size} cases can be judged`);
    for (const member of ['deleted', 'record', 'own', 'rateLimit']) {
      const line = new RegExp(`^ *${member}: .*\\((\\d+) case.*$`, 'm');
      const [whole = '', need] = line.exec(all) ?? [];
      const without = judgedWith(catalog, read(all.replace(whole, '')));
      expect([member, cases.size - without.cases.size]).toEqual([member, Number(need)]);
    }
  });

  test('states the optional keys that the environment has', async () => {
    const { deleted } = whole.profile.keys;
    const { text } = await init(whole.url, [], { GATEWAY_API_KEY: key, GATEWAY_DELETED_KEY: deleted });
    expect(text).toMatch(/^ {2}deleted: \$\{GATEWAY_DELETED_KEY\}/m);
    expect(text).not.toContain(deleted);
  });

  test('never writes a key, from wherever it comes, in any form that a gateway sends it back', async () => {
    const echo = createServer((incoming, outgoing) => {
      const sent = String(incoming.headers.authorization ?? incoming.headers['x-api-key'] ?? '');
      const data = [...formsOf(key), `gpt-${sent}`, 'gpt-${GATEWAY_API_KEY}'].map((id) => ({ id }));
      outgoing.writeHead(200, { 'content-type': 'application/json' });
      outgoing.end(JSON.stringify({ data, content: [], candidates: [], choices: [] }));
    });
    await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
    const { port } = echo.address() as AddressInfo;
    const folder = scratch();
    writeFileSync(join(folder, 'key'), `${key}\n`);
    const { code, stdout, stderr } = await conformance(
      ['init', '--base-url', `http://127.0.0.1:${port}`, '--key-file', 'key'],
      { cwd: folder },
    );
    echo.close();
    expect(code).toBe(0);
    const written = readFileSync(join(folder, 'conformance.yaml'), 'utf8');
    for (const form of formsOf(key)) expect(written + stdout + stderr).not.toContain(form);
    expect(written).not.toContain('gpt-');
  });

  test('keeps what a gateway calls its models from being anything but a text', async () => {
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

describe('init writes nothing', () => {
  test.each([
    ['where nothing listens', 'http://127.0.0.1:9', key, "can't be reached"],
    ['where the key is refused', undefined, 'sk-wrong-key-000000', 'The key is refused everywhere'],
  ])('%s, says so, and ends with 3', async (_, url, own, says) => {
    const { code, stderr, text } = await init(url ?? whole.url, [], { GATEWAY_API_KEY: own });
    expect(stderr).toContain(says);
    expect([code, text]).toEqual([3, '']);
  });

  test.each([
    [
      'where there is a file already',
      ['--output', 'taken.yaml'],
      { GATEWAY_API_KEY: 'sk-a' },
      '--force writes over it',
    ],
    ['without a key', [], {}, 'There is no API key. Set GATEWAY_API_KEY'],
    ['with a key file that is not there', ['--key-file', 'none'], {}, 'There is no key file none'],
  ])('%s, and ends with 2', async (_, args, env: Record<string, string>, says) => {
    const folder = scratch();
    writeFileSync(join(folder, 'taken.yaml'), 'mine');
    const { code, stderr } = await conformance(['init', '--base-url', whole.url, ...args], {
      cwd: folder,
      env,
    });
    expect([code, stderr]).toEqual([2, expect.stringContaining(says)]);
    expect(readFileSync(join(folder, 'taken.yaml'), 'utf8')).toBe('mine');
    expect(existsSync(join(folder, 'conformance.yaml'))).toBe(false);
  });

  test('without a base URL, and ends with 2', async () => {
    const { code, stderr } = await conformance(['init'], { env: { GATEWAY_API_KEY: key } });
    expect([code, stderr]).toEqual([2, expect.stringContaining('Use --base-url')]);
  });

  test('where the file cannot be written, and ends with 4', async () => {
    const folder = scratch();
    mkdirSync(join(folder, 'taken'));
    const { code, stderr } = await conformance(
      ['init', '--force', '--base-url', whole.url, '--output', 'taken'],
      { cwd: folder, env: { GATEWAY_API_KEY: key } },
    );
    expect([code, stderr]).toEqual([
      4,
      expect.stringContaining('The profile could not be written to taken: EISDIR'),
    ]);
  });
});

test('init --force writes over a file, and a skeleton although nothing answered, and still ends with 3', async () => {
  const folder = scratch();
  writeFileSync(join(folder, 'conformance.yaml'), 'mine');
  const { code } = await conformance(['init', '--force', '--base-url', 'http://127.0.0.1:9'], {
    cwd: folder,
    env: { GATEWAY_API_KEY: key },
  });
  expect(code).toBe(3);
  const text = readFileSync(join(folder, 'conformance.yaml'), 'utf8');
  expect(text).toContain('Answered with success:\n#   nothing');
  expect(() =>
    readProfile(join(folder, 'conformance.yaml'), {}, { GATEWAY_API_KEY: key }, catalog),
  ).not.toThrow();
});

describe.runIf(hasTerminal)('init on a terminal', () => {
  test('asks for what it cannot find out, and never shows or writes the key', async () => {
    const folder = scratch();
    const { child, ended, until, said } = startStaying(['init'], { cwd: folder, terminal: true });
    await until(1, /Where is the gateway/g);
    child.stdin.write(`${whole.url}\r`);
    await until(1, /GATEWAY_API_KEY is not set/g);
    child.stdin.write(`${key}\r`);
    await until(1, /Which further keys/g);
    child.stdin.write(' \r');
    await until(1, /The request of balance/g);
    child.stdin.write('GET /v1/billing/balance\r');
    for (const operation of ['usage', 'record', 'internalError']) {
      await until(1, new RegExp(`The request of ${operation}`, 'g'));
      child.stdin.write('\r');
    }
    expect(await ended).toBe(0);
    const text = readFileSync(join(folder, 'conformance.yaml'), 'utf8');
    expect(text).toMatch(/^ {2}deleted: \$\{GATEWAY_DELETED_KEY\}/m);
    expect(text).toMatch(/^ {2}balance: GET \/v1\/billing\/balance +# answered/m);
    for (const form of formsOf(key)) expect(text + said()).not.toContain(form);
  });

  test('ends with 130, and writes nothing, when it is left', async () => {
    const folder = scratch();
    const { child, ended, until } = startStaying(['init'], { cwd: folder, terminal: true });
    await until(1, /Where is the gateway/g);
    child.stdin.write('\u0003');
    expect(await ended).toBe(130);
    expect(existsSync(join(folder, 'conformance.yaml'))).toBe(false);
  });
});
