import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { conformance } from './command.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const profile = join(root, 'fixtures/profiles/reference.yaml');
let child: ChildProcess | undefined;
afterEach(() => child?.kill());

/** Starts `serve` and gives its address. */
function serve(...flags: string[]): Promise<{ url: string }> {
  const started = spawn(process.execPath, [
    join(root, 'bin/conformance.js'),
    'serve',
    '--port',
    '0',
    ...flags,
  ]);
  child = started;
  return new Promise((resolve, reject) => {
    let told = '';
    started.stdout.on('data', (piece: Buffer) => {
      told += piece.toString();
      const [url] = /http:\/\/[^\s']+:\d+/.exec(told) ?? [];
      if (url && told.includes('Ctrl-C')) resolve({ url });
    });
    started.on('exit', (code) => reject(new Error(`It ended with ${code}: ${told}`)));
  });
}

async function violated(url: string): Promise<string[]> {
  const run = ['run', '--base-url', url, '--profile', profile, '--suite', 'auth', '--reporter', 'json'];
  const { stdout } = await conformance(run);
  const { requirements }: { requirements: { id: string; outcome: string }[] } = JSON.parse(stdout);
  return requirements.flatMap(({ id, outcome }) => (outcome === 'violates' ? [id] : []));
}

test('serve --fault shows what the suite finds, --variant what it leaves alone', async () => {
  const { url } = await serve(
    '--fault',
    'bad-key/deleted-works-on-the-model-list',
    '--variant',
    'errors/pretty-printed',
  );
  expect(await violated(url)).toEqual(['auth/deleted-bearer-token', 'auth/deleted-x-api-key']);
});

test('serve --host listens where it is told to', async () => {
  const { url } = await serve('--host', '127.0.0.2');
  expect(url).toContain('127.0.0.2');
  expect(await violated(url)).toEqual([]);
});

test.each([
  ['--fault', 'bad-key/deleted-work', /Did you mean "bad-key\/deleted-works"/],
  ['--variant', 'errors/prety-printed', /Did you mean/],
  ['--port', '70000', /A port is 0 to 65535/],
])('serve %s %s is told as a mistake', async (flag, value, hint) => {
  const { code, stderr } = await conformance(['serve', flag, value]);
  expect(code).toBe(2);
  expect(stderr).toMatch(hint);
});
