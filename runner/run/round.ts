import { isAboutOneResponse } from '../catalog/expectation.ts';
import type { Phase } from '../catalog/scenarios.ts';
import { type Execution, isValidCall } from '../evidence/controls.ts';
import { type CaseContext, type JudgedCase, judgeCase, judgeCases } from '../judge/judge-cases.ts';
import { isOfLastRound } from '../plan/estimate.ts';
import { hasChecks, type PlannedCase } from '../plan/plan.ts';
import type { SelectedPlan } from '../plan/select.ts';
import { execute } from '../send/execute.ts';
import { type Connection, openRoundSender, type RequestSource, type RoundSender } from '../send/sender.ts';
import type { Shrink } from './shrink.ts';

export interface RoundParts extends RequestSource {
  readonly connection: Connection;
  readonly selected: SelectedPlan;
  /**
   * Whether this is the last round. Only the last round sends a burst, because the gateway may reject the requests
   * that follow a burst.
   */
  readonly isLast: boolean;
  /** The search for smaller generated requests; undefined if the run has no generated requests. */
  readonly shrink?: Shrink | undefined;
  /** Whether the search for smaller requests may send requests that may be billed. Default: false. */
  readonly mayBill?: boolean;
  /**
   * Called with each case that is sent and has checks, after the last response of the case. After a stop, also called
   * with cases whose requests were not or only partly sent. Later responses can still change the outcome.
   */
  readonly onCase?: CaseListener | undefined;
  /** Called and awaited before each phase, for example to send other requests first. */
  readonly before?: ((phase: Phase, sender: RoundSender) => Promise<void>) | undefined;
}

/**
 * A function that is called with the ID of a case, and with a function that judges the case by the exchanges so far.
 */
export type CaseListener = (id: string, judge: () => JudgedCase) => void;

export interface Round {
  readonly execution: Execution;
  readonly judged: readonly JudgedCase[];
  readonly sender: RoundSender;
  readonly judging: CaseContext;
}

/** Sends the controls, and then the other cases of the round. Resolves to the exchanges and the judged cases. */
export async function runRound(parts: RoundParts): Promise<Round> {
  const { selected, isLast, onCase, shrink, mayBill = false } = parts;
  const { cases } = selected.plan;
  const sender = openRoundSender(parts.connection, parts);
  const judging = createCaseContext(sender, selected.sent);
  const pooled = cases
    .filter(({ pool }) => pool !== undefined)
    .flatMap(({ checks }) => checks.map(({ requirement }) => requirement))
    .filter(({ level, then }) => level === 'must' && isAboutOneResponse(then));
  const execution = await execute(isLast ? selected.sent : withoutLast(selected.sent), sender, {
    before: parts.before,
    onCase: onCase && judgeEach(cases, judging, onCase),
    afterPhase:
      shrink &&
      ((sent, watched) =>
        shrink({ cases: sent, sender: watched, pooled: [...new Set(pooled)], judging, mayBill })),
  });
  // After a stop, no later round follows, so this round reports the cases of the last round as not sent.
  const plan = { cases: isLast || execution.stopped ? cases : withoutLast(cases) };
  return { execution, judged: judgeCases(plan, execution, judging), sender, judging };
}

function withoutLast(cases: readonly PlannedCase[]): readonly PlannedCase[] {
  return cases.filter((item) => !isOfLastRound(item));
}

export function createCaseContext({ context }: RoundSender, sent: readonly PlannedCase[]): CaseContext {
  return {
    promise: context.promise,
    unlistedModel: context.unlistedModel,
    controlCases: sent.filter((item) => item.phase === 'controls' || isValidCall(item)),
  };
}

/**
 * Returns a function to call with each completed case. For a case of the plan that has checks, this function calls
 * `onCase` with a function that judges the case.
 */
export function judgeEach(
  cases: readonly PlannedCase[],
  judging: CaseContext,
  onCase: CaseListener,
): (item: PlannedCase, soFar: Execution) => void {
  const planned = new Map(cases.filter(hasChecks).map((item) => [item.id, item]));
  return ({ id }, soFar) => {
    const item = planned.get(id);
    if (item) onCase(id, () => judgeCase(item, soFar, judging));
  };
}
