import { keyOf } from '../baseline/apply-baseline.ts';
import { type Judged, obligationsOfModels } from '../baseline/model-entries.ts';
import type { Outcome } from '../judge/outcome.ts';
import { exitCodes } from '../report/exit-code.ts';
import type { ObligationReport, Report } from '../report/report.ts';

/** What of a report is compared. */
export type Compared = Judged &
  Pick<Report, 'tool' | 'spec' | 'target' | 'shard' | 'stopped' | 'verdict' | 'startedAt'>;

/** How the outcome of a requirement in a case can change from one report to the next, the worst first. */
export const changes = [
  'newly-violated',
  'violated-not-judged-before',
  'no-longer-judged',
  'newly-warned',
  'found-otherwise',
  'newly-kept',
  'newly-judged',
  'added',
  'removed',
] as const;
export type Change = (typeof changes)[number];

/** A requirement of which the same became in some cases. */
export interface RequirementChange {
  readonly change: Change;
  readonly requirement: string;
  readonly cases: readonly string[];
  /** What was found, or why it wasn't judged, in the first of the cases; undefined where there is nothing to say. */
  readonly was: string | undefined;
  readonly is: string | undefined;
}

/** What changed between two reports. */
export interface ReportDiff {
  readonly was: Pick<Report, 'verdict' | 'startedAt'>;
  readonly is: Pick<Report, 'verdict' | 'startedAt'>;
  /** In what else than the gateway the two differ, so that their outcomes may differ for that reason. */
  readonly caveats: readonly string[];
  /** The worst first, then in the order of the reports. */
  readonly changes: readonly RequirementChange[];
}

/** What changed from one report to the next, for each requirement in each of its cases. */
export function diffReports(was: Compared, is: Compared): ReportDiff {
  const sameTool = was.tool.version === is.tool.version && was.spec.revision === is.spec.revision;
  const before = obligationsOf(was, [is]);
  const now = obligationsOf(is, [was]);
  const found = new Map<string, RequirementChange & { readonly cases: string[] }>();
  for (const key of new Set([...now.keys(), ...before.keys()])) {
    const [old, present] = [before.get(key), now.get(key)];
    const change = changeOf(old?.obligation, present?.obligation, sameTool);
    const some = present ?? old;
    if (change === undefined || some === undefined) continue;
    const { requirement } = some.obligation;
    const entry = found.get(`${change} ${requirement}`) ?? {
      change,
      requirement,
      cases: [],
      was: formatDifference(old?.obligation),
      is: formatDifference(present?.obligation),
    };
    entry.cases.push(some.id);
    found.set(`${change} ${requirement}`, entry);
  }
  const order = [...found.values()].sort((a, b) => changes.indexOf(a.change) - changes.indexOf(b.change));
  return {
    was: { verdict: was.verdict, startedAt: was.startedAt },
    is: { verdict: is.verdict, startedAt: is.startedAt },
    caveats: caveatsOf(was, is),
    changes: order,
  };
}

/**
 * The exit code of a comparison: 1 if something got worse, 3 if it can't be told, because a check was judged in one report only.
 */
export function diffCode({ changes }: ReportDiff): number {
  const has = (kind: Change): boolean => changes.some(({ change }) => change === kind);
  if (has('newly-violated')) return exitCodes.violated;
  const undecided = has('violated-not-judged-before') || has('no-longer-judged');
  return undecided ? exitCodes.notJudged : exitCodes.conforms;
}

/** What became of a requirement in a case. */
export interface Placed {
  readonly id: string;
  readonly obligation: ObligationReport;
}

/**
 * Each requirement in a case of a report, by its key; of listed models, which have more cases than a report shows, in all
 * cases of a model that broke it in this report or in one of the others.
 */
export function obligationsOf(report: Judged, others: readonly Judged[]): Map<string, Placed> {
  const own = report.cases
    .filter(({ model }) => model === undefined)
    .flatMap(({ id, obligations }) => obligations.map((obligation) => ({ id, obligation })));
  return new Map(
    [...own, ...obligationsOfModels(report, others)].map((placed) => [
      keyOf({ requirement: placed.obligation.requirement, case: placed.id }),
      placed,
    ]),
  );
}

/**
 * What became of an obligation; undefined where nothing did. With the same tool, what is in one report alone was left
 * out of the other, and so wasn't judged in it.
 */
export function changeOf(
  old: ObligationReport | undefined,
  present: ObligationReport | undefined,
  sameTool: boolean,
): Change | undefined {
  const [was, is] = [old?.outcome, present?.outcome];
  if (is === 'violates' && was !== 'violates')
    return isJudged(was) ? 'newly-violated' : 'violated-not-judged-before';
  if (is === undefined && !sameTool) return 'removed';
  if (was === undefined && !sameTool) return is === 'warns' ? 'newly-warned' : 'added';
  if (isJudged(was) && !isJudged(is)) return 'no-longer-judged';
  if (is === 'warns' && was !== 'warns') return 'newly-warned';
  if (is === 'conforms') {
    if (was === 'conforms') return undefined;
    return isJudged(was) ? 'newly-kept' : 'newly-judged';
  }
  return isJudged(is) && kindsOf(old) !== kindsOf(present) ? 'found-otherwise' : undefined;
}

/** Whether it could be said that something is kept or not. */
export function isJudged(outcome: Outcome | undefined): boolean {
  return outcome !== undefined && outcome !== 'inconclusive' && outcome !== 'not-applicable';
}

/** Of what kinds the findings of an obligation are. */
export function kindsOf(obligation: ObligationReport | undefined): string {
  return [...new Set(obligation?.findings.map(({ finding }) => finding.kind))].sort().join();
}

/** What was found, or why it wasn't judged; undefined where there is nothing to say. */
export function formatDifference(obligation: ObligationReport | undefined): string | undefined {
  if (!obligation) return undefined;
  const messages = [...new Set(obligation.findings.map(({ message }) => message))];
  return messages.length > 0 ? messages.join('; ') : obligation.reason;
}

function caveatsOf(was: Compared, is: Compared): string[] {
  const shown: readonly [string, (report: Compared) => string][] = [
    ['tool', ({ tool }) => `${tool.name} ${tool.version}`],
    ['requirements', ({ spec }) => `revision ${spec.revision}`],
    ['gateway', ({ target }) => target.baseUrl],
    ['part of the run', ({ shard }) => (shard ? `shard ${shard.index}/${shard.of}` : 'all')],
    ['end of the run', ({ stopped }) => stopped?.reason ?? 'when all was sent'],
  ];
  return shown.flatMap(([what, of]) =>
    of(was) === of(is) ? [] : [`Not the same ${what}: ${of(was)} before, ${of(is)} now.`],
  );
}
