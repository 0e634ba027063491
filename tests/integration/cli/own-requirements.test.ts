import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageRoot } from '../../../common/package-root.ts';
import { createReferenceServer, type ReferenceServer } from '../../../reference-server/index.ts';
import type { Report } from '../../../runner/report/report.ts';
import { createScratchFolder } from '../../support/command.ts';
import { runInProcess } from '../../support/in-process-command.ts';

const page = readFileSync(join(packageRoot, 'docs/own-requirements.md'), 'utf8');
/** The files of the example, by the name in their first line. */
const files = [...page.matchAll(/^```yaml\n# (\S+)\n(.*?)^```/gms)].map(([, name = '', text = '']) => ({
  name,
  text,
}));
/** The lines of the report on the page. */
const quoted = (/^\$ npx conformance run [^\n]*\n(.*?)⋮/ms.exec(page)?.[1] ?? '').trimEnd().split('\n');
const withoutNumbers = (text: string): string => text.replaceAll(/\d+/g, 'N');
const promised = { headers: { 'x-request-id': 'r-1' } };
const ids = ['ours/request-id', 'ours/models', 'ours/large-request'];

let server: ReferenceServer;
let cwd: string;
beforeAll(async () => {
  server = await createReferenceServer();
  cwd = createScratchFolder();
  for (const { name, text } of files) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    // A plan with fewer operations is sent faster.
    const more =
      name === 'conformance.yaml'
        ? 'operations: { responses: null, messages: null, generate: null, streamGenerate: null }\n'
        : '';
    writeFileSync(join(cwd, name), text + more);
  }
});
afterAll(() => server.close());

const command = (...args: string[]) =>
  runInProcess(args, {
    cwd,
    env: { GATEWAY_BASE_URL: server.url, GATEWAY_API_KEY: server.profile.keys.valid },
  });
async function run(...args: string[]) {
  const finished = await command('run', ...args, '--reporter', 'terminal', '--reporter', 'json=report.json');
  const report: Report = JSON.parse(readFileSync(join(cwd, 'report.json'), 'utf8'));
  const outcomeOf = (id: string) => report.requirements.find((item) => item.id === id)?.outcome;
  return { ...finished, report, outcomes: Object.fromEntries(ids.map((id) => [id, outcomeOf(id)])) };
}

test('the page has the three files of its example', () => {
  expect(files.map(({ name }) => name)).toEqual([
    'conformance.yaml',
    'ours/promises.yaml',
    'ours/scenarios/ours.yaml',
  ]);
});

describe('a gateway that keeps what it promises', () => {
  test('passes, and the report counts the own requirements', async () => {
    server.rules([
      // The reference gateway also has a model of its own.
      { match: { operation: 'models' }, change: { body: { '/data/12': { remove: true } } } },
      { change: promised },
    ]);
    const { code, report, outcomes } = await run('--only', 'ours/*');
    expect(outcomes).toEqual(Object.fromEntries(ids.map((id) => [id, 'conforms'])));
    expect(code).toBe(0);
    expect(report.spec.revision).toMatch(/^[0-9a-f]{12}\+[0-9a-f]{12}$/);
    expect(report.cases.map(({ id }) => id)).toEqual([
      'ours/large/operation=chat',
      'ours/large/operation=chat/streamed=true',
      'pooled/operation/operation=models',
      'pooled/run',
    ]);
  });
});

test.each([
  ['ours/request-id', { match: { not: { operation: 'models' } }, change: promised }, quoted],
  [
    'ours/large-request',
    { match: { operation: 'chat', size: { over: 100_000 }, key: 'valid' }, change: { status: 413 } },
    ['Limits: “A request can have up to one megabyte.”'],
  ],
  [
    'ours/models',
    { match: { operation: 'models' }, change: { body: { '/data/0/id': 'llama-4' } } },
    ['data.0.id must match pattern "^(gpt|claude|gemini)-", got "llama-4"', 'Models: “We offer the models'],
  ],
] as const)('a gateway that breaks %s: found, with the sentence and a curl line', async (id, rule, lines) => {
  server.rules(id === 'ours/request-id' ? [rule] : [rule, { change: promised }]);
  const { code, stdout, outcomes } = await run('--only', id);
  expect(outcomes[id]).toBe('violates');
  expect(code).toBe(1);
  for (const line of lines) expect(withoutNumbers(stdout)).toContain(withoutNumbers(line));
  expect(stdout).toMatch(/curl .*http:\/\/127\.0\.0\.1/);
});

describe('the other commands', () => {
  test('list and explain know the profile of the folder, or of --profile', async () => {
    const listed = await command('list', 'requirements', 'ours/*');
    expect(ids.filter((id) => listed.stdout.includes(id))).toEqual(ids);
    expect((await command('list', 'cases', 'ours/*')).stdout).toContain('ours/large/operation=chat\n');
    const elsewhere = (...args: string[]) => runInProcess(['explain', 'ours/request-id', ...args]);
    expect((await elsewhere('--profile', join(cwd, 'conformance.yaml'))).stdout).toContain('Support: “Every');
    expect((await elsewhere()).code).toBe(2);
  });

  test('merge needs the same profile as the shards', async () => {
    server.rules([{ change: promised }]);
    for (const shard of ['1/2', '2/2'])
      await command(
        ...['run', '--only', 'ours/large-request', '--shard', shard],
        ...['--reporter', `json=${shard.at(0)}.json`],
      );
    const merged = await command('merge', '1.json', '2.json', '--reporter', 'json=merged.json');
    expect(merged.code).toBe(0);
    const report: Report = JSON.parse(readFileSync(join(cwd, 'merged.json'), 'utf8'));
    expect(report.requirements.map(({ id, outcome }) => [id, outcome])).toEqual([
      ['ours/large-request', 'conforms'],
    ]);
    const other = await runInProcess(['merge', join(cwd, '1.json'), join(cwd, '2.json')]);
    expect(other.code).toBe(2);
    expect(other.stderr).toContain('--profile');
  });

  test('a baseline accepts a violation of an own requirement', async () => {
    server.rules([{ match: { size: { over: 100_000 } }, change: { status: 413 } }]);
    const flags = ['--only', 'ours/large-request', '--baseline', 'known.yaml'];
    writeFileSync(join(cwd, 'known.yaml'), 'violations: []\n');
    expect((await run(...flags, '--update-baseline')).code).toBe(0);
    expect(readFileSync(join(cwd, 'known.yaml'), 'utf8')).toContain('ours/large-request');
    expect((await run(...flags)).code).toBe(0);
    server.rules([{ change: promised }]);
    expect((await run(...flags)).code).toBe(1);
  });
});
