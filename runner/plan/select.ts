import { compileGlob } from '../../common/glob.ts';
import { pluralize } from '../../common/lists.ts';
import { findNearestName } from '../../common/nearest.ts';
import { UsageError } from '../profile/profile.ts';
import { type CombinationsOf, chooseCovering } from './choose-covering.ts';
import { estimate, isBadKey, isBillable, isBurst, type PlanSize } from './estimate.ts';
import { type Check, hasChecks, type Plan, type PlannedCase } from './plan.ts';

/** The cases to which a run is limited. A case must match `suites`, `only` and `cases`. */
export interface Selection {
  /** The names of suites. If empty, every suite matches. */
  readonly suites: readonly string[];
  /** Patterns of case IDs and requirement IDs, in which `*` matches any text. If empty, every case matches. */
  readonly only: readonly string[];
  /** The IDs of the cases, for example of those that failed before. Unknown IDs are ignored. Default: all cases. */
  readonly cases?: readonly string[] | undefined;
  /** The part of a divided run. Default: all cases. */
  readonly shard?: Shard | undefined;
}

/** One part of a divided run. */
export interface Shard {
  /** The number of this part, from 1 to `of`. */
  readonly index: number;
  /** The number of parts. */
  readonly of: number;
}

/** A part of a divided run, with the plan of the undivided run. */
export interface DividedShard extends Shard {
  /** The IDs of all cases of the undivided run, in the order of the plan. */
  readonly plan: readonly string[];
  /** The number of these cases that are judged; the others only observe. */
  readonly judged: number;
  /** The selected suites of the undivided run; absent from reports of older versions. */
  readonly suites?: readonly string[];
  /** The patterns of the undivided run; absent from reports of older versions. */
  readonly only?: readonly string[];
}

/**
 * The cases to judge (`plan`), and the cases to send (`sent`): the selected cases, the controls, and the cases that
 * selected pooled cases judge.
 */
export interface SelectedPlan {
  readonly plan: Plan;
  readonly sent: readonly PlannedCase[];
  readonly shard: DividedShard | undefined;
}

/**
 * Limits a plan to suites, patterns, cases and a shard. The controls are always sent. If a pooled case is selected, all
 * cases that the pooled case judges are sent: the cases of its operation, or all cases. Each shard sends only its
 * part of the cases, but every shard judges the pooled cases. Throws a `UsageError` if a suite or a pattern matches
 * nothing.
 */
export function select(plan: Plan, { suites, only, cases, shard }: Selection): SelectedPlan {
  const known = [...new Set(plan.cases.map((item) => item.suite))];
  for (const suite of suites) {
    if (!known.includes(suite))
      throw new UsageError(
        `Unknown suite "${suite}". ${hint(suite, known, 'Run `conformance list suites` to see the suites.')}`,
      );
  }
  const matchers = only.map((pattern) => ({ pattern, test: compileGlob(pattern) }));
  const ids = only.length === 0 ? [] : listIds(plan);
  for (const { pattern, test } of matchers) {
    if (!ids.some(test))
      throw new UsageError(
        `No case or requirement matches "${pattern}". ${hint(pattern, ids, 'Run `conformance list cases` to see the cases, or `conformance list` to see the requirements.')}`,
      );
  }
  const listed = cases && new Set(cases);
  const chosen = plan.cases
    .filter(({ id }) => listed?.has(id) ?? true)
    .filter((item) => suites.length === 0 || suites.includes(item.suite))
    .flatMap((item) =>
      matchers.length === 0 ? [item] : narrow(item, (id) => matchers.some(({ test }) => test(id))),
    );
  const part = new Set(partOf(shard, withPools(chosen, plan)).map((item) => item.id));
  return {
    plan: { cases: chosen.filter((item) => part.has(item.id)) },
    sent: plan.cases.filter((item) => item.phase === 'controls' || part.has(item.id)),
    shard: shard && {
      ...shard,
      suites,
      only,
      plan: chosen.map((item) => item.id),
      judged: chosen.filter(hasChecks).length,
    },
  };
}

function listIds({ cases }: Plan): readonly string[] {
  const requirements = cases.flatMap(({ checks }) => checks.map(({ requirement }) => requirement.id));
  return [...new Set(requirements), ...cases.map(({ id }) => id)];
}

/** Adds the cases whose exchanges the selected pooled cases judge: the cases of their operations, or all cases. */
function withPools(chosen: readonly PlannedCase[], { cases }: Plan): readonly PlannedCase[] {
  const operations = new Set<string | undefined>(
    chosen.flatMap(({ pool }) => (pool ? [pool.operation] : [])),
  );
  if (operations.size === 0) return chosen;
  if (operations.has(undefined)) return cases;
  const ids = new Set(chosen.map(({ id }) => id));
  return cases.filter(
    ({ id, steps }) => ids.has(id) || steps.some(({ attributes }) => operations.has(attributes.operation)),
  );
}

function partOf(shard: Shard | undefined, cases: readonly PlannedCase[]): readonly PlannedCase[] {
  if (!shard) return cases;
  // Pooled cases are at the end of the list, and therefore do not affect which cases a shard gets.
  return cases.filter((item, index) => item.pool || index % shard.of === shard.index - 1);
}

/**
 * Returns the case if its ID matches. Otherwise, returns the case with only the matching checks, or an empty list if no
 * check matches.
 */
function narrow(item: PlannedCase, test: (id: string) => boolean): PlannedCase[] {
  if (test(item.id)) return [item];
  const checks = item.checks.filter(({ requirement }: Check) => test(requirement.id));
  return checks.length === 0 ? [] : [{ ...item, checks, observes: [] }];
}

function hint(name: string, known: readonly string[], remedy: string): string {
  const found = findNearestName(name, known);
  return found === undefined ? remedy : `Did you mean "${found}"?`;
}

