import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { combineSetups, createReferenceServer, faults } from '../../../reference-server/index.ts';
import type { Report } from '../../../runner/report/report.ts';
import { conformance, type FinishedCommand, scratch } from '../../support/command.ts';

// Lists models for half a key, in two cases, and gives all requests one trace id, which a `should` speaks of.
const ids = ['bad-key/beginning-is-enough-for-the-model-list', 'trace/one-for-all'];
const setups = ids.map((id) => faults.find((fault) => fault.id === id)?.setup() ?? {});
const bearer = 'auth/rejected-key/operation=models/header=bearer/key=truncated';
const other = 'auth/rejected-key/operation=models/header=x-api-key/key=truncated';

let server: Awaited<ReturnType<typeof serve>>;
const serve = () => createReferenceServer(combineSetups(setups));
beforeAll(async () => {
  server = await serve();
});
afterAll(() => server.close());

interface Held extends FinishedCommand {
  readonly report: Report;
  readonly folder: string;
  /** The baseline as it is after the run; undefined where there is none. */
  readonly after: string | undefined;
}

/** Runs against the faulty gateway, with a base URL and a key alone, and a baseline of these lines. */
async function hold(lines: readonly string[] | undefined, ...flags: readonly string[]): Promise<Held> {
  const folder = scratch();
  const file = join(folder, 'b.yaml');
  if (lines) writeFileSync(file, `${lines.join('\n')}\n`);
  const env = { GATEWAY_API_KEY: server.profile.keys.valid };
  const args = [
    'run',
    '--base-url',
    server.url,
    '--baseline',
    'b.yaml',
    '--reporter',
    'json=r.json',
    ...flags,
  ];
  const finished = await conformance(args, { cwd: folder, env });
  const report: Report = JSON.parse(readFileSync(join(folder, 'r.json'), 'utf8'));
  return { ...finished, report, folder, after: existsSync(file) ? readFileSync(file, 'utf8') : undefined };
}

const auth = ['--suite', 'auth'];
const both = [
  'violations:',
  '  - requirement: auth/bad-bearer-token',
  '    reason: JIRA-1',
  `  - case: ${other}`,
  '    reason: JIRA-2',
];

describe('a run with a baseline', () => {
  test('of all that is violated ends with 0 and says what was expected', async () => {
    const { code, stdout, report } = await hold(both, ...auth);
    expect(stdout).toContain('2 expected violations, as b.yaml expects');
    expect(stdout).toContain('≈ PASSED with 2 expected violations (baseline)');
    expect(stdout).not.toContain('✗');
    expect(report).toMatchObject({
      verdict: 'violates',
      baseline: { file: 'b.yaml', expected: 2, problems: [] },
    });
    expect(code).toBe(0);
  });
  test('that lacks a violation ends with 1 and shows that one alone', async () => {
    const { code, stdout } = await hold(both.slice(0, 3), ...auth);
    expect(stdout).toContain('✗ Requests with the first half of a key succeed on models');
    expect(stdout).not.toContain('auth/bad-bearer-token  must');
    expect(code).toBe(1);
  });
  test.each<[string, string[], string, number]>([
    [
      'that no longer applies',
      ['  - requirement: auth/missing-credential', '    reason: old'],
      'b.yaml:6: "auth/missing-credential" is no longer violated.',
      6,
    ],
    [
      'that matches nothing',
      ['  - requirement: auth/mising-credential', '    reason: old'],
      'Did you mean "auth/missing-credential"?',
      6,
    ],
    [
      'that is expired',
      ['  - requirement: auth/bad-*', '    reason: old', '    until: 2020-01-31'],
      'b.yaml:6: The entry for "auth/bad-*" expired after 2020-01-31 (old).',
      6,
    ],
  ])('with an entry %s ends with 1 and says so by line', async (_, entry, message, line) => {
    const { code, stdout, report } = await hold([...both, ...entry], ...auth);
    expect(stdout).toContain(message);
    expect(stdout).toContain('✗ STALE BASELINE');
    expect(report.baseline?.problems.map((problem) => problem.line)).toEqual([line]);
    expect(code).toBe(1);
  });
  test.each([[['--suite', 'streams']], [['--only', 'models/*']], [['--shard', '1/9', '--only', 'models/*']]])(
    'of cases that %j left out ends with 0',
    async (flags) => {
      const { code, report } = await hold(both, ...flags);
      expect(report.baseline).toEqual({ file: 'b.yaml', expected: 0, problems: [] });
      expect(code).toBe(0);
    },
  );
  test('of a warning is right with --strict-should and without', async () => {
    const lines = ['violations: [{ requirement: trace/distinct, reason: one for all }]'];
    const only = ['--only', 'trace/distinct'];
    expect((await hold(lines, ...only)).code).toBe(0);
    expect((await hold(lines, ...only, '--strict-should')).code).toBe(0);
    expect((await hold(['violations: []'], ...only, '--strict-should')).code).toBe(1);
  });
  test('goes on with --bail after what it expects', async () => {
    const { code, report } = await hold(both, ...auth, '--bail');
    expect(report.stopped).toBeNull();
    expect(code).toBe(0);
    expect((await hold(both.slice(0, 3), ...auth, '--bail')).report.stopped?.kind).toBe('bail');
  });
});

