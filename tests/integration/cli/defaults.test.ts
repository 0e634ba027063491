import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createReferenceServer, type ReferenceServer } from '../../../reference-server/index.ts';
import { createScratchFolder } from '../../support/command.ts';
import { runInProcess } from '../../support/in-process-command.ts';

let server: ReferenceServer;
beforeAll(async () => {
  server = await createReferenceServer();
});
afterAll(() => server.close());

async function run(...flags: string[]): Promise<{ folder: string; suites: string[]; code: number | null }> {
  const folder = createScratchFolder();
  writeFileSync(
    join(folder, 'conformance.yaml'),
    `baseUrl: ${server.url}
defaults: { suite: [models], reporter: [json=a.json], strict: true, repeat: 1 }
`,
  );
  const { code, stderr } = await runInProcess(['run', ...flags], {
    cwd: folder,
    env: { GATEWAY_API_KEY: server.profile.keys.valid },
  });
  expect(stderr).toContain('cases');
  const file = ['a.json', 'b.json'].map((name) => join(folder, name)).find((path) => existsSync(path)) ?? '';
  const { cases }: { cases: { suite: string }[] } = JSON.parse(readFileSync(file, 'utf8'));
  return { folder, suites: [...new Set(cases.map(({ suite }) => suite))], code };
}

test('the defaults of a profile are in force, unless a flag replaces them', async () => {
  const plain = await run();
  expect([plain.suites, plain.code]).toEqual([['models'], 3]);
  const other = await run('--suite', 'balance', '--reporter', 'json=b.json');
  expect([other.suites, existsSync(join(other.folder, 'a.json'))]).toEqual([['balance'], false]);
  const none = await run('--no-defaults', '--only', 'auth/good-key', '--reporter', 'json=b.json');
  expect([none.suites, none.code]).toEqual([['auth'], 0]);
});
