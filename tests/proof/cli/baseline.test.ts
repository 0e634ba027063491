import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { combineSetups, createReferenceServer, faults } from '../../../reference-server/index.ts';
import type { Report } from '../../../runner/report/report.ts';
import { conformance, createScratchFolder, type FinishedCommand } from '../../support/command.ts';
import { runInProcess } from '../../support/in-process-command.ts';

// The gateway accepts half a key on the model list, in two cases, and sends the same trace ID in all responses, which
// violates a `should`.
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

interface FinishedRun extends FinishedCommand {
  readonly report: Report;
  readonly folder: string;
  /** The text of the baseline after the run, or undefined if the file does not exist. */
  readonly after: string | undefined;
}

/** Runs against the faulty gateway with a base URL, a key and a baseline with these lines. */
async function runWithBaseline(
  lines: readonly string[] | undefined,
  ...flags: readonly string[]
): Promise<FinishedRun> {
  const folder = createScratchFolder();
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
  const finished = await runInProcess(args, { cwd: folder, env });
  const report: Report = JSON.parse(readFileSync(join(folder, 'r.json'), 'utf8'));
  return { ...finished, report, folder, after: existsSync(file) ? readFileSync(file, 'utf8') : undefined };
}

const auth = ['--only', 'auth/*operation=models*', '--only', 'auth/missing-credential'];
const both = [
  'violations:',
  '  - requirement: auth/bad-bearer-token',
  '    severity: unauthorized-access',
  `    case: ${bearer}`,
  '    reason: JIRA-1',
  `  - case: ${other}`,
  '    severity: unauthorized-access',
  '    reason: JIRA-2',
];

describe('a run with a baseline', () => {
  test('exits with 0 if all violations are expected, and prints their number', async () => {
    const { code, stdout, report } = await runWithBaseline(both, ...auth);
    expect(stdout).toContain('≈ Expected  2 violations, listed in b.yaml');
    expect(stdout).toContain('≈ PASSED with 2 expected violations (baseline)');
    expect(stdout).not.toContain('✗');
    expect(report).toMatchObject({
      verdict: 'violates',
      baseline: { file: 'b.yaml', expected: 2, problems: [] },
    });
    expect(code).toBe(0);
  });
  test('exits with 1 if a violation is not expected, and prints only this violation', async () => {
    const { code, stdout } = await runWithBaseline(both.slice(0, 5), ...auth);
    expect(stdout).toContain('✗ The first half of a key is accepted on `models`');
    expect(stdout).not.toContain('auth/bad-bearer-token  must');
    expect(code).toBe(1);
  });
  test.each<[string, string[], string, number]>([
    [
      'that no longer applies',
      ['  - requirement: auth/missing-credential', '    severity: wrong-type', '    reason: old'],
      'b.yaml:9: "auth/missing-credential" is no longer violated.',
      9,
    ],
    [
      'that matches nothing',
      ['  - requirement: auth/mising-credential', '    severity: wrong-type', '    reason: old'],
      'Did you mean "auth/missing-credential"?',
      9,
    ],
    [
      'that is expired',
      ['  - requirement: auth/bad-*', '    severity: wrong-type', '    reason: old', '    until: 2020-01-31'],
      'b.yaml:9: The entry for "auth/bad-*" expired after 2020-01-31 (old).',
      9,
    ],
  ])(
    'exits with 1 if the baseline has an entry %s, and reports the line of the entry',
    async (_, entry, message, line) => {
      const { code, stdout, report } = await runWithBaseline([...both, ...entry], ...auth);
      expect(stdout).toContain(message);
      expect(stdout).toContain('✗ STALE BASELINE');
      expect(report.baseline?.problems.map((problem) => problem.line)).toEqual([line]);
      expect(code).toBe(1);
    },
  );
  test.each([
    [['--suite', 'streams']],
    [['--only', 'models/unlisted/*']],
    [['--shard', '1/9', '--only', 'models/*']],
  ])('exits with 0 if its entries apply only to cases that %j leaves out', async (flags) => {
    const { code, report } = await runWithBaseline(both, ...flags);
    expect(report.baseline).toEqual({ file: 'b.yaml', expected: 0, problems: [] });
    expect(code).toBe(0);
  });
  test('accepts a warning with and without --strict-should', async () => {
    const lines = [
      'violations: [{ requirement: trace/distinct, severity: recommendation, reason: one for all }]',
    ];
    // A shard sends only a part of the requests.
    const only = ['--shard', '1/20', '--only', 'trace/distinct'];
    expect((await runWithBaseline(lines, ...only)).code).toBe(0);
    expect((await runWithBaseline(lines, ...only, '--strict-should')).code).toBe(0);
    expect((await runWithBaseline(['violations: []'], ...only, '--strict-should')).code).toBe(1);
  });
  test('continues with --bail after an expected violation', async () => {
    const { code, report } = await runWithBaseline(both, ...auth, '--bail');
    expect(report.stopped).toBeNull();
    expect(code).toBe(0);
    expect((await runWithBaseline(both.slice(0, 5), ...auth, '--bail')).report.stopped?.kind).toBe('bail');
  });
});

