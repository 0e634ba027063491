import type { RepeatedCase } from '../judge/merge-rounds.ts';
import { isFailed, type Outcome } from '../judge/outcome.ts';
import { createResults, type Results } from '../judge/results.ts';
import { severityOfCheck } from '../judge/severity.ts';
import type { GatewayPromise } from '../profile/promise.ts';
import { buildCaseReport, findUnsteadyRequests } from './case-report.ts';
import type { DescribeContext } from './describe-exchange.ts';
import { redactAll, redactRest } from './redaction/redact.ts';
import type { CaseReport, ModelReport, ModelsReport, Observation } from './report.ts';
import type { Counts } from './report-sections.ts';
import { addCounts, countOutcomes } from './summarize.ts';

/** A model to test with its judged cases, or several models with the same cases to which no request was sent. */
export interface ModelCases<Operation extends string = string> {
  /** The IDs, and the indexes among all models to test. */
  readonly models: readonly { readonly index: number; readonly id: string }[];
  /** The operations that were tested with the model. */
  readonly operations: readonly Operation[];
  /** The operations that the cases of the suites call with this model. These operations are not tested again. */
  readonly own: readonly Operation[];
  readonly cases: readonly RepeatedCase[];
}

export interface AggregatedModels {
  readonly report: ModelsReport;
  /** The failed, warned and inconclusive cases that the report contains, in the order of the models. */
  readonly cases: readonly CaseReport[];
  /** At most 100 observations of the kind `unstable`. Keys in these observations are not redacted. */
  readonly unsteady: readonly Observation[];
}

/**
 * Aggregates the results of models, one model after another. The number of models determines the use of memory. The
 * number of cases does not affect the use of memory.
 */
export interface ModelAggregate {
  /** Adds the results. The order of the calls does not affect which cases are kept. */
  readonly take: (model: ModelCases) => void;
  /** Returns the results of all added models. Keys are redacted, except in `unsteady`. */
  readonly close: (
    selection: Pick<ModelsReport, 'patterns' | 'listed' | 'chosen' | 'unread'>,
  ) => AggregatedModels;
}

/** The maximum number of cases with exchanges for each requirement, outcome and kind of finding. */
const maxWithExchanges = 10;
/** The maximum number of cases without exchanges. */
const maxWithoutExchanges = 1_000;
const maxReasons = 100;
const maxUnsteady = 100;

type Reason = ModelsReport['notJudged'][number];

interface KeptCase {
  readonly position: Position;
  readonly report: CaseReport;
}

/** Returns an empty aggregate. `describing` contains the redaction and the settings for curl lines. */
export function createModelAggregate(
  promise: Pick<GatewayPromise, 'requirements'>,
  describing: DescribeContext,
): ModelAggregate {
  const items = new Map<number, ModelReport>();
  const requirements = new Map<string, Counts>();
  const reasons = new Map<string, Reason>();
  const evidence = new Map<string, FirstItems<KeptCase>>();
  const named = createFirstItems<KeptCase>(maxWithoutExchanges);
  const unsteadyItems = createFirstItems<Observation>(maxUnsteady);

  return {
    take({ models, operations, own, cases }) {
      const known = cases.map(withoutUnmatched);
      const results = new Map<string, Results<never>>();
      for (const [number, item] of known.entries()) {
        for (const { check, verdict } of item.checks) {
          const own = results.get(check.requirement.id) ?? createResults('worst');
          own.add({ ...verdict, findings: [] }, (finding) => finding);
          results.set(check.requirement.id, own);
        }
        countReasons(item, models.length);
        const unsteady = findUnsteadyRequests(item.exchanges);
        for (const { index, id } of item.exchanges.length > 0 ? models : []) {
          keep(item, id, [index, number]);
          for (const [at, observation] of unsteady.entries())
            unsteadyItems.add([index, number, at], observation);
        }
      }
      for (const [requirement, own] of results) {
        const before = requirements.get(requirement) ?? countOutcomes([]);
        const { outcome } = own.sum();
        requirements.set(requirement, addCounts([before, countOutcomes(models.map(() => ({ outcome })))]));
      }
      const counts = countOutcomes(known);
      const broken = [...results].flatMap(([requirement, own]) => failureOf(requirement, own));
      for (const { index, id } of models) items.set(index, { id, operations, own, cases: counts, broken });
    },
    close: (selection) => ({
      report: redactAll(
        {
          ...selection,
          items: [...items].sort(([a], [b]) => a - b).map(([, item]) => item),
          requirements: promise.requirements.flatMap(({ id }) => {
            const own = requirements.get(id);
            return own ? [{ id, models: own }] : [];
          }),
          notJudged: [...reasons.values()].sort((a, b) => b.count - a.count),
        },
        redactRest(describing.redact),
      ),
      cases: listKeptCases(),
      unsteady: unsteadyItems.items(),
    }),
  };

  function countReasons({ checks }: RepeatedCase, times: number): void {
    for (const { verdict } of checks) {
      const { outcome, reason = '', add, dependsOn } = verdict;
      if (outcome !== 'inconclusive' && outcome !== 'not-applicable') continue;
      const hasRoom = reasons.has(`${outcome} ${reason}`) || reasons.size < maxReasons;
      const shown = hasRoom ? reason : otherReasons;
      const key = `${outcome} ${shown}`;
      const count = (reasons.get(key)?.count ?? 0) + times;
      const details = { ...(add !== undefined && { add }), ...(dependsOn !== undefined && { dependsOn }) };
      reasons.set(key, { outcome, reason: shown, ...(hasRoom && details), count });
    }
  }

  function keep(item: RepeatedCase, model: string, position: Position): void {
    if (!isFailedOrInconclusive(item.outcome)) return;
    const keys = new Set(item.checks.flatMap(keysOf));
    const open = [...keys].map((key) => {
      const first = evidence.get(key) ?? createFirstItems<KeptCase>(maxWithExchanges);
      evidence.set(key, first);
      return first;
    });
    const withRoom = open.filter((first) => first.hasRoom(position));
    if (withRoom.length > 0) {
      const report = { ...buildCaseReport(item, describing), model };
      for (const first of withRoom) first.add(position, { position, report });
    }
    if (named.hasRoom(position)) {
      const report = { ...buildCaseReport(item, describing, { showsExchanges: false }), model };
      named.add(position, { position, report });
    }
  }

  function listKeptCases(): CaseReport[] {
    const all = new Map<string, KeptCase>();
    for (const kept of [...named.items(), ...[...evidence.values()].flatMap((first) => first.items())])
      all.set(kept.report.id, kept);
    return [...all.values()]
      .sort((a, b) => comparePositions(a.position, b.position))
      .map(({ report }) => report);
  }
}

