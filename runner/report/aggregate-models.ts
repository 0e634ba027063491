import type { Catalog } from '../catalog/catalog.ts';
import type { RepeatedCase } from '../judge/merge-rounds.ts';
import { findWorstOutcome, isFailed, type Outcome } from '../judge/outcome.ts';
import { caseReport, unsteady } from './case-report.ts';
import type { DescribeContext } from './describe-exchange.ts';
import type { Counts } from './models-report.ts';
import { redactAll, redactRest } from './redaction/redact.ts';
import type { CaseReport, ModelReport, ModelsReport, Observation } from './report.ts';
import { addCounts, countOutcomes } from './summarize.ts';

/** What became of a model, as it is taken in. */
export interface ModelCases {
  /** Its place among the models. */
  readonly index: number;
  readonly id: string;
  readonly operations: readonly string[];
  readonly own: readonly string[];
  readonly cases: readonly RepeatedCase[];
}

/** What stays of the cases of many models. */
export interface FoldedModels {
  readonly report: ModelsReport;
  /** The first of those that were not kept, in order. */
  readonly cases: readonly CaseReport[];
  readonly unsteady: readonly Observation[];
}

/** Takes in one model after the other, in any order, in memory that grows with their number and not with their cases'. */
export interface ModelFold {
  readonly take: (model: ModelCases) => void;
  readonly close: (of: Pick<ModelsReport, 'patterns' | 'listed' | 'chosen' | 'unread'>) => FoldedModels;
}

/** So many cases have their evidence, for each requirement and kind of finding. */
const shownWithEvidence = 10;
/** So many more are named, with what was found. */
const namedOnly = 1_000;
const mostReasons = 100;
const mostUnsteady = 100;

type Reason = ModelsReport['notJudged'][number];

/** A case that is kept, where it stands in the report. */
interface Kept {
  readonly place: Place;
  readonly report: CaseReport;
}

/** A fold of no models. */
export function makeModelAggregate(
  catalog: Pick<Catalog, 'requirements'>,
  describing: DescribeContext,
): ModelFold {
  const items = new Map<number, ModelReport>();
  const requirements = new Map<string, Counts>();
  const reasons = new Map<string, Reason>();
  const evidence = new Map<string, First<Kept>>();
  const named = makeFirstN<Kept>(namedOnly);
  const shaky = makeFirstN<Observation>(mostUnsteady);

  return {
    take({ index, id, operations, own, cases }) {
      const known = cases.map(withoutIdle);
      const outcomes = new Map<string, Outcome[]>();
      for (const [number, item] of known.entries()) {
        for (const { check: obligation, verdict } of item.checks) {
          const own = outcomes.get(obligation.requirement.id) ?? [];
          outcomes.set(obligation.requirement.id, [...own, verdict.outcome]);
        }
        tellReasons(item);
        keep(item, id, [index, number]);
        for (const [at, observation] of unsteady(item.exchanges).entries())
          shaky.add([index, number, at], observation);
      }
      for (const [requirement, all] of outcomes) {
        const before = requirements.get(requirement) ?? countOutcomes([]);
        requirements.set(
          requirement,
          addCounts([before, countOutcomes([{ outcome: findWorstOutcome(all) }])]),
        );
      }
      items.set(index, {
        id,
        operations,
        own,
        cases: countOutcomes(known),
        broken: [...outcomes].flatMap(([requirement, all]) => broken(requirement, all)),
      });
    },
    close: (of) => ({
      report: redactAll(
        {
          ...of,
          items: [...items].sort(([a], [b]) => a - b).map(([, item]) => item),
          requirements: catalog.requirements.flatMap(({ id }) => {
            const own = requirements.get(id);
            return own ? [{ id, models: own }] : [];
          }),
          notJudged: [...reasons.values()].sort((a, b) => b.count - a.count),
        },
        redactRest(describing.redact),
      ),
      cases: keptCases(),
      unsteady: shaky.items(),
    }),
  };

  function tellReasons({ checks: obligations }: RepeatedCase): void {
    for (const { verdict } of obligations) {
      const { outcome, reason = '', add } = verdict;
      if (outcome !== 'inconclusive' && outcome !== 'not-applicable') continue;
      const hasRoom = reasons.has(`${outcome} ${reason}`) || reasons.size < mostReasons;
      const shown = hasRoom ? reason : otherReasons;
      const key = `${outcome} ${shown}`;
      const count = (reasons.get(key)?.count ?? 0) + 1;
      reasons.set(key, { outcome, reason: shown, ...(hasRoom && add !== undefined && { add }), count });
    }
  }

  function keep(item: RepeatedCase, model: string, place: Place): void {
    if (item.exchanges.length === 0 || !isTelling(item.outcome)) return;
    const keys = new Set(item.checks.flatMap(keysOf));
    const open = [...keys].map((key) => {
      const first = evidence.get(key) ?? makeFirstN<Kept>(shownWithEvidence);
      evidence.set(key, first);
      return first;
    });
    const wanting = open.filter((first) => first.hasRoom(place));
    if (wanting.length > 0) {
      const report = { ...caseReport(item, describing), model };
      for (const first of wanting) first.add(place, { place, report });
    }
    if (named.hasRoom(place)) {
      const report = { ...caseReport({ ...item, exchanges: [] }, describing), model };
      named.add(place, { place, report });
    }
  }

  function keptCases(): CaseReport[] {
    const all = new Map<string, Kept>();
    for (const kept of [...named.items(), ...[...evidence.values()].flatMap((first) => first.items())])
      all.set(kept.report.id, kept);
    return [...all.values()].sort((a, b) => compare(a.place, b.place)).map(({ report }) => report);
  }
}

