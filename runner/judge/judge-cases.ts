import { isAboutRequest } from '../catalog/expectation.ts';
import { isObservedOnly, type Requirement } from '../catalog/requirements.ts';
import { awaitsControl, isKeyRejected, isTransientPage } from '../evidence/attribution.ts';
import { type Execution, isKeyAccepted } from '../evidence/controls.ts';
import {
  createBlockCheck,
  createThrottleCheck,
  explainLostKey,
  findLockout,
  mayBeLockedOut,
} from '../evidence/guard.ts';
import { type Exchange, type Result, succeeded } from '../exchange/exchange.ts';
import { isBadKey, isBurst } from '../plan/estimate.ts';
import type { Check, Plan, PlannedCase } from '../plan/plan.ts';
import { accountLimitReason, mayHaveLimitedAccount } from './account-limit.ts';
import type { JudgeContext } from './check-response.ts';
import {
  appliesTo,
  explainFailedControl,
  judgeRequirement,
  nothingToJudge,
  type Verdict,
} from './judge-requirement.ts';
import { findWorstOutcome, isFailed, type Outcome } from './outcome.ts';
import {
  applyDependencies,
  checkControlPreconditions,
  checkPreconditions,
  findViolatedDependency,
  type JudgedCheck,
  judgeBlocked,
  judgeInconclusive,
  judgeNotApplicable,
  judgeNotOffered,
  judgeUnsent,
  judgeWithoutModel,
  type Violation,
} from './preconditions.ts';

export interface CaseContext extends JudgeContext {
  /** The controls and valid calls on which other cases depend, including the cases that are sent but not judged. */
  readonly controlCases: readonly PlannedCase[];
}

/** A case with its checks and outcome. A pooled case has only the exchanges with findings. */
export interface JudgedCase {
  readonly planned: PlannedCase;
  readonly exchanges: readonly Exchange[];
  readonly checks: readonly JudgedCheck[];
  readonly outcome: Outcome;
}

/** Judges every case of a plan by the exchanges of a round. Returns the cases in the order of the plan. */
export function judgeCases(plan: Plan, execution: Execution, context: CaseContext): JudgedCase[] {
  const isBlocked = createBlockCheck(plan, execution);
  const sent = listExchanges(execution);
  const isThrottled = createThrottleCheck(sent);
  const all = listExchanges(execution, isJudgedAlone).filter(
    (exchange) => !isBlocked(exchange) && !isThrottled(exchange) && !isUnrepeatedPage(exchange),
  );
  const observed = new Set(all.filter(({ attributes }) => isObservedOnly(attributes, context.promise)));
  return plan.cases.map((planned) =>
    planned.pool
      ? judgePooledCase(planned, selectPool(planned, all), observed, execution, context)
      : judgeCase(planned, execution, context),
  );
}

/** Judges a case by its exchanges so far. The case must not be pooled. */
export function judgeCase(planned: PlannedCase, execution: Execution, context: CaseContext): JudgedCase {
  const exchanges = execution.exchanges.get(planned.id) ?? [];
  const judge = createCheckJudge(planned, execution, context);
  const checks = applyDependencies(planned.checks.map((check) => ({ check, verdict: judge(check) })));
  return { planned, exchanges, checks, outcome: combineOutcomes(checks) };
}

function judgePooledCase(
  planned: PlannedCase,
  pool: readonly Exchange[],
  observed: ReadonlySet<Exchange>,
  execution: Execution,
  context: JudgeContext,
): JudgedCase {
  const judgeable = pool.filter((exchange) => !observed.has(exchange));
  const checks = planned.checks.map((check) => {
    const own = isAboutRequest(check.requirement.then) ? pool : judgeable;
    return { check, verdict: judgePooledCheck(planned, check, own, execution, context) };
  });
  return {
    planned,
    exchanges: selectExchangesWithFindings(checks, pool),
    checks,
    outcome: combineOutcomes(checks),
  };
}