const otherReasons = 'Other reasons.';

/**
 * Removes the checks that are not applicable from a pooled case of one model. If no check is applicable, keeps only
 * the first check.
 */
function withoutUnmatched(item: RepeatedCase): RepeatedCase {
  if (!item.planned.pool) return item;
  const applicable = item.checks.filter(({ verdict }) => verdict.outcome !== 'not-applicable');
  return { ...item, checks: applicable.length > 0 ? applicable : item.checks.slice(0, 1) };
}

function isFailedOrInconclusive(outcome: Outcome): boolean {
  return isFailed(outcome) || outcome === 'inconclusive';
}

/**
 * Returns a key for each kind of finding of a failed, warned or inconclusive check, or one key if the check has no
 * findings. Checks with the same key are equally good examples. Returns an empty list for any other check.
 */
function keysOf({ check, verdict }: RepeatedCase['checks'][number]): string[] {
  if (!isFailedOrInconclusive(verdict.outcome)) return [];
  const kinds = new Set(verdict.findings.map(({ finding }) => finding.kind));
  return (kinds.size > 0 ? [...kinds] : ['none']).map(
    (kind) => `${check.requirement.id} ${verdict.outcome} ${kind}`,
  );
}

function failureOf(requirement: string, results: Results<never>): ModelReport['broken'][number][] {
  const sum = results.sum();
  const { outcome } = sum;
  if (!isFailed(outcome)) return [];
  return [{ requirement, outcome, cases: results.count(outcome), severity: severityOfCheck(sum) }];
}

/** The position of an item in a sorted collection. Positions are compared number by number. */
export type Position = readonly number[];

/**
 * A collection that keeps only the items with the lowest positions. The order in which items are added does not
 * matter.
 */
export interface FirstItems<T> {
  /** Whether an item at the position would be kept. */
  readonly hasRoom: (position: Position) => boolean;
  readonly add: (position: Position, item: T) => void;
  /** Returns the kept items in the order of their positions. */
  readonly items: () => T[];
}

/** Returns an empty collection that keeps at most `most` items. */
export function createFirstItems<T>(most: number): FirstItems<T> {
  const kept: { readonly position: Position; readonly item: T }[] = [];
  const hasRoom = (position: Position): boolean => {
    const last = kept.at(-1);
    return kept.length < most || (last !== undefined && comparePositions(position, last.position) < 0);
  };
  return {
    hasRoom,
    add(position, item) {
      if (!hasRoom(position)) return;
      const after = kept.findIndex((other) => comparePositions(position, other.position) < 0);
      kept.splice(after < 0 ? kept.length : after, 0, { position, item });
      if (kept.length > most) kept.pop();
    },
    items: () => kept.map(({ item }) => item),
  };
}

/**
 * Compares two positions of the same length. The result is negative if `one` comes first, positive if `other` comes
 * first, and 0 if the positions are equal.
 */
export function comparePositions(one: Position, other: Position): number {
  for (const [index, number] of one.entries()) {
    const difference = number - (other[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