const otherReasons = 'Other reasons.';

/** A pooled case of one model is about what its exchanges had an occasion for; of the rest, the gateway's own tells. */
function withoutIdle(item: RepeatedCase): RepeatedCase {
  if (!item.planned.pool) return item;
  const spoken = item.checks.filter(({ verdict }) => verdict.outcome !== 'not-applicable');
  return { ...item, checks: spoken.length > 0 ? spoken : item.checks.slice(0, 1) };
}

function isTelling(outcome: Outcome): boolean {
  return isFailed(outcome) || outcome === 'inconclusive';
}

/** What cases are told apart by that are as good an example as one another. */
function keysOf({ check: obligation, verdict }: RepeatedCase['checks'][number]): string[] {
  if (!isTelling(verdict.outcome)) return [];
  const kinds = new Set(verdict.findings.map(({ finding }) => finding.kind));
  return (kinds.size > 0 ? [...kinds] : ['none']).map(
    (kind) => `${obligation.requirement.id} ${verdict.outcome} ${kind}`,
  );
}

function broken(requirement: string, outcomes: readonly Outcome[]): ModelReport['broken'][number][] {
  const outcome = findWorstOutcome(outcomes);
  if (!isFailed(outcome)) return [];
  return [{ requirement, outcome, cases: outcomes.filter((one) => one === outcome).length }];
}

/** A place in an order: the first numbers that differ decide. */
export type Place = readonly number[];

/** Keeps the first so many of what comes in no order, by the place of each. */
export interface First<T> {
  /** Whether what has this place would be kept as things are. */
  readonly hasRoom: (place: Place) => boolean;
  readonly add: (place: Place, item: T) => void;
  /** In order. */
  readonly items: () => T[];
}

/** Keeps the first `most`, whenever they come. */
export function makeFirstN<T>(most: number): First<T> {
  const kept: { readonly place: Place; readonly item: T }[] = [];
  const hasRoom = (place: Place): boolean => {
    const last = kept.at(-1);
    return kept.length < most || (last !== undefined && compare(place, last.place) < 0);
  };
  return {
    hasRoom,
    add(place, item) {
      if (!hasRoom(place)) return;
      const after = kept.findIndex((other) => compare(place, other.place) < 0);
      kept.splice(after < 0 ? kept.length : after, 0, { place, item });
      if (kept.length > most) kept.pop();
    },
    items: () => kept.map(({ item }) => item),
  };
}

/** Below zero where the first of two places comes first. */
export function compare(one: Place, other: Place): number {
  for (const [index, number] of one.entries()) {
    const difference = number - (other[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
