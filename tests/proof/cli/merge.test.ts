import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { packageInfo } from '../../../common/package-info.ts';
import { createReferenceGateway } from '../../../reference-server/create-reference-gateway.ts';
import { combineSetups, faults } from '../../../reference-server/index.ts';
import { type Catalog, catalogOfPackage } from '../../../runner/catalog/catalog.ts';
import { defaultRetryPolicy } from '../../../runner/exchange/retry-policy.ts';
import type { FuzzOptions } from '../../../runner/plan/generated/fuzz.ts';
import type { Shard } from '../../../runner/plan/select.ts';
import { createEverythingProfile } from '../../../runner/profile/everything-profile.ts';
import { createPromise } from '../../../runner/profile/promise.ts';
import { parseProfile } from '../../../runner/profile/read-profile.ts';
import { mergeReports } from '../../../runner/report/merge/merge-reports.ts';
import type { NamedReport } from '../../../runner/report/merge/validate-shards.ts';
import type { CaseReport, ExchangeReport, Report } from '../../../runner/report/report.ts';
import { countOutcomes } from '../../../runner/report/summarize.ts';
import type { EngineOptions } from '../../../runner/run/options.ts';
import { runSuite } from '../../../runner/run/run.ts';
import { createScratchFolder } from '../../support/command.ts';
import { createInProcessTransport } from '../../support/gateways/in-process.ts';
import { runInProcess } from '../../support/in-process-command.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await catalogOfPackage();
});

interface JudgeOptions {
  /** The faults of the gateway. */
  readonly ids?: readonly string[];
  readonly bare?: boolean;
  readonly shard?: Shard;
  readonly only?: readonly string[];
  readonly repeat?: number;
  readonly fuzz?: FuzzOptions;
  readonly stopAfter?: EngineOptions['stopAfter'];
}

// A gateway in this process recovers immediately or never.
const retryPolicy = { ...defaultRetryPolicy, firstPauseMs: 2 };

/** Returns the report of a run against a new gateway in this process, after a conversion to JSON and back. */
async function judge({
  ids = [],
  bare = false,
  shard,
  only = [],
  repeat = 1,
  fuzz,
  stopAfter,
}: JudgeOptions): Promise<Report> {
  const setups = ids.map((id) => faults.find((fault) => fault.id === id)?.setup());
  const { gateway, profileAt } = createReferenceGateway(combineSetups(setups.map((setup) => setup ?? {})));
  const { baseUrl, keys, ...rest } = profileAt('http://127.0.0.1');
  const profile = { baseUrl, ...(bare ? { keys: { valid: keys.valid } } : { ...rest, keys }) };
  const report = await runSuite(createPromise(catalog, parseProfile(profile, catalog)), {
    only,
    shard,
    repeat,
    fuzz: fuzz?.count,
    seed: fuzz?.seed,
    retryPolicy,
    ...(stopAfter && { stopAfter }),
    transport: createInProcessTransport(gateway),
  });
  return JSON.parse(JSON.stringify(report));
}

function shardsOf(judging: JudgeOptions): Promise<NamedReport[]> {
  return Promise.all(
    [1, 2, 3].map(async (index) => ({
      file: `${index}.json`,
      report: await judge({ ...judging, shard: { index, of: 3 } }),
    })),
  );
}

const merge = (named: readonly NamedReport[]): Report =>
  mergeReports(named, {
    tool: packageInfo,
    promise: createPromise(catalog, createEverythingProfile(catalog)),
  });

/**
 * Returns the properties that must be equal in a merged report and in the report of an undivided run. A shard sends no
 * text for which a firewall may block the address of the other shards.
 */
