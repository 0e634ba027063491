import type { Catalog } from '../catalog/catalog.ts';
import { speaksOfOne } from '../catalog/expectation.ts';
import type { Phase } from '../catalog/scenarios.ts';
import { type Controls, makeControls } from '../execute/controls.ts';
import type { Sender } from '../execute/deliver.ts';
import { type ExecuteOptions, execute } from '../execute/execute.ts';
import type { Execution } from '../execute/execution.ts';
import { buildContext } from '../execute/request-context.ts';
import type { Shrink } from '../fuzz/shrink.ts';
import { type AssessContext, assess, assessCase, type JudgedCase } from '../judge/assess.ts';
import { check, type JudgeContext } from '../judge/check.ts';
import type { Judged } from '../judge/judge-once.ts';
import { isBurst } from '../plan/estimate.ts';
import type { PlannedCase } from '../plan/plan.ts';
import type { SelectedPlan } from '../plan/select.ts';
import type { Profile } from '../profile/profile.ts';
import type { BuildContext } from '../request/build-request.ts';
import type { Draw } from '../request/unique-name.ts';
import { type Exchange, showsGoodModel } from '../transport/exchange.ts';

/** What one round over the cases of a plan needs. */
export interface RoundParts {
  readonly catalog: Catalog;
  readonly profile: Profile;
  readonly selected: SelectedPlan;
  readonly keys: BuildContext['keys'];
  /** What is made up of; another each time where it isn't given. */
  readonly draw?: Draw;
  readonly concurrency: number;
  /** A burst, which no round may follow, is sent in the last alone. */
  readonly isLast: boolean;
  readonly sender: Omit<Sender, 'context'>;
  /** Looks for smaller forms of drawn requests that broke something. */
  readonly shrink?: Shrink | undefined;
  /** Whether what is sent beside the plan may be billed. */
  readonly mayBill?: boolean;
  /** Told of each case as it stands when all of it was sent; the end of the round may judge it otherwise. */
  readonly onCase: ((item: JudgedCase) => void) | undefined;
  /** Sends what belongs before a phase; the controls tell what good calls showed until then. */
  readonly before?: ((phase: Phase, sender: Sender, controls: Controls) => Promise<void>) | undefined;
}

/** What a round sent, and what became of its cases. */
export interface Round {
  readonly execution: Execution;
  readonly judged: readonly JudgedCase[];
}

/** What cases are judged with, by the exchanges in which models were called. */
export function judgingWith(
  catalog: Catalog,
  { unlistedModel }: Pick<BuildContext, 'unlistedModel'>,
  sent: readonly PlannedCase[],
): (exchanges: Execution['exchanges']) => AssessContext {
  const controlCases = sent.filter(({ phase }) => phase === 'controls');
  return (exchanges) => {
    let found: readonly string[] | undefined;
    return {
      catalog,
      controlCases,
      unlistedModel,
      // Few ask for them.
      get goodModels() {
        found ??= goodModels(exchanges);
        return found;
      },
    };
  };
}

/** How cases are judged while they are sent: alone, and for who wants to be told, by what was sent until then; and what came of it. */
export function judgingMeanwhile(
  cases: readonly PlannedCase[],
  judging: ReturnType<typeof judgingWith>,
  onCase: RoundParts['onCase'],
): Pick<ExecuteOptions, 'isDue' | 'onCase'> & { readonly alone: JudgeContext; readonly judged: Judged } {
  const alone = judging(new Map());
  const judged: Judged = new Map();
  const planned = new Map(cases.map((item) => [item.id, item]));
  return {
    alone,
    judged,
    isDue: (item, step, exchange) => isDue(item, step, exchange, alone),
    onCase: onCase
      ? ({ id }, soFar) => {
          const item = planned.get(id);
          if (item) onCase(assessCase(item, soFar, judging(soFar.exchanges), judged));
        }
      : undefined,
  };
}

/** Sends every case once, with controls of its own, and judges it. */
export async function runRound(parts: RoundParts): Promise<Round> {
  const { catalog, profile, selected, keys, concurrency, isLast, onCase, shrink, mayBill = false } = parts;
  const withoutBurst = (cases: readonly PlannedCase[]): readonly PlannedCase[] =>
    cases.filter((item) => !isBurst(item));
  const controls = makeControls();
  const context = buildContext(catalog, profile, keys, controls, parts.draw);
  const judging = judgingWith(catalog, context, selected.sent);
  const { alone, judged, ...meanwhile } = judgingMeanwhile(selected.plan.cases, judging, onCase);
  const pooled = selected.plan.cases
    .filter(({ pool }) => pool !== undefined)
    .flatMap(({ obligations }) => obligations.map(({ requirement }) => requirement))
    .filter(({ level, then }) => level === 'must' && speaksOfOne(then));
  const execution = await execute(
    isLast ? selected.sent : withoutBurst(selected.sent),
    { ...parts.sender, context },
    controls,
    {
      concurrency,
      before:
        parts.before && ((phase, sender) => parts.before?.(phase, sender, controls) ?? Promise.resolve()),
      ...meanwhile,
      afterPhase:
        shrink &&
        ((end) =>
          shrink({ ...end, isDue: meanwhile.isDue, pooled: [...new Set(pooled)], judging: alone, mayBill })),
    },
  );
  // Where the run was stopped, no other round will tell of the burst.
  const { cases } = selected.plan;
  const plan = { cases: isLast || execution.stopped ? cases : withoutBurst(cases) };
  return { execution, judged: assess(plan, execution, judging(execution.exchanges), judged) };
}

/** Whether an answer is what the case asks for. A 429 is never due: where it is, in a burst, nothing is repeated. */
function isDue(
  item: PlannedCase,
  step: number,
  { facts, model, request, result }: Pick<Exchange, 'facts' | 'model' | 'request' | 'result'>,
  context: JudgeContext,
): boolean {
  if (result.kind === 'failure' || result.answer.status === 429) return false;
  const own = item.obligations.filter(
    ({ steps, requirement }) => steps.includes(step) && speaksOfOne(requirement.then),
  );
  const seen = {
    id: item.id,
    facts,
    model,
    request,
    result,
    startedAt: 0,
    durationMs: 0,
    earlier: [],
    controlAfter: undefined,
  };
  return (
    own.length > 0 &&
    own.every(({ requirement }) => check(requirement.then, seen, result.answer, context).kind === 'holds')
  );
}

/** The models that were called with success. */
function goodModels(exchanges: Execution['exchanges']): string[] {
  const called = [...exchanges.values()].flat().filter(showsGoodModel);
  return [...new Set(called.flatMap(({ model }) => (model === undefined ? [] : [model])))];
}
