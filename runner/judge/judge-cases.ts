import { isAboutRequest } from '../catalog/expectation.ts';
import { isOperationId } from '../catalog/operations.ts';
import { isObservedOnly } from '../catalog/requirements.ts';
import { wrongKeyPhases } from '../catalog/scenarios.ts';
import { type Execution, isKeyAccepted } from '../execute/controls.ts';
import { isBadKey } from '../plan/estimate.ts';
import type { Check, Plan, PlannedCase } from '../plan/plan.ts';
import { type Exchange, succeeded } from '../transport/exchange.ts';
import type { JudgeContext } from './check-response.ts';
import { appliesTo, judgeRequirement, nothingToJudge, type Verdict } from './judge-requirement.ts';
import { findWorstOutcome, isFailed, type Outcome } from './outcome.ts';
import {
  applyDependencies,
  checkControlPreconditions,
  checkPreconditions,
  createThrottleCheck,
  findViolatedDependency,
  type JudgedCheck,
  judgeBlocked,
  judgeInconclusive,
  judgeNotApplicable,
  judgeNotOffered,
  judgeWithoutModel,
  type Violation,
} from './preconditions.ts';

/** The input for judging the cases of a plan. */
export interface CaseContext extends JudgeContext {
  /** The controls that other cases depend on, including those that the plan omits. */
  readonly controlCases: readonly PlannedCase[];
}

function explainLockout(exchange: Exchange): string {
  const { result } = exchange;
  return result.kind === 'answer' && result.answer.status >= 500
    ? `After requests with wrong keys, a control got ${result.answer.status}. The gateway or its upstream may have failed.`
    : 'After requests with wrong keys, the valid key was rejected too. The gateway may have blocked this address.';
}

/** A case with its outcome. */
export interface JudgedCase {
  readonly planned: PlannedCase;
  readonly exchanges: readonly Exchange[];
  readonly checks: readonly JudgedCheck[];
  readonly outcome: Outcome;
}

/** Judges every case of a plan by its exchanges, in the order of the plan. */
export function judgeCases(plan: Plan, execution: Execution, context: CaseContext): JudgedCase[] {
  const blocked = createBlockCheck(plan, execution);
  const sent = listExchanges(execution);
  const throttled = createThrottleCheck(sent);
  const all = sent.filter((exchange) => !blocked(exchange) && !throttled(exchange));
  return plan.cases.map((planned) =>
    planned.pool
      ? judgePooledCase(planned, selectPool(planned, all), execution, context)
      : judgeCase(planned, execution, context),
  );
}

/** Judges a case that sends requests by its exchanges so far. */
export function judgeCase(planned: PlannedCase, execution: Execution, context: CaseContext): JudgedCase {
  const exchanges = execution.exchanges.get(planned.id) ?? [];
  const checks = applyDependencies(
    planned.checks.map((check) => ({
      check,
      verdict: judgeCheck(planned, check, execution, context),
    })),
  );
  return { planned, exchanges, checks, outcome: combineOutcomes(checks) };
}

function judgePooledCase(
  planned: PlannedCase,
  pool: readonly Exchange[],
  execution: Execution,
  context: JudgeContext,
): JudgedCase {
  const judgeable = pool.filter(({ attributes }) => !isObservedOnly(attributes, context.catalog));
  const checks = planned.checks.map((check) => ({
    check,
    verdict: judgePooledCheck(planned, check, {
      pool: isAboutRequest(check.requirement.then) ? pool : judgeable,
      execution,
      context,
    }),
  }));
  return { planned, exchanges: withFindings(checks, pool), checks, outcome: combineOutcomes(checks) };
}

function combineOutcomes(checks: readonly JudgedCheck[]): Outcome {
  return findWorstOutcome(checks.map(({ verdict }) => verdict.outcome));
}

function listExchanges({ exchanges, others }: Execution): Exchange[] {
  return [...[...exchanges.values()].flat(), ...others].flatMap((exchange) => [
    ...exchange.earlier.map((result, index) => ({
      ...exchange,
      id: `${exchange.id}~${index + 1}`,
      result,
      earlier: [],
    })),
    exchange,
  ]);
}

/**
 * Creates a function that returns whether a guard in front of the gateway may have sent a response: wrong keys had been sent
 * to the operation, and the good key was refused after them.
 */
function createBlockCheck(
  { cases }: Plan,
  { controls, exchanges }: Execution,
): (exchange: Exchange) => boolean {
  const starts = new Map<string, number>();
  const sent = cases
    .filter(({ phase }) => wrongKeyPhases.includes(phase))
    .flatMap(({ id }) => exchanges.get(id) ?? []);
  for (const { attributes, startedAt } of controls.lockedOut.size > 0 ? sent : []) {
    const { operation = 'none' } = attributes;
    if (isOperationId(operation) && controls.lockedOut.has(operation))
      starts.set(operation, Math.min(startedAt, starts.get(operation) ?? startedAt));
  }
  return ({ attributes: { operation = 'none' }, startedAt }) =>
    startedAt >= (starts.get(operation) ?? Number.POSITIVE_INFINITY);
}

function selectPool({ pool }: PlannedCase, all: readonly Exchange[]): readonly Exchange[] {
  return pool?.over === 'operation'
    ? all.filter(({ attributes }) => attributes.operation === pool.operation)
    : all;
}