function comparableMembers({
  verdict,
  suite,
  requirements: allRequirements,
  cases: allCases,
  rounds,
  observations,
  diagnosis,
}: Report): unknown {
  const cases = allCases.filter(
    ({ checks }) => !checks.some(({ requirement }) => isForFirewalls(requirement)),
  );
  const kept = new Set(cases.map(({ id }) => id));
  const requirements = allRequirements
    .filter(({ id }) => !isForFirewalls(id))
    .map((item) => ({ ...item, cases: item.cases.filter((id) => kept.has(id)) }));
  return {
    verdict,
    suite,
    summary: { cases: countOutcomes(cases), requirements: countOutcomes(requirements) },
    planned: allCases.length,
    requirements,
    rounds,
    diagnosis,
    cases: cases.map(({ id, outcome, outcomes, checks }) => ({
      id,
      outcome,
      outcomes,
      checks: checks.map(({ findings, ...rest }) => ({
        ...rest,
        kinds: findings[0]?.finding.kind,
      })),
    })),
    observed: observations.map((item) => `${item.kind} ${item.case}`),
  };
}

const isForFirewalls = (requirement: string): boolean => requirement.startsWith('chat/markup');

describe('the merged reports of three shards are equal to the report of an undivided run', () => {
  test.each<[string, JudgeOptions]>([
    ['of a conforming gateway', {}],
    [
      'of a run with only a base URL and a key',
      { bare: true, only: ['auth/*operation=chat*', 'models/unlisted/*'] },
    ],
    [
      'with several kinds of violations',
      {
        ids: ['chat-body/later-messages-unchecked', 'error-field/type-empty'],
        only: ['requests/*operation=chat*', 'models/unlisted/*'],
      },
    ],
    [
      'with the same trace id in all responses',
      { ids: ['trace/one-for-all', 'good-key/x-api-key-refused-in-family-c'] },
    ],
    [
      'with a member missing from every error',
      { ids: ['trace/id-missing'], only: ['models/unlisted/*', 'models/image/*'] },
    ],
    ['limited to some requirements', { ids: ['trace/one-for-all'], only: ['auth/bad-*', 'trace/*'] }],
    [
      'in two rounds',
      { ids: ['auth-answer/headers-unified-to-bearer'], bare: true, only: ['auth/*'], repeat: 2 },
    ],
  ])('%s', async (_, judging) => {
    const [undivided, [first, second, third]] = await Promise.all([judge(judging), shardsOf(judging)]);
    if (!first || !second || !third) throw new Error('Not all shards were run.');
    const merged = merge([second, third, first]);
    expect(comparableMembers(merged)).toEqual(comparableMembers(undivided));
    expect(catalog.schemas.problems('report', JSON.parse(JSON.stringify(merged)))).toEqual([]);
    expect(merged.shard).toBeNull();
  });
});