function combineOutcomes(checks: readonly JudgedCheck[]): Outcome {
  return findWorstOutcome(checks.map(({ verdict }) => verdict.outcome));
}

/** Lists the exchanges and, each as an exchange of its own, their earlier results for which `isChosen` returns true. */
function listExchanges(
  { exchanges, others }: Execution,
  isChosen: (earlier: Result, last: Result) => boolean = () => true,
): Exchange[] {
  return [...[...exchanges.values()].flat(), ...others].flatMap((exchange) => [
    ...exchange.earlier.flatMap((result, index) =>
      isChosen(result, exchange.result)
        ? [{ ...exchange, id: `${exchange.id}~${index + 1}`, result, earlier: [] }]
        : [],
    ),
    exchange,
  ]);
}

/** Whether a result is judged although a later attempt had another result. A page that did not persist is observed. */
function isJudgedAlone(earlier: Result, last: Result): boolean {
  return !isTransientPage(earlier) || isTransientPage(last);
}

/** Whether a request got a page and was not sent again, so that nothing shows whether the page persists. */
function isUnrepeatedPage({ attributes, result, earlier }: Exchange): boolean {
  if (earlier.length > 0 || !isTransientPage(result)) return false;
  // A 429 is the purpose of a burst, whose requests are never repeated.
  return attributes.burst !== 'true' || (result.kind === 'answer' && result.answer.status !== 429);
}

function selectPool({ pool }: PlannedCase, all: readonly Exchange[]): readonly Exchange[] {
  return pool?.over === 'operation'
    ? all.filter(({ attributes }) => attributes.operation === pool.operation)
    : all;
}

function selectExchangesWithFindings(checks: readonly JudgedCheck[], pool: readonly Exchange[]): Exchange[] {
  const ids = new Set(checks.flatMap(({ verdict }) => verdict.findings.map((finding) => finding.exchange)));
  return pool.filter((exchange) => ids.has(exchange.id));
}

function judgePooledCheck(
  planned: PlannedCase,
  { requirement }: Check,
  pool: readonly Exchange[],
  execution: Execution,
  context: JudgeContext,
): Verdict {
  if (planned.notApplicable)
    return judgeUnsent(planned, planned.notApplicable, requirement, context.promise.operations);
  const operation = planned.pool?.operation;
  if (operation) {
    const control = execution.controls.plain.get(operation);
    if (control?.kind === 'not-offered') return judgeNotOffered(operation);
    if (control?.kind === 'no-model') return judgeWithoutModel(operation, control);
  }
  const verdict = judgeRequirement(requirement, pool, context);
  if (verdict === nothingToJudge) {
    const dependency = findViolatedDependency(requirement, context.promise.requirements, (other) =>
      judgeRequirement(other, pool, context),
    );
    return dependency === undefined
      ? verdict
      : judgeBlocked('No response contains the value to check.', { requirement: dependency });
  }
  // With any other outcome, the requirement applies to at least one exchange.
  if (verdict.outcome !== 'not-applicable' || pool.some((exchange) => appliesTo(requirement, exchange)))
    return verdict;
  if (execution.stopped) return judgeInconclusive(execution.stopped.reason);
  return isKeyAccepted(execution.controls) ? verdict : judgeInconclusive('No control succeeded.');
}

