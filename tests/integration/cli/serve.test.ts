import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import { packageRoot } from '../../../common/package-root.ts';
import { readSeed } from '../../../reference-server/gateway/seed.ts';
import { conformance, createScratchFolder } from '../../support/command.ts';
import { runInProcess } from '../../support/in-process-command.ts';

const profile = join(packageRoot, 'fixtures/profiles/reference.yaml');
let child: ChildProcess | undefined;
afterEach(() => child?.kill());

/** Starts `serve` and returns its base URL. Rejects if `serve` exits before the end of the start text. */
function serve(...flags: string[]): Promise<{ url: string; startText: string }> {
  const started = spawn(process.execPath, [
    join(packageRoot, 'bin/conformance.js'),
    'serve',
    '--port',
    '0',
    ...flags,
  ]);
  child = started;
  return new Promise((resolve, reject) => {
    let output = '';
    started.stdout.on('data', (piece: Buffer) => {
      output += piece.toString();
      const [url] = /http:\/\/[^\s']+:\d+/.exec(output) ?? [];
      if (url && output.includes('Ctrl+C')) resolve({ url, startText: output });
    });
    started.on('exit', (code) => reject(new Error(`serve exited with ${code}: ${output}`)));
  });
}

async function listViolated(url: string): Promise<string[]> {
  const run = ['run', '--base-url', url, '--profile', profile, '--suite', 'auth', '--reporter', 'json'];
  const { stdout } = await runInProcess(run);
  const { requirements }: { requirements: { id: string; outcome: string }[] } = JSON.parse(stdout);
  return requirements.flatMap(({ id, outcome }) => (outcome === 'violates' ? [id] : []));
}

test('the suite reports the fault, but not the variant, of a gateway that serve starts', async () => {
  const { url } = await serve(
    '--fault',
    'bad-key/deleted-works-on-the-model-list',
    '--variant',
    'errors/pretty-printed',
  );
  expect(await listViolated(url)).toEqual(['auth/deleted-bearer-token', 'auth/deleted-x-api-key']);
});

test('the shell lines that serve prints call the gateway', async () => {
  const { startText } = await serve();
  const lines = startText.match(/^ {2}(export|curl) .*$/gm) ?? [];
  const { stdout } = await promisify(execFile)('bash', ['-euc', lines.join('\n')]);
  expect(JSON.parse(stdout)).toMatchObject({ object: 'chat.completion' });
});

test('serve --host listens on the given address', async () => {
  const { url } = await serve('--host', '127.0.0.2');
  expect(url).toContain('127.0.0.2');
  expect(await listViolated(url)).toEqual([]);
});

/** Returns the status and the error message of a request with this `Host`. */
async function askAs(url: string, host: string): Promise<{ status: number; message: string }> {
  const asked = request(`${url}/v1/models`, { headers: { host } }).end();
  const [response] = await once(asked, 'response');
  let text = '';
  for await (const piece of response) text += piece;
  return { status: response.statusCode, message: JSON.parse(text).error.message };
}

test.each([
  { flags: [], host: 'localhost:1', status: 401 },
  { flags: [], host: '127.0.0.9', status: 401 },
  { flags: [], host: '[::1]:8787', status: 401 },
  { flags: [], host: 'evil.example', status: 403 },
  { flags: [], host: '192.0.2.7', status: 403 },
  { flags: ['--allow-host', 'gateway', '--allow-host', 'x.example'], host: 'gateway:8787', status: 401 },
  { flags: ['--allow-host', 'gateway'], host: 'evil.example', status: 403 },
  { flags: ['--allow-host', '*'], host: 'evil.example', status: 401 },
  { flags: ['--host', '0.0.0.0'], host: '192.0.2.7:8787', status: 401 },
  { flags: ['--host', '0.0.0.0'], host: 'evil.example', status: 403 },
])('serve $flags responds to a request for $host with $status', async ({ flags, host, status }) => {
  const { url } = await serve(...flags);
  const answered = await askAs(url, host);
  expect(answered.status).toBe(status);
  if (status === 403) expect(answered.message).toContain(`Use --allow-host '${host}' to allow this host.`);
});

describe('serve --state', () => {
  const chat = (url: string): Promise<Response> =>
    fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'x-api-key': readSeed().keys.valid.key, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-reference', messages: [{ role: 'user', content: 'Hello?' }] }),
    });
  const spentIn = (file: string): number => {
    const { accounts }: { accounts: { spent: number }[] } = JSON.parse(readFileSync(file, 'utf8'));
    return accounts.reduce((sum, { spent }) => sum + spent, 0);
  };

  test.each(['SIGHUP', 'SIGTERM', 'SIGINT'] as const)('saves the state on %s', async (signal) => {
    const file = join(createScratchFolder(), 'gateway-state.json');
    const { url } = await serve('--state', file);
    expect((await chat(url)).status).toBe(200);
    // Without a signal, calls are saved within a second.
    const ended = child && once(child, 'exit');
    child?.kill(signal);
    expect(await ended).toEqual([0, null]);
    expect(spentIn(file)).toBeGreaterThan(0);
    expect(readdirSync(dirname(file))).toEqual(['gateway-state.json']);
  });

  test('is refused while another gateway uses the file, and takes over the file of a killed one', async () => {
    const file = join(createScratchFolder(), 'gateway-state.json');
    await serve('--state', file);
    const pid = child?.pid;
    const { code, stderr } = await conformance(['serve', '--port', '0', '--state', file]);
    expect(stderr).toBe(
      `conformance: ${file}: another reference gateway uses this file (process ${pid}). Stop it, or choose another file. If process ${pid} is another program, delete ${file}.lock.\n`,
    );
    expect(code).toBe(2);
    const killed = child && once(child, 'exit');
    child?.kill('SIGKILL');
    await killed;
    await serve('--state', file);
  });
});
