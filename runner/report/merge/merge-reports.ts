import { groupBy } from '../../../common/lists.ts';
import type { GatewayPromise } from '../../profile/promise.ts';
import { addDeviations } from '../deviations-report.ts';
import { withoutRepetitions } from '../diagnose.ts';
import type { CaseReport, ModelReport, ModelsReport, Observation, Report } from '../report.ts';
import { addCounts, summarize } from '../summarize.ts';
import { isPooled, mergePool } from './merge-pool.ts';
import { type NamedReport, validateCases, validateShards } from './validate-shards.ts';

export interface MergeContext {
  readonly tool: Report['tool'];
  readonly promise: GatewayPromise;
}

/**
 * Merges the reports of all shards into the report of an undivided run, without the effects of a baseline. Trusts the
 * results of each report, and checks only that the reports belong together. If a shard was stopped, the reason in the
 * merged report begins with the files of the shards that were stopped for this reason. Throws a `UsageError` if a
 * report or a planned case is missing or given twice, or if a report belongs to another run or another version.
 */
export function mergeReports(named: readonly NamedReport[], { tool, promise }: MergeContext): Report {
  const shards = validateShards(named, { tool, revision: promise.revision });
  validateCases(shards, (item) => isPooled(item, promise));
  const [{ report: first, shard }] = shards;
  const parts = nameStoppedShards(shards);
  const { plan } = shard;
  const position = new Map(plan.map((id, index) => [id, index]));
  const inOrder = (a: string, b: string): number => (position.get(a) ?? 0) - (position.get(b) ?? 0);
  const models = mergeModels(parts, promise);
  const places = new Map(models?.items.map(({ id }, index) => [id, index]));
  const ofModels = parts
    .flatMap((part) => part.cases.filter(({ model }) => model !== undefined))
    .map(withoutBaseline)
    .sort((a, b) => (places.get(a.model ?? '') ?? 0) - (places.get(b.model ?? '') ?? 0));
  const cases = [...mergeCases(parts, promise).sort((a, b) => inOrder(a.id, b.id)), ...ofModels];
  const observations = parts
    .flatMap((part) => part.observations)
    .sort((a, b) => rank(a) - rank(b) || (a.kind === 'open-point' ? inOrder(a.case, b.case) : 0));
  const sum = (count: (part: Report) => number): number =>
    parts.reduce((total, part) => total + count(part), 0);
  const reproductions = parts.flatMap((part) => part.reproductions ?? []);
  const whole = summarize(promise, cases, models);
  const deviations = addDeviations(parts.flatMap((part) => part.deviations ?? []));
  return {
    ...first,
    startedAt: parts.map((part) => part.startedAt).reduce((a, b) => (a < b ? a : b)),
    // The shards of a run normally run concurrently, so their durations are not added.
    durationMs: Math.max(...parts.map((part) => part.durationMs)),
    diagnosis: withoutRepetitions(parts.flatMap((part) => part.diagnosis)),
    stopped: stoppedOf(parts),
    shard: null,
    baseline: null,
    ...(deviations && { deviations }),
    requests: {
      requests: sum(({ requests }) => requests.requests),
      billable: sum(({ requests }) => requests.billable),
      badKeys: sum(({ requests }) => requests.badKeys),
      sent: sum(({ requests }) => requests.sent),
      billed: sum(({ requests }) => requests.billed ?? 0),
    },
    ...whole,
    suite: { ...whole.suite, isSelection: first.suite?.isSelection === true },
    cases,
    others: parts.flatMap((part) => part.others),
    observations,
    ...(reproductions.length > 0 && { reproductions }),
    ...(models && { models }),
  };
}

/**
 * Returns the reports of the shards. If a shard was stopped, the reason in its report begins with the files of all
 * shards that were stopped for this reason.
 */