function createCheckJudge(
  planned: PlannedCase,
  execution: Execution,
  context: CaseContext,
): (check: Check) => Verdict {
  const { notApplicable } = planned;
  if (notApplicable)
    return ({ requirement }) => judgeUnsent(planned, notApplicable, requirement, context.promise.operations);
  const exchanges = execution.exchanges.get(planned.id) ?? [];
  const judge = (check: Check): Verdict => judgeSteps(planned, check, execution, context);
  if (planned.phase === 'controls')
    return (check) =>
      checkControlPreconditions(planned, check.requirement, execution, context.promise.operations) ??
      judge(check);
  const gate = checkPreconditions(planned, exchanges, execution, (isChosen) =>
    findViolation(isChosen, execution, context),
  );
  if (gate) return () => gate;
  const lockedOut = findLockout(planned, execution, context.promise.errors);
  if (isBurst(planned))
    return ({ requirement }) =>
      lockedOut ? judgeInconclusive(lockedOut) : judgeBurst(requirement, planned, execution, context);
  if (lockedOut === undefined || !mayBeLockedOut(planned)) return judge;
  // Other cases judge the same requirements before any wrong key is sent.
  const isExtra = planned.attributes.overlapping === 'true' && !isBadKey(planned.attributes);
  const locked = isExtra ? judgeNotApplicable(lockedOut) : judgeInconclusive(lockedOut);
  return (check) =>
    exchangesOf(check, exchanges).some(({ result }) => succeeded(result)) ? judge(check) : locked;
}

function exchangesOf({ steps }: Check, exchanges: readonly Exchange[]): Exchange[] {
  return steps.flatMap((step) => exchanges[step] ?? []);
}

function judgeBurst(
  requirement: Requirement,
  { id }: PlannedCase,
  execution: Execution,
  context: CaseContext,
): Verdict {
  const exchanges = execution.exchanges.get(id) ?? [];
  const verdict = judgeRequirement(requirement, exchanges, context);
  const incomplete = execution.incomplete.get(id);
  if (incomplete !== undefined && verdict.outcome === 'violates') return judgeInconclusive(incomplete);
  return isFailed(verdict.outcome) && exchanges.some(createThrottleCheck(listExchanges(execution)))
    ? judgeInconclusive(
        'The burst got a 429 without `error`. Other operations got the same response, so a server in front of the gateway may have sent this 429.',
      )
    : verdict;
}

function judgeSteps({ id }: PlannedCase, check: Check, execution: Execution, context: CaseContext): Verdict {
  const own = exchangesOf(check, execution.exchanges.get(id) ?? []);
  const verdict = judgeRequirement(check.requirement, own, context);
  const doubts = verdict.outcome === 'conforms' ? [] : own.map(createDoubt(check, execution, context));
  const doubt = doubts.find((reason) => reason !== undefined);
  if (doubt !== undefined) {
    const others = own.filter((_, index) => doubts[index] === undefined);
    const rest = judgeRequirement(check.requirement, others, context);
    return isFailed(rest.outcome) ? rest : judgeInconclusive(doubt);
  }
  if (own.length === check.steps.length || isFailed(verdict.outcome)) return verdict;
  const reason = execution.incomplete.get(id) ?? execution.stopped?.reason;
  return judgeInconclusive(reason ?? 'Not all requests of the case were sent.');
}

/** Creates a function that returns why a response may not be the gateway's doing, if no control ruled that out. */
function createDoubt(
  { requirement }: Check,
  execution: Execution,
  context: JudgeContext,
): (exchange: Exchange) => string | undefined {
  const { errors } = context.promise;
  const { controls, stopped } = execution;
  return (exchange) => {
    const { controlAfter } = exchange;
    if (controlAfter === 'failed' && isKeyRejected(exchange, errors))
      return explainLostKey(controls) ?? explainFailedControl(exchange);
    if (controlAfter === undefined && stopped && awaitsControl(exchange, errors))
      return (isKeyRejected(exchange, errors) ? explainLostKey(controls) : undefined) ?? stopped.reason;
    const isLimited =
      requirement.transient === 'judged' &&
      mayHaveLimitedAccount(exchange, () => listExchanges(execution), context);
    return isLimited ? accountLimitReason : undefined;
  };
}

function findViolation(
  isChosen: (control: PlannedCase) => boolean,
  execution: Execution,
  context: CaseContext,
): Violation | undefined {
  for (const control of context.controlCases.filter(isChosen)) {
    const judge = createCheckJudge(control, execution, context);
    const violated = control.checks.find((check) => judge(check).outcome === 'violates');
    if (violated) return { requirement: violated.requirement.id, case: control.id };
  }
  return undefined;
}