describe('a gate that all of these were judged', () => {
  const only = ['--only', 'auth/*deleted*', '--only', 'auth/no-key/operation=chat', '--strict'];
  const listed = [
    'notApplicable:',
    '  - case: auth/*/key=deleted',
    '    reason: our test build deletes no keys',
  ];
  test('ends with 0 where what was not is listed', async () => {
    const { code, report } = await hold(listed, ...only);
    expect(report.summary.cases.notApplicable).toBeGreaterThan(0);
    expect(code).toBe(0);
  });
  test('ends with 3 where it is not listed', async () => {
    const { code } = await hold(['notApplicable: []'], ...only);
    expect(code).toBe(3);
  });
  test('ends with 1 where something listed was judged', async () => {
    const { code, stdout } = await hold(
      ['notApplicable:', '  - requirement: auth/missing-credential', '    reason: old'],
      ...auth,
    );
    expect(stdout).toMatch(/b\.yaml:2: "auth\/missing-credential" was judged\./);
    expect(code).toBe(1);
  });
});

describe('--update-baseline', () => {
  test('writes what fails, so that the same run passes', async () => {
    const { code, stderr, after } = await hold(undefined, ...auth, '--update-baseline');
    expect(stderr).toContain('Updated b.yaml: 2 added, 0 removed.');
    expect(after).toContain(`  - requirement: auth/bad-bearer-token\n    case: ${bearer}\n    reason: "TODO`);
    expect(code).toBe(0);
    expect((await hold(after?.split('\n'), ...auth)).code).toBe(0);
  });
  test('keeps reasons and comments, and takes out what no longer applies', async () => {
    const lines = [
      '# at our place',
      'violations:',
      '  - requirement: auth/missing-credential',
      '    reason: old',
      '  - requirement: auth/bad-* # soon',
      '    reason: JIRA-1',
      '    until: 2999-12-31',
    ];
    const { code, stderr, after } = await hold(lines, ...auth, '--update-baseline');
    expect(stderr).toContain('Updated b.yaml: 0 added, 1 removed.');
    expect(after).toBe(`${[...lines.slice(0, 2), ...lines.slice(4)].join('\n')}\n`);
    expect(code).toBe(0);
  });
  test('leaves a file alone that is right', async () => {
    const lines = ['violations:', '    -   {requirement:   auth/bad-*,   reason: x}'];
    const { stderr, after } = await hold(lines, ...auth, '--update-baseline');
    expect(stderr).toContain('b.yaml is up to date.');
    expect(after).toBe(`${lines.join('\n')}\n`);
  });
  test('writes nothing where the key is refused everywhere', async () => {
    const wrong = ['--key', 'sk-No-Key-Of-This-Gateway-0000'];
    const { code, stderr, after } = await hold(undefined, ...wrong, '--update-baseline');
    expect(stderr).toContain('b.yaml was not updated');
    expect(after).toBeUndefined();
    expect(code).toBe(3);
    const anything = ['inconclusive:', '  - requirement: "*"', '    reason: JIRA-3'];
    const accepted = await hold(anything, ...wrong);
    expect(accepted.stdout).toContain('? INCONCLUSIVE');
    expect(accepted.code).toBe(3);
  });
  test('writes nothing where the gateway gives no answer, or the run is interrupted', async () => {
    const folder = scratch();
    const args = ['run', '--baseline', 'b.yaml', '--update-baseline', '--base-url'];
    const env = { GATEWAY_API_KEY: 'sk-any-key-0000' };
    const unreachable = await conformance([...args, 'http://127.0.0.1:9'], { cwd: folder, env });
    expect(unreachable.stderr).toContain('b.yaml was not updated');
    expect(unreachable.code).toBe(3);
    const slow = createServer((_, outgoing) => void setTimeout(() => outgoing.writeHead(200).end('{}'), 150));
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
    const { port } = slow.address() as AddressInfo;
    const interruptWhen = /about \d+ requests/;
    const interrupted = await conformance([...args, `http://127.0.0.1:${port}`], {
      cwd: folder,
      env,
      interruptWhen,
    });
    slow.close();
    expect(interrupted.stderr).toContain('b.yaml was not updated');
    expect(interrupted.code).toBe(130);
    expect(existsSync(join(folder, 'b.yaml'))).toBe(false);
  });
  test('that cannot be written ends with 4', async () => {
    const { code, stderr } = await conformance(
      ['run', ...auth, '--baseline', '/dev/null/b.yaml', '--update-baseline'],
      {},
    );
    expect(stderr).toContain('The baseline could not be written to /dev/null/b.yaml');
    expect(code).toBe(4);
  });
});

test.each<[string, string | undefined, string[], RegExp]>([
  ['is not there', undefined, ['--baseline', 'b.yaml'], /b\.yaml: the file does not exist/],
  [
    'is not of its form',
    'violatons: []\n',
    ['--baseline', 'b.yaml'],
    /b\.yaml:1: unknown property "violatons"\. Did you mean "violations"\?/,
  ],
  [
    'is to be written, and not named',
    undefined,
    ['--update-baseline'],
    /--update-baseline needs the file to write/,
  ],
])('a baseline that %s ends with 2 before anything is sent', async (_, text, flags, message) => {
  const folder = scratch();
  if (text !== undefined) writeFileSync(join(folder, 'b.yaml'), text);
  const { code, stdout, stderr } = await conformance(['run', ...flags], { cwd: folder });
  expect(stderr).toMatch(message);
  expect(stderr).not.toContain('about');
  expect(stdout).toBe('');
  expect(code).toBe(2);
});
