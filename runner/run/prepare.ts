import type { Catalog } from '../catalog/catalog.ts';
import type { DrawFuzz, Fuzz } from '../fuzz/fuzz.ts';
import { type Estimate, estimate, type PlanSize } from '../plan/estimate.ts';
import type { ModelTemplates } from '../plan/model-cases.ts';
import { type Plan, plan } from '../plan/plan.ts';
import { type Restraint, restrain, type SelectedPlan, type Selection } from '../plan/select.ts';
import { selectWithModels } from '../plan/select-models.ts';
import { type Profile, UsageError } from '../profile/profile.ts';

/** What is planned for a gateway; everything has a default that suits most. */
export interface PlanOptions {
  /** Everything where it isn't given. */
  readonly selection?: Selection;
  /** Patterns of the listed models for each of which what a model can vary is sent; `all` for all of them. */
  readonly models?: readonly string[] | undefined;
  /** What the run must not do to its gateway; nothing is forbidden where it isn't given. */
  readonly restraint?: Restraint;
  /** How often every case is sent; once where it isn't given. */
  readonly repeat?: number;
  /** The most successful model calls; a plan with more is refused, and calls beyond it are held back. */
  readonly maxBillable?: number | undefined;
  /** Draws requests at random beside the cases of the suites. */
  readonly fuzz?: DrawFuzz | undefined;
}

/** The cases of a run, before anything is sent. */
export type Prepared = SelectedPlan & {
  /** The plan before anything was selected. */
  readonly whole: Plan;
  readonly estimate: Estimate;
  /** What the estimate was made with. */
  readonly size: PlanSize;
  /** What is sent for each listed model, where models are asked for; not in the estimate. */
  readonly templates: ModelTemplates | undefined;
  readonly fuzz: Fuzz | undefined;
};

/** Plans a run and limits it to the selection; throws UsageError where a name in it matches nothing. */
export function prepare(
  catalog: Catalog,
  profile: Profile,
  {
    selection = { suites: [], only: [] },
    restraint,
    repeat = 1,
    maxBillable,
    models,
    fuzz: draw,
  }: PlanOptions,
): Prepared {
  const fuzz = draw?.(catalog, profile);
  const whole = fuzz?.plan ?? plan(catalog, profile);
  const allowed = restraint ? restrain(whole, restraint) : whole;
  const selected = selectWithModels(allowed, selection, { asksForModels: models !== undefined, catalog });
  holdAsked(selected, fuzz);
  const size = { burst: profile.rateLimit?.requests ?? 0, rounds: repeat };
  const estimated = estimate(selected.sent, size);
  if (maxBillable !== undefined && estimated.billable > maxBillable) {
    throw new UsageError(
      `This run would make ${estimated.billable} calls that may be billed, more than ${maxBillable}. Choose fewer cases (--suite, --only, --safe), or allow more.`,
    );
  }
  return { ...selected, whole, estimate: estimated, size, fuzz };
}

/** Throws UsageError where nothing is left of what was asked for beside the suites: it would seem to have been judged. */
function holdAsked(
  { plan, shard, templates }: ReturnType<typeof selectWithModels>,
  fuzz: Fuzz | undefined,
): void {
  // A part of a divided run may have none.
  const ids = new Set(shard?.plan ?? plan.cases.map(({ id }) => id));
  if (fuzz && !fuzz.plan.cases.some(({ id, drawn }) => drawn && ids.has(id))) {
    throw new UsageError(
      'Of the requests that --fuzz draws, none is chosen. Choose them too (--suite fuzz), or leave out --fuzz.',
    );
  }
  if (templates?.judged.length === 0) {
    throw new UsageError(
      'Of the cases that --models sends for each listed model, none is chosen. Choose some of them too, such as --suite requests, or leave out --models.',
    );
  }
}