export function nameStoppedShards(shards: readonly NamedReport[]): Report[] {
  return shards.map(({ report }) => {
    const { stopped, diagnosis, cases, models } = report;
    if (!stopped) return report;
    const files = shards
      .filter((other) => other.report.stopped?.reason === stopped.reason)
      .map(({ file }) => file)
      .join(', ');
    const reason = `${files}: ${stopped.reason}`;
    const withFiles = <T extends { readonly reason?: string }>(item: T): T =>
      item.reason === stopped.reason ? { ...item, reason } : item;
    return {
      ...report,
      stopped: { ...stopped, reason },
      diagnosis: diagnosis.map((item) => ({
        ...item,
        message: item.message.replace(stopped.reason, () => reason),
      })),
      cases: cases.map((item) => ({ ...item, checks: item.checks.map(withFiles) })),
      ...(models && { models: { ...models, notJudged: models.notJudged.map(withFiles) } }),
    };
  });
}

function mergeCases(parts: readonly Report[], promise: GatewayPromise): CaseReport[] {
  const all = parts
    .flatMap((part) => part.cases.filter(({ model }) => model === undefined))
    .map(withoutBaseline);
  const own = all.filter((item) => !isPooled(item, promise));
  const exchanges = [...own, ...parts.map(({ others }) => ({ exchanges: others }))].flatMap(
    (item) => item.exchanges,
  );
  const pools = groupBy(
    all.filter((item) => isPooled(item, promise)),
    ({ id }) => id,
  );
  const merged = pools.flatMap(([, [one, ...rest]]) =>
    one ? [mergePool([one, ...rest], exchanges, promise)] : [],
  );
  return [...own, ...merged];
}

function withoutBaseline(item: CaseReport): CaseReport {
  return { ...item, checks: item.checks.map(({ expected: _, ...rest }) => rest) };
}

function rank({ kind }: Observation): number {
  return kind === 'open-point' ? 0 : 1;
}

function stoppedOf(parts: readonly Report[]): Report['stopped'] {
  const stops = parts.flatMap(({ stopped }) => (stopped ? [stopped] : []));
  return stops.find(({ kind }) => kind === 'interrupted') ?? stops[0] ?? null;
}

/**
 * Merges the listed models of all shards. If a run has n shards, each shard has every n-th model. Returns undefined
 * if no report has models.
 */
function mergeModels(
  parts: readonly Report[],
  { requirements }: Pick<GatewayPromise, 'requirements'>,
): ModelsReport | undefined {
  const all = parts.flatMap(({ models }) => (models ? [models] : []));
  const [first] = all;
  if (!first) return undefined;
  const unread = all.find((models) => models.unread !== undefined)?.unread;
  const counts = new Map(
    groupBy(
      all.flatMap((models) => models.requirements),
      ({ id }) => id,
    ),
  );
  const reasons = groupBy(
    all.flatMap((models) => models.notJudged),
    ({ outcome, reason }) => `${outcome} ${reason}`,
  );
  return {
    patterns: first.patterns,
    listed: Math.max(...all.map(({ listed }) => listed)),
    ...(first.chosen !== undefined && { chosen: first.chosen }),
    ...(unread !== undefined && { unread }),
    items: interleave(all.map(({ items }) => items)).map(withoutExpected),
    requirements: requirements.flatMap(({ id }) => {
      const own = counts.get(id);
      return own ? [{ id, models: addCounts(own.map(({ models }) => models)) }] : [];
    }),
    notJudged: reasons
      .flatMap(([, [one, ...rest]]) =>
        one ? [{ ...one, count: [one, ...rest].reduce((sum, { count }) => sum + count, 0) }] : [],
      )
      .sort((a, b) => b.count - a.count),
  };
}

/** Merges lists in turn: the first items of all lists, then the second items, and so on. */
function interleave<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) =>
    lists.flatMap((list) => list.slice(index, index + 1)),
  ).flat();
}

function withoutExpected(item: ModelReport): ModelReport {
  return { ...item, broken: item.broken.map(({ expected: _, ...rest }) => rest) };
}