describe('--strict with a baseline', () => {
  const only = ['--only', 'auth/*deleted*', '--only', 'auth/no-key/operation=chat', '--strict'];
  const listed = ['notApplicable:', '  - case: auth/*deleted*', '    reason: our test build deletes no keys'];
  test('exits with 0 if all checks that are not applicable are listed', async () => {
    const { code, report } = await runWithBaseline(listed, ...only);
    expect(report.summary.cases.notApplicable).toBeGreaterThan(0);
    expect(code).toBe(0);
  });
  test('exits with 3 if checks that are not applicable are not listed', async () => {
    const { code } = await runWithBaseline(['notApplicable: []'], ...only);
    expect(code).toBe(3);
  });
  test('exits with 1 if a listed check was judged', async () => {
    const { code, stdout } = await runWithBaseline(
      ['notApplicable:', '  - requirement: auth/missing-credential', '    reason: old'],
      ...auth,
    );
    expect(stdout).toMatch(/b\.yaml:2: "auth\/missing-credential" is applicable now and was judged\./);
    expect(code).toBe(1);
  });
});

describe('--update-baseline', () => {
  test('writes the violations, so that the same run passes', async () => {
    const { code, stderr, after } = await runWithBaseline(undefined, ...auth, '--update-baseline');
    expect(stderr).toContain('Updated b.yaml: 2 added, 0 removed.');
    expect(after).toContain(
      `  - requirement: auth/bad-bearer-token\n    severity: unauthorized-access\n    case: ${bearer}\n    reason: "TODO`,
    );
    expect(code).toBe(0);
    expect((await runWithBaseline(after?.split('\n'), ...auth)).code).toBe(0);
  });
  test('keeps reasons and comments, and removes stale entries', async () => {
    const lines = [
      '# at our place',
      'violations:',
      '  - requirement: auth/missing-credential',
      '    severity: wrong-type',
      '    reason: old',
      '  - requirement: auth/bad-* # soon',
      '    severity: unauthorized-access',
      '    case:',
      `      - ${bearer}`,
      `      - ${other}`,
      '    reason: JIRA-1',
      '    until: 2999-12-31',
    ];
    const { code, stderr, after } = await runWithBaseline(lines, ...auth, '--update-baseline');
    expect(stderr).toContain('Updated b.yaml: 0 added, 1 removed.');
    expect(after).toBe(`${[...lines.slice(0, 2), ...lines.slice(5)].join('\n')}\n`);
    expect(code).toBe(0);
  });
  test('does not change a file that is up to date', async () => {
    const lines = [
      'violations:',
      `    -   {case:   [${bearer},   ${other}], severity: unauthorized-access,  reason: x}`,
    ];
    const { stderr, after } = await runWithBaseline(lines, ...auth, '--update-baseline');
    expect(stderr).toContain('b.yaml is up to date.');
    expect(after).toBe(`${lines.join('\n')}\n`);
  });
  test('writes nothing if the key is refused everywhere', async () => {
    const wrong = ['--key', 'sk-No-Key-Of-This-Gateway-0000'];
    const { code, stderr, after } = await runWithBaseline(undefined, ...wrong, '--update-baseline');
    expect(stderr).toContain('b.yaml was not updated');
    expect(after).toBeUndefined();
    expect(code).toBe(3);
    const anything = ['inconclusive:', '  - requirement: "*"', '    reason: JIRA-3'];
    const accepted = await runWithBaseline(anything, ...wrong);
    expect(accepted.stdout).toContain('? INCONCLUSIVE');
    expect(accepted.code).toBe(3);
  });
  test('writes nothing if the gateway does not respond or the run is interrupted', async () => {
    const folder = createScratchFolder();
    const args = ['run', '--baseline', 'b.yaml', '--update-baseline', '--base-url'];
    const env = { GATEWAY_API_KEY: 'sk-any-key-0000' };
    const unreachable = await runInProcess([...args, 'http://127.0.0.1:9'], { cwd: folder, env });
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
  test('exits with 4 if the file cannot be written', async () => {
    const { code, stderr } = await runInProcess(
      ['run', ...auth, '--baseline', '/dev/null/b.yaml', '--update-baseline'],
      {},
    );
    expect(stderr).toContain('The baseline could not be written to "/dev/null/b.yaml"');
    expect(code).toBe(4);
  });
});

test.each<[string, string | undefined, string[], RegExp]>([
  [
    'does not exist',
    undefined,
    ['--baseline', 'b.yaml'],
    /b\.yaml: the file does not exist\. Check the path, or create the file with --update-baseline\./,
  ],
  [
    'has an unknown member',
    'violatons: []\n',
    ['--baseline', 'b.yaml'],
    /b\.yaml:1: unknown property "violatons"\. Did you mean "violations"\?/,
  ],
  [
    'must be written but is not named',
    undefined,
    ['--update-baseline'],
    /--update-baseline needs a file to update/,
  ],
])('the command exits with 2 and sends nothing for a baseline that %s', async (_, text, flags, message) => {
  const folder = createScratchFolder();
  if (text !== undefined) writeFileSync(join(folder, 'b.yaml'), text);
  const { code, stdout, stderr } = await runInProcess(['run', ...flags], { cwd: folder });
  expect(stderr).toMatch(message);
  expect(stderr).not.toContain('about');
  expect(stdout).toBe('');
  expect(code).toBe(2);
});