describe('merge', () => {
  let parts: readonly NamedReport[];
  beforeAll(async () => {
    parts = await shardsOf({});
  });

  const change = (index: number, how: (report: Report) => Report): NamedReport[] =>
    parts.map((item, at) => (at === index ? { ...item, report: how(item.report) } : item));

  test('finds a trace id that two shards share', () => {
    const idOf = (report: Report | undefined): string =>
      report?.cases.find(({ suite }) => suite === 'requests')?.exchanges[0]?.traceId ?? '';
    const stolen = idOf(parts[0]?.report);
    expect(stolen).not.toBe('');
    const own = idOf(parts[1]?.report);
    const replaced = (exchange: ExchangeReport): ExchangeReport =>
      JSON.parse(JSON.stringify(exchange).replaceAll(own, stolen));
    const merged = merge(
      change(1, (report) => ({
        ...report,
        cases: report.cases.map((item) => ({ ...item, exchanges: item.exchanges.map(replaced) })),
      })),
    );
    expect(parts.map(({ report }) => report.summary.requirements.warns)).toEqual([0, 0, 0]);
    expect(merged.summary.requirements.warns).toBe(1);
    const found = merged.cases.at(-1)?.checks.find(({ requirement }) => requirement === 'trace/distinct');
    expect(found?.findings).toMatchObject([{ finding: { kind: 'repeats', value: stolen, times: 2 } }]);
    expect(merged.cases.at(-1)?.exchanges.map(({ traceId }) => traceId)).toEqual([stolen]);
  });

  test('adds up requests, and takes the first start and the longest duration', () => {
    const merged = merge(parts);
    const sent = parts.map(({ report }) => report.requests.sent);
    expect(merged.requests.sent).toBe(sent.reduce((a, b) => a + b));
    expect(merged.startedAt).toBe(parts.map(({ report }) => report.startedAt).sort()[0]);
    expect(merged.durationMs).toBe(Math.max(...parts.map(({ report }) => report.durationMs)));
  });

  test('ignores what a baseline changed in a report', () => {
    const changed = change(0, (report) => ({
      ...report,
      baseline: { file: 'b', expected: 1, problems: [] },
      cases: report.cases.map((item) => ({
        ...item,
        checks: item.checks.map((check) => ({ ...check, expected: 'r' })),
      })),
    }));
    expect(merge(changed).baseline).toBeNull();
    expect(JSON.stringify(merge(changed))).not.toContain('"expected":"r"');
  });

  test('is stopped if shards were stopped, and an interruption takes precedence', () => {
    const stopped = merge([
      ...change(0, (report) => ({ ...report, stopped: { kind: 'time', reason: 'a' } })).slice(0, 1),
      ...change(2, (report) => ({ ...report, stopped: { kind: 'interrupted', reason: 'b' } })).slice(1),
    ]);
    expect(stopped.stopped).toEqual({ kind: 'interrupted', reason: '3.json: b' });
  });

  const shard =
    (more: Partial<NonNullable<Report['shard']>>) =>
    (report: Report): Report => ({
      ...report,
      shard: report.shard && { ...report.shard, ...more },
    });
  test.each<[string, () => NamedReport[], string]>([
    ['one is missing', () => parts.slice(1), 'The report of shard 1/3 is missing.'],
    ['two are missing', () => parts.slice(2), 'The reports of shards 1/3, 2/3 are missing.'],
    [
      'one is given twice',
      () => change(2, shard({ index: 2 })),
      '2.json and 3.json are both reports of shard 2/3.',
    ],
    [
      'one has another number of shards',
      () => change(2, shard({ of: 4 })),
      'the number of shards is 3 in the first report and 4 in the second report',
    ],
    [
      'one is from an undivided run',
      () => change(0, (report) => ({ ...report, shard: null })),
      '1.json is not the report of a shard',
    ],
    [
      'one is from another gateway',
      () => change(1, (report) => ({ ...report, target: { baseUrl: 'https://x.example' } })),
      'https://x.example in the second',
    ],
    [
      'one has more rounds',
      () => change(1, (report) => ({ ...report, rounds: 2 })),
      'rounds (--repeat) is 1 in the first report and 2 in',
    ],
    ['one had other cases', () => change(1, shard({ plan: [] })), 'their plans differ'],
    [
      'one is from another version',
      () => change(1, (report) => ({ ...report, tool: { ...report.tool, version: '9.9.9' } })),
      '2.json was written by version 9.9.9',
    ],
    [
      'one has other requirements',
      () => change(1, (report) => ({ ...report, spec: { ...report.spec, revision: 'other' } })),
      'with revision other of the requirements',
    ],
  ])('refuses reports if %s', (_, named, message) => {
    expect(() => merge(named())).toThrow(message);
  });

  const changeCases = (
    index: number,
    how: (cases: readonly CaseReport[]) => readonly CaseReport[],
  ): NamedReport[] => change(index, (report) => ({ ...report, cases: how(report.cases) }));
  /** The first case of the second report that is pooled or not. */
  const someCase = (pooled: boolean): CaseReport => {
    const found = parts[1]?.report.cases.find(({ suite }) => (suite === 'pooled') === pooled);
    if (!found) throw new Error('The report has no such case.');
    return found;
  };
  const without = (id: string) => (cases: readonly CaseReport[]) => cases.filter((item) => item.id !== id);
  test.each<[string, () => NamedReport[], string | RegExp]>([
    [
      'a case is missing',
      () => changeCases(1, without(someCase(false).id)),
      /^The reports have (\d+) of the \d+ cases of the run\./,
    ],
    [
      'a part of a pooled case is missing',
      () => changeCases(1, without(someCase(true).id)),
      /^The reports have (\d+) of the \d+ cases of the run\./,
    ],
    [
      'most cases are missing',
      () => changeCases(1, () => []),
      /^The reports have \d+ of the \d+ cases of the run\./,
    ],
    [
      'a case is in two of them',
      () => changeCases(2, (cases) => [...cases, someCase(false)]),
      'occurs twice: in 2.json and 3.json.',
    ],
    [
      'a case is twice in one',
      () => changeCases(1, (cases) => [...cases, someCase(true)]),
      'occurs twice: in 1.json and 2.json and 2.json',
    ],
  ])('refuses reports if %s', (_, named, message) => {
    expect(() => merge(named())).toThrow(message);
  });

  test('merges shards that were stopped early, whose other cases are inconclusive', async () => {
    const stopped = await Promise.all(
      [1, 2].map(async (index) => ({
        file: `${index}.json`,
        report: await judge({
          only: ['auth/*operation=chat*'],
          shard: { index, of: 2 },
          stopAfter: () => index === 1,
        }),
      })),
    );
    const merged = merge(stopped);
    expect(merged.verdict).toBe('inconclusive');
    expect(merged.stopped?.reason).toMatch(/^1\.json: /);
    expect(merged.summary.cases.planned).toBe(stopped[0]?.report.shard?.judged);
  });

  test('writes a report, applies a baseline, and exits like a run', async () => {
    const folder = createScratchFolder();
    const files = parts.map(({ file, report }) => {
      writeFileSync(join(folder, file), JSON.stringify(report));
      return file;
    });
    writeFileSync(
      join(folder, 'b.yaml'),
      'violations:\n  - requirement: auth/bad-bearer-token\n    severity: wrong-type\n    reason: old\n',
    );
    const plain = await runInProcess(['merge', ...files, '--reporter', 'json=m.json'], { cwd: folder });
    expect(plain).toMatchObject({ code: 0, stdout: expect.stringContaining('✓ CONFORMS') });
    expect(JSON.parse(readFileSync(join(folder, 'm.json'), 'utf8'))).toMatchObject({ shard: null });
    const judged = await runInProcess(['merge', ...files, '--baseline', 'b.yaml'], { cwd: folder });
    expect(judged.stdout).toContain('b.yaml:2: "auth/bad-bearer-token" is no longer violated.');
    expect(judged.code).toBe(1);
  });

  test('with generated cases, still reports an entry that is no longer violated', async () => {
    const folder = createScratchFolder();
    const shards = await shardsOf({
      only: ['auth/bad-bearer-token'],
      fuzz: { count: 60, seed: 1 },
    });
    for (const { file, report } of shards) writeFileSync(join(folder, file), JSON.stringify(report));
    const entries =
      'violations:\n  - requirement: auth/bad-bearer-token\n    severity: wrong-type\n    reason: old\n  - requirement: auth/bad-bearer-token\n    severity: wrong-type\n    case: fuzz/*\n    reason: old\n';
    writeFileSync(join(folder, 'b.yaml'), entries);
    const files = shards.map(({ file }) => file);
    const judged = await runInProcess(['merge', ...files, '--baseline', 'b.yaml'], { cwd: folder });
    expect(judged.stdout).toContain('b.yaml:2: "auth/bad-bearer-token" is no longer violated.');
    expect(judged.stdout).toMatch(/b\.yaml:5: .* is no longer violated\./);
    expect(judged.code).toBe(1);
  });
});

test.each([
  ['that does not exist', undefined, /r\.json: the file does not exist\./],
  ['that is not JSON', 'plain', /r\.json: the file is not valid JSON\./],
  [
    'that is JSON but not a report',
    '{"schemaVersion":1}',
    /r\.json: the file is not a JSON report of this version: the top level has no member "\w+"\./,
  ],
])('merge and diff exit with 2 for a file %s', async (_, text, message) => {
  const folder = createScratchFolder();
  if (text !== undefined) writeFileSync(join(folder, 'r.json'), text);
  for (const args of [
    ['merge', 'r.json'],
    ['diff', 'r.json', 'r.json'],
  ]) {
    const { code, stdout, stderr } = await runInProcess(args, { cwd: folder });
    expect(stderr).toMatch(message);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  }
});
