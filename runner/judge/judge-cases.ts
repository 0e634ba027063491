import { type Execution, isKeyAccepted } from '../evidence/controls.ts';
import { findLockout, mayBeLockedOut } from '../evidence/guard.ts';
import { type Exchange, succeeded } from '../exchange/exchange.ts';
import { isBadKey, isBurst } from '../plan/estimate.ts';
import type { Check, Plan, PlannedCase } from '../plan/plan.ts';
import { listCalledModels } from './called-models.ts';
import type { JudgeContext, SourceContext } from './check-response.ts';
import { decide } from './decide.ts';
import { judgeRequirement, type Verdict } from './judge-requirement.ts';
import { findWorstOutcome, isFailed, type Outcome } from './outcome.ts';
import { createPools, type FindPool, type Pool } from './pool.ts';
import {
  applyDependencies,
  checkControlPreconditions,
  checkPreconditions,
  type JudgedCheck,
  judgeInconclusive,
  judgeNotApplicable,
  judgeNotOffered,
  judgeUnsent,
  judgeWithoutModel,
  type Violation,
} from './preconditions.ts';
import { createRunEvidence } from './run-evidence.ts';

export interface CaseContext extends SourceContext {
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
export function judgeCases({ cases }: Plan, execution: Execution, context: CaseContext): JudgedCase[] {
  return createCaseJudge(execution, context).judgeAll(cases);
}

/** Judges a case by its exchanges so far. The case must not be pooled. */
export function judgeCase(planned: PlannedCase, execution: Execution, context: CaseContext): JudgedCase {
  return createCaseJudge(execution, context).judge(planned);
}

interface CaseJudge {
  readonly judge: (planned: PlannedCase) => JudgedCase;
  readonly judgeAll: (cases: readonly PlannedCase[]) => JudgedCase[];
}

function createCaseJudge(execution: Execution, { controlCases, ...shared }: CaseContext): CaseJudge {
  const { controls, incomplete, stopped } = execution;
  const { promise } = shared;
  const { operations, errors } = promise;
  // Only pooled requirements need the models, after all calls.
  const context: JudgeContext = { ...shared, goodModels: [] };
  const evidence = createRunEvidence(execution, context);
  /** The first violation of each control that was needed so far. */
  const violations = new Map<PlannedCase, Violation | undefined>();

  function judge(planned: PlannedCase): JudgedCase {
    const judgeCheck = createCheckJudge(planned);
    const checks = applyDependencies(planned.checks.map((check) => ({ check, verdict: judgeCheck(check) })));
    return { planned, exchanges: exchangesOf(planned), checks, outcome: combineOutcomes(checks) };
  }

  function exchangesOf({ id }: PlannedCase): readonly Exchange[] {
    return execution.exchanges.get(id) ?? [];
  }

  function createCheckJudge(planned: PlannedCase): (check: Check) => Verdict {
    const { notApplicable } = planned;
    if (notApplicable)
      return ({ requirement }) => judgeUnsent(planned, notApplicable, requirement, operations);
    const exchanges = exchangesOf(planned);
    const judgeOwn = (check: Check): Verdict => judgeSteps(planned, check);
    if (planned.phase === 'controls')
      return (check) =>
        checkControlPreconditions(planned, check.requirement, execution, operations) ?? judgeOwn(check);
    const gate = checkPreconditions(planned, exchanges, execution, findViolation);
    if (gate) return () => gate;
    const lockedOut = findLockout(planned, execution, errors);
    if (isBurst(planned))
      return (check) => (lockedOut ? judgeInconclusive(lockedOut) : judgeBurst(check, planned));
    if (lockedOut === undefined || !mayBeLockedOut(planned)) return judgeOwn;
    // Other cases judge the same requirements before any wrong key is sent.
    const isExtra = planned.attributes.overlapping === 'true' && !isBadKey(planned.attributes);
    const locked = isExtra ? judgeNotApplicable(lockedOut) : judgeInconclusive(lockedOut);
    return (check) =>
      selectSteps(check, exchanges).some(({ result }) => succeeded(result)) ? judgeOwn(check) : locked;
  }

  function judgeSteps(planned: PlannedCase, check: Check): Verdict {
    const own = selectSteps(check, exchangesOf(planned));
    const { verdict, doubt } = decide(
      check.requirement,
      own.map((exchange) => ({ exchange })),
      evidence,
      context,
    );
    if (doubt || own.length === check.steps.length || isFailed(verdict.outcome)) return verdict;
    const reason = incomplete.get(planned.id) ?? stopped?.reason;
    return judgeInconclusive(reason ?? 'Not all requests of the case were sent.');
  }

  /** Of the two steps of a burst, the first stands for many requests. */
  function judgeBurst({ requirement, steps: [step = 0] }: Check, planned: PlannedCase): Verdict {
    const isAfter = planned.steps[step]?.attributes.burst === 'after';
    const sent = exchangesOf(planned);
    const exchanges = sent.filter(({ attributes }) => (attributes.burst === 'after') === isAfter);
    if (isAfter && exchanges.length === 0)
      return !incomplete.has(planned.id) && sent.length > 0
        ? judgeNotApplicable('No request of the burst got 429.')
        : judgeInconclusive(incomplete.get(planned.id) ?? stopped?.reason ?? 'The burst was not sent.');
    const verdict = judgeRequirement(requirement, exchanges, context);
    const cut = incomplete.get(planned.id);
    if (cut !== undefined && verdict.outcome === 'violates') return judgeInconclusive(cut);
    return isFailed(verdict.outcome) && exchanges.some(evidence.isThrottled)
      ? judgeInconclusive(
          'The burst got a 429 without `error`. Other operations got the same response, so a server in front of the gateway may have sent this 429.',
        )
      : verdict;
  }

  function findViolation(isChosen: (control: PlannedCase) => boolean): Violation | undefined {
    for (const control of controlCases.filter(isChosen)) {
      if (!violations.has(control)) violations.set(control, findFirstViolation(control));
      const violation = violations.get(control);
      if (violation) return violation;
    }
    return undefined;
  }

  function findFirstViolation(control: PlannedCase): Violation | undefined {
    const judgeCheck = createCheckJudge(control);
    const outcomes = control.checks.map((check) => ({ check, outcome: judgeCheck(check).outcome }));
    // What the profile declares about a control is as much a reason as what the control violates.
    const first =
      outcomes.find(({ outcome }) => outcome === 'violates') ??
      outcomes.find(({ outcome }) => outcome === 'deviates');
    return first && { requirement: first.check.requirement.id, case: control.id };
  }

  function judgePooled(planned: PlannedCase, findPool: FindPool): JudgedCase {
    const pool = findPool(planned.pool?.operation);
    const checks = planned.checks.map((check) => ({
      check,
      verdict: judgePooledCheck(planned, check, pool),
    }));
    const found = new Set(checks.flatMap(({ verdict }) => verdict.findings.map(({ exchange }) => exchange)));
    const exchanges = pool.exchanges.filter(({ id }) => found.has(id));
    return { planned, exchanges, checks, outcome: combineOutcomes(checks) };
  }

  function judgePooledCheck(planned: PlannedCase, { requirement }: Check, pool: Pool): Verdict {
    if (planned.notApplicable) return judgeUnsent(planned, planned.notApplicable, requirement, operations);
    const operation = planned.pool?.operation;
    if (operation) {
      const control = controls.plain.get(operation);
      if (control?.kind === 'not-offered') return judgeNotOffered(operation);
      if (control?.kind === 'no-model') return judgeWithoutModel(operation, control);
    }
    const verdict = pool.judge(requirement);
    // With any other outcome, the requirement applies to at least one exchange.
    if (verdict.outcome !== 'not-applicable' || pool.hasMatch(requirement)) return verdict;
    if (stopped) return judgeInconclusive(stopped.reason);
    return isKeyAccepted(controls) ? verdict : judgeInconclusive('No control succeeded.');
  }

  return {
    judge,
    judgeAll(cases) {
      const goodModels = listCalledModels([...execution.exchanges.values()].flat(), promise);
      const findPool = createPools(evidence.listPooled(cases), { ...context, goodModels });
      return cases.map((planned) => (planned.pool ? judgePooled(planned, findPool) : judge(planned)));
    },
  };
}

function combineOutcomes(checks: readonly JudgedCheck[]): Outcome {
  return findWorstOutcome(checks.map(({ verdict }) => verdict.outcome));
}

function selectSteps({ steps }: Check, exchanges: readonly Exchange[]): Exchange[] {
  return steps.flatMap((step) => exchanges[step] ?? []);
}
