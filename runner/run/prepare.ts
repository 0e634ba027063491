import { pluralize } from '../../common/lists.ts';
import { type CombinationsOf, indexCombinations } from '../plan/choose-covering.ts';
import { type Estimate, estimate, type PlanSize } from '../plan/estimate.ts';
import type { Fuzz } from '../plan/generated/fuzz.ts';
import type { ModelTemplates } from '../plan/model-cases.ts';
import { type Plan, plan } from '../plan/plan.ts';
import {
  type BillableLimit,
  changesGateway,
  excludeUnsentCases,
  limitBillable,
  removeGatewayChanges,
  type SelectedPlan,
  type Selection,
} from '../plan/select.ts';
import { selectWithModels } from '../plan/select-models.ts';
import { type Profile, UsageError } from '../profile/profile.ts';
import type { GatewayPromise } from '../profile/promise.ts';
import { completeOptions, type EngineOptions, type RunOptions } from './options.ts';
import { validateOwnCases } from './own-cases.ts';

/** The planned cases of a run, before the first request. */
export type PreparedRun = SelectedPlan & {
  /** The plan before the selection. */
  readonly whole: Plan;
  readonly estimate: Estimate;
  /** The numbers of rounds and of burst requests on which the estimate is based. */
  readonly size: PlanSize;
  /**
   * The cases for each listed model; undefined without the option `models`. `estimate` does not include these cases.
   */
  readonly templates: ModelTemplates | undefined;
  readonly fuzz: Fuzz | undefined;
};

/**
 * Resolves to the plan of a run with these options, and the estimate of the plan. Rejects with a `UsageError` if an
 * option is invalid or matches nothing, if a scenario that the profile adds can't be sent, or if `maxBillable` is too low for the controls or, with `models`, for the
 * planned cases.
 */
export async function prepare(
  promise: GatewayPromise,
  given: RunOptions & Pick<EngineOptions, 'cases'>,
): Promise<PreparedRun> {
  const options = completeOptions(given);
  const { thorough, safe, perSecond, repeat, maxBillable, models, fuzz: count, seed = 0 } = options;
  const { profile } = promise;
  const all = plan(promise, { thorough });
  validateOwnCases(all.cases, promise);
  const derived = hasSetup(profile) || namesChanges(options, all) ? all : removeGatewayChanges(all);
  // The generator is loaded only if needed, because loading the generator is slow and few runs generate requests.
  const fuzz =
    count === undefined
      ? undefined
      : (await import('../plan/generated/fuzz.ts')).planFuzz(derived, { count, seed }, promise);
  const whole = fuzz?.plan ?? derived;
  let index: CombinationsOf | undefined;
  const combinationsOf: CombinationsOf = (id) => {
    index ??= indexCombinations(promise);
    return index(id);
  };
  const restraint = {
    safe,
    isRateLimited: perSecond !== undefined,
    isDivided: options.shard !== undefined,
  };
  const allowed = excludeUnsentCases(whole, restraint, combinationsOf);
  const asked = selectWithModels(allowed, options, {
    asksForModels: models !== undefined,
    fixtures: promise.fixtures,
  });
  validateSelection(options, asked, fuzz);
  const size = { burst: profile.rateLimit?.requests ?? 0, rounds: repeat };
  const limit = maxBillable !== undefined && { most: maxBillable, size, combinationsOf };
  if (limit && models) refuseAbove(limit, asked);
  const selected = limit ? limitBillable(asked, limit) : asked;
  return { ...selected, whole, estimate: estimate(selected.sent, size), size, fuzz };
}

function hasSetup({ setup, unset }: Profile): boolean {
  return Object.keys(setup.calls).length > 0 || unset.has('setup.createKey');
}

/**
 * Whether `suites`, or the beginning of a pattern in `only`, names a suite with cases that change keys or balances.
 */
function namesChanges({ suites, only }: Selection, { cases }: Plan): boolean {
  const changing = new Set(cases.filter(changesGateway).map(({ suite }) => suite));
  return [...suites, ...only.map((pattern) => pattern.split('/')[0] ?? '')].some((name) =>
    changing.has(name),
  );
}

/** Throws a `UsageError` if the plan exceeds the limit of billable calls even without the cases of listed models. */
function refuseAbove({ most, size }: BillableLimit, { sent }: SelectedPlan): void {
  const { billable } = estimate(sent, size);
  if (billable > most)
    throw new UsageError(
      `Even without the cases of listed models, this run would make ${pluralize(billable, 'call')} that may be billed, more than the limit of ${most}. Select fewer cases (--suite, --only, --safe), or raise --max-billable.`,
    );
}

/**
 * Throws a `UsageError` if the selection excludes all generated requests or all cases of listed models. Without
 * this error, the user could believe that the excluded requests conform.
 */
function validateSelection(
  selection: Selection,
  { plan, shard, templates }: ReturnType<typeof selectWithModels>,
  fuzz: Fuzz | undefined,
): void {
  // One part of a divided run may have no generated request, so the plan of the undivided run is checked.
  const ids = new Set(shard?.plan ?? plan.cases.map(({ id }) => id));
  if (fuzz && !fuzz.plan.cases.some(({ id, generatedRequest }) => generatedRequest && ids.has(id))) {
    throw new UsageError(
      `The selection contains no generated request. ${formatRemedy('--fuzz', 'fuzz', selection)}`,
    );
  }
  if (templates?.judged.length === 0) {
    throw new UsageError(
      `--models needs cases whose response depends on the model, such as those of the suite "requests", but the selection contains none. ${formatRemedy('--models', 'requests', selection)}`,
    );
  }
}

/**
 * Formats the remedy for a selection without cases of a suite that `flag` needs. A case must match both `--suite` and
 * `--only` if both are given.
 */
function formatRemedy(flag: string, suite: string, { suites, only }: Selection): string {
  const missing = [
    ...(suites.length > 0 && !suites.includes(suite) ? [`--suite ${suite}`] : []),
    ...(only.length > 0 && !only.some((pattern) => pattern.startsWith(`${suite}/`))
      ? [`--only '${suite}/*'`]
      : []),
  ];
  return missing.length > 0 ? `Add ${missing.join(' and ')}, or remove ${flag}.` : `Remove ${flag}.`;
}