/** Whether a case changes keys or balances of the gateway. */
export function changesGateway({ steps }: PlannedCase): boolean {
  return steps.some(({ before }) => before);
}

/**
 * Returns the plan without the cases that change keys or balances. A run has such cases only if the profile contains
 * `setup`, or if the selection names their suite.
 */
export function removeGatewayChanges({ cases }: Plan): Plan {
  return { cases: cases.filter((item) => !changesGateway(item)) };
}

/** The properties of a run that determine which cases the run must not send. */
export interface Restraint {
  /**
   * Whether the run is safe. A safe run sends no billable calls except the controls, no burst, and at most one wrong
   * key to each operation. A safe run does not use `setup`.
   */
  readonly safe: boolean;
  /**
   * Whether the request rate of the run is limited, so that a burst cannot exceed the rate limit of the gateway.
   */
  readonly isRateLimited: boolean;
  /** Whether the run is divided. The parts may call the same account concurrently. */
  readonly isDivided: boolean;
}

/**
 * Returns the plan with each case that the run must not send marked as not applicable. The report still counts these
 * cases. A safe run sends at most one case with a wrong key for each operation: the case that covers the most
 * requirements and combinations.
 */
export function excludeUnsentCases(
  plan: Plan,
  { safe, isRateLimited, isDivided }: Restraint,
  combinationsOf: CombinationsOf,
): Plan {
  const reasonFor = (item: PlannedCase): string | undefined => {
    if (item.notApplicable) return undefined;
    if ((isRateLimited || safe) && isBurst(item)) return 'A run with a limited request rate sends no burst.';
    if (safe && item.phase === 'lifecycle')
      return 'A safe run does not use `setup`, which creates and deletes keys and changes balances.';
    if (isDivided && item.steps.some(({ before }) => before?.action === 'drain'))
      return 'A shard of a run does not drain a balance that other shards use.';
    if (isDivided && item.phase === 'firewall')
      return 'A shard of a run sends no text for which a firewall may block the address of other shards.';
    if (safe && item.phase !== 'controls' && item.steps.some(({ attributes }) => isBillable(attributes)))
      return 'A safe run sends no billed calls except the controls.';
    return undefined;
  };
  const allowed = exclude(plan.cases, reasonFor);
  if (!safe) return { cases: allowed };
  const isWrong = (item: PlannedCase): boolean =>
    !item.notApplicable && item.steps.some(({ attributes }) => isBadKey(attributes));
  const tried = new Set<string | undefined>();
  const kept = chooseCovering(
    allowed.filter((item) => isWrong(item) && item.steps.length === 1 && !item.generatedRequest),
    allowed.filter((item) => !item.notApplicable && !isWrong(item)),
    combinationsOf,
    {
      costOf: () => 1,
      fits: ({ attributes }) => !tried.has(attributes.operation),
      take: ({ attributes }) => tried.add(attributes.operation),
    },
  );
  return {
    cases: exclude(allowed, (item) =>
      isWrong(item) && !kept.has(item) ? 'A safe run sends only one wrong key to each operation.' : undefined,
    ),
  };
}

/**
 * Limits the number of calls that may be billed, without retries, to `most`. Keeps the controls, the cases without
 * such calls, and the cases that cover the most requirements and combinations. Marks all other cases as not
 * applicable. Changes nothing if the plan is within the limit. Throws a `UsageError` if the controls exceed the
 * limit.
 */
export function limitBillable<T extends SelectedPlan>(
  selected: T,
  { most, size, combinationsOf }: BillableLimit,
): T {
  const costOf = (item: PlannedCase): number => estimate([item], size).billable;
  const total = estimate(selected.sent, size).billable;
  if (total <= most) return selected;
  const judged = new Map(selected.plan.cases.map((item) => [item.id, item]));
  // A case that is sent only because a pooled case judges its responses has no checks of its own.
  const sent = selected.sent.map((item) => judged.get(item.id) ?? { ...item, checks: [] });
  const optional = sent.filter((item) => item.phase !== 'controls' && costOf(item) > 0);
  let left = most - total + optional.reduce((sum, item) => sum + costOf(item), 0);
  if (left < 0)
    throw new UsageError(
      `The controls of this run make ${pluralize(most - left, 'call')} that may be billed, more than the limit of ${most}. Raise --max-billable to ${most - left} or more${total > most - left ? `, or to ${total} for all cases` : ''}.`,
    );
  const others = sent.filter((item) => !item.notApplicable && !optional.includes(item));
  const kept = chooseCovering(optional, others, combinationsOf, {
    costOf,
    fits: (item) => costOf(item) <= left,
    take: (item) => {
      left -= costOf(item);
    },
  });
  const dropped = new Set(optional.filter((item) => !kept.has(item)).map(({ id }) => id));
  const reason = `Other cases use up the limit of ${pluralize(most, 'billable call')}. To send all cases, raise --max-billable to ${total}.`;
  const limit = (cases: readonly PlannedCase[]): PlannedCase[] =>
    exclude(cases, ({ id }) => (dropped.has(id) ? reason : undefined));
  return { ...selected, plan: { cases: limit(selected.plan.cases) }, sent: limit(selected.sent) };
}

/** The maximum number of calls that may be billed (`most`), and the data for choosing the cases within this limit. */
export interface BillableLimit {
  readonly most: number;
  readonly size: PlanSize;
  readonly combinationsOf: CombinationsOf;
}

function exclude(
  cases: readonly PlannedCase[],
  reasonFor: (item: PlannedCase) => string | undefined,
): PlannedCase[] {
  return cases.map((item) => {
    const reason = reasonFor(item);
    return reason === undefined ? item : { ...item, notApplicable: { reason, add: undefined } };
  });
}