function withFindings(checks: readonly JudgedCheck[], pool: readonly Exchange[]): Exchange[] {
  const ids = new Set(checks.flatMap(({ verdict }) => verdict.findings.map((finding) => finding.exchange)));
  return pool.filter((exchange) => ids.has(exchange.id));
}

function judgePooledCheck(
  planned: PlannedCase,
  { requirement }: Check,
  {
    pool,
    execution,
    context,
  }: {
    readonly pool: readonly Exchange[];
    readonly execution: Execution;
    readonly context: JudgeContext;
  },
): Verdict {
  if (planned.notApplicable)
    return judgeNotApplicable(planned.notApplicable.reason, planned.notApplicable.add);
  const operation = planned.pool?.operation;
  if (operation) {
    const control = execution.controls.plain.get(operation);
    if (control?.kind === 'not-offered') return judgeNotOffered(operation);
    if (control?.kind === 'no-model') return judgeWithoutModel(operation);
  }
  const verdict = judgeRequirement(requirement, pool, context);
  if (verdict === nothingToJudge) {
    const dependency = findViolatedDependency(requirement, context.catalog.requirements, (other) =>
      judgeRequirement(other, pool, context),
    );
    return dependency === undefined
      ? verdict
      : judgeBlocked('No response contains the value to check.', { requirement: dependency });
  }
  // Any other outcome shows that the requirement applies to an exchange.
  if (verdict.outcome !== 'not-applicable' || pool.some((exchange) => appliesTo(requirement, exchange)))
    return verdict;
  if (execution.stopped) return judgeInconclusive(execution.stopped.reason);
  return isKeyAccepted(execution.controls) ? verdict : judgeInconclusive('No call succeeded.');
}

function judgeCheck(planned: PlannedCase, check: Check, execution: Execution, context: CaseContext): Verdict {
  if (planned.notApplicable)
    return judgeNotApplicable(planned.notApplicable.reason, planned.notApplicable.add);
  const { steps, requirement } = check;
  const exchanges = execution.exchanges.get(planned.id) ?? [];
  const own = steps.flatMap((step) => exchanges[step] ?? []);
  const gate =
    planned.phase === 'controls'
      ? checkControlPreconditions(planned, requirement, execution, context.catalog.operations)
      : checkPreconditions(planned, exchanges, execution, (isChosen) =>
          findViolation(isChosen, execution, context),
        );
  if (gate) return gate;
  const lockedOut = findLockout(planned, execution);
  if (planned.attributes.burst === 'true' && lockedOut) return judgeInconclusive(explainLockout(lockedOut));
  if (planned.attributes.burst === 'true') {
    const verdict = unlessIncomplete(judgeRequirement(requirement, exchanges, context), planned, execution);
    return isFailed(verdict.outcome) && exchanges.some(createThrottleCheck(listExchanges(execution)))
      ? judgeInconclusive(
          'The burst got a 429 without `error`. Other operations got the same response, so the limit may not be that of the gateway.',
        )
      : verdict;
  }
  const accepted = own.some(({ result }) => succeeded(result));
  if (lockedOut && !accepted && mayBeLockedOut(planned)) {
    const reason = explainLockout(lockedOut);
    // Other cases judge the same requirements before any wrong key is sent.
    const isExtra = planned.attributes.overlapping === 'true' && !isBadKey(planned.attributes);
    return isExtra ? judgeNotApplicable(reason) : judgeInconclusive(reason);
  }
  if (own.length < steps.length) {
    const seen = judgeRequirement(requirement, own, context);
    return isFailed(seen.outcome)
      ? seen
      : judgeInconclusive(
          execution.incomplete.get(planned.id) ??
            execution.stopped?.reason ??
            'Not all requests of the case were sent.',
        );
  }
  return judgeRequirement(requirement, own, context);
}

/** Whether wrong keys are sent before or in a case. Others of the phase `lifecycle` are sent before them. */
function mayBeLockedOut({ phase, steps }: PlannedCase): boolean {
  const hasWrongKey = steps.some(({ attributes }) => isBadKey(attributes));
  return phase === 'bad-keys' || (phase === 'lifecycle' && hasWrongKey);
}

function findViolation(
  isChosen: (control: PlannedCase) => boolean,
  execution: Execution,
  context: CaseContext,
): Violation | undefined {
  for (const control of context.controlCases.filter(isChosen)) {
    const violated = control.checks.find(
      (check) => judgeCheck(control, check, execution, context).outcome === 'violates',
    );
    if (violated) return { requirement: violated.requirement.id, case: control.id };
  }
  return undefined;
}

function unlessIncomplete(verdict: Verdict, { id }: PlannedCase, { incomplete }: Execution): Verdict {
  const reason = incomplete.get(id);
  return reason !== undefined && verdict.outcome === 'violates' ? judgeInconclusive(reason) : verdict;
}

function findLockout(planned: PlannedCase, { controls }: Execution): Exchange | undefined {
  return planned.steps
    .map(({ attributes: { operation = 'none' } }) =>
      isOperationId(operation) ? controls.lockedOut.get(operation) : undefined,
    )
    .find((exchange) => exchange !== undefined);
}
