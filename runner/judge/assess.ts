import { isOperationId, type Operations } from '../catalog/operations.ts';
import type { Obligation, Plan, PlannedCase } from '../plan/plan.ts';
import { controlOf, isHeaderControl, keyAccepted, takesHeader } from '../send/controls.ts';
import { type Exchange, succeeded } from '../send/exchange.ts';
import type { Execution } from '../send/execute.ts';
import { isReady } from '../send/ready.ts';
import type { JudgeContext } from './check.ts';
import { judge, speaksOf, type Verdict } from './judge.ts';
import { type Outcome, worst } from './outcome.ts';

const lockedOut =
  'After bad keys were sent, the good key was refused too: a guard may have locked this address out.';

/** One obligation with what became of it. */
export interface JudgedObligation {
  readonly obligation: Obligation;
  readonly verdict: Verdict;
}

/** A case with what became of it. */
export interface JudgedCase {
  readonly planned: PlannedCase;
  readonly exchanges: readonly Exchange[];
  readonly obligations: readonly JudgedObligation[];
  readonly outcome: Outcome;
}

/** Judges every case of a plan by what was sent for it; pure, and in the order of the plan. */
export function assess(plan: Plan, execution: Execution, context: JudgeContext): JudgedCase[] {
  const all = everyExchange(execution);
  return plan.cases.map((planned) =>
    planned.pool
      ? assessPool(planned, poolOf(planned, all), execution, context)
      : assessCase(planned, execution, context),
  );
}

/** Judges a case that sends requests by what was sent until now. */
export function assessCase(planned: PlannedCase, execution: Execution, context: JudgeContext): JudgedCase {
  const exchanges = execution.exchanges.get(planned.id) ?? [];
  const obligations = planned.obligations.map((obligation) => ({
    obligation,
    verdict: judgeCase(planned, obligation, exchanges, execution, context),
  }));
  return { planned, exchanges, obligations, outcome: worstOf(obligations) };
}

function assessPool(
  planned: PlannedCase,
  pool: readonly Exchange[],
  execution: Execution,
  context: JudgeContext,
): JudgedCase {
  const obligations = planned.obligations.map((obligation) => ({
    obligation,
    verdict: judgePool(planned, obligation, pool, execution, context),
  }));
  return { planned, exchanges: mentioned(obligations, pool), obligations, outcome: worstOf(obligations) };
}

function worstOf(obligations: readonly JudgedObligation[]): Outcome {
  return worst(obligations.map(({ verdict }) => verdict.outcome));
}

/** Every exchange of a run, with the tries that were repeated, in the order of the plan. */
function everyExchange({ exchanges, others }: Execution): Exchange[] {
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

function poolOf({ pool }: PlannedCase, all: readonly Exchange[]): readonly Exchange[] {
  return pool?.over === 'operation' ? all.filter(({ facts }) => facts.operation === pool.operation) : all;
}

/** The exchanges of a pooled case that its findings point to. */
function mentioned(obligations: readonly JudgedObligation[], pool: readonly Exchange[]): Exchange[] {
  const ids = new Set(
    obligations.flatMap(({ verdict }) => verdict.findings.map((finding) => finding.exchange)),
  );
  return pool.filter((exchange) => ids.has(exchange.id));
}

function judgePool(
  planned: PlannedCase,
  { requirement }: Obligation,
  pool: readonly Exchange[],
  execution: Execution,
  context: JudgeContext,
): Verdict {
  if (planned.notApplicable) return notApplicable(planned.notApplicable.reason, planned.notApplicable.add);
  const operation = planned.pool?.operation;
  if (operation) {
    const control = execution.controls.plain.get(operation);
    if (control?.kind === 'not-offered') return notOffered(operation);
    if (control?.kind === 'no-model') return noModel(operation);
  }
  const verdict = judge(requirement, pool, context);
  if (pool.some((exchange) => speaksOf(requirement, exchange))) return verdict;
  if (execution.stopped) return inconclusive(execution.stopped.reason);
  return keyAccepted(execution.controls) ? verdict : inconclusive('No call succeeded.');
}

function judgeCase(
  planned: PlannedCase,
  obligation: Obligation,
  exchanges: readonly Exchange[],
  execution: Execution,
  context: JudgeContext,
): Verdict {
  if (planned.notApplicable) return notApplicable(planned.notApplicable.reason, planned.notApplicable.add);
  const { requirement, steps } = obligation;
  const own = steps.flatMap((step) => exchanges[step] ?? []);
  const gate =
    planned.phase === 'controls'
      ? gateControl(planned, obligation, exchanges, execution, context.catalog.operations)
      : gateCase(planned, exchanges, execution);
  if (gate) return gate;
  if (planned.facts.burst === 'true' && isLockedOut(planned, execution)) return inconclusive(lockedOut);
  if (planned.facts.burst === 'true')
    return unlessIncomplete(judge(requirement, exchanges, context), planned, execution);
  const accepted = own.some(({ result }) => succeeded(result));
  if (planned.phase === 'bad-keys' && isLockedOut(planned, execution) && !accepted) {
    return inconclusive(lockedOut);
  }
  if (own.length < steps.length) {
    const seen = judge(requirement, own, context);
    const broken = seen.outcome === 'violates' || seen.outcome === 'warns';
    return broken
      ? seen
      : inconclusive(
          execution.incomplete.get(planned.id) ?? execution.stopped?.reason ?? 'Not all of it was sent.',
        );
  }
  return judge(requirement, own, context);
}

function unlessIncomplete(verdict: Verdict, { id }: PlannedCase, { incomplete }: Execution): Verdict {
  const reason = incomplete.get(id);
  return reason !== undefined && verdict.outcome === 'violates' ? inconclusive(reason) : verdict;
}

/** Why a case that isn't a control can't be judged, as the controls of its operations show. */
function gateCase(
  planned: PlannedCase,
  exchanges: readonly Exchange[],
  execution: Execution,
): Verdict | undefined {
  const { controls } = execution;
  if (isReady(planned, controls)) {
    const unknown =
      exchanges.length === 0 && planned.facts.model === 'mismatched' && execution.stopped === undefined;
    const { operation } = planned.facts;
    return unknown
      ? notApplicable(`No mismatched model of ${operation} is known.`, `models.${operation}.mismatched`)
      : undefined;
  }
  for (const { facts } of planned.steps) {
    const { operation = 'none' } = facts;
    if (!isOperationId(operation)) continue;
    for (const control of [
      controls.plain.get(operation),
      controlOf(controls, operation, facts.streamed === 'true'),
    ]) {
      if (control?.kind === 'not-offered') return notOffered(operation);
      if (control?.kind === 'no-model') return noModel(operation);
      if (control?.kind === 'absent' && keyAccepted(controls))
        return notApplicable(`The endpoint of ${operation} is absent.`);
    }
  }
  if (execution.stopped) return inconclusive(execution.stopped.reason);
  if (!keyAccepted(controls)) return inconclusive('The good key was accepted nowhere.');
  const { operation = 'none', streamed, header } = planned.facts;
  if (!planned.steps.every(({ facts }) => takesHeader(controls, facts))) {
    return inconclusive(`The good key of ${operation} is not taken in ${header}.`);
  }
  const call = streamed === 'true' ? 'streamed call' : 'call';
  return inconclusive(`No good ${call} of ${operation} succeeded, so an error of it may have any cause.`);
}

/** Why a good call can't be judged. What speaks of an endpoint's presence or success needs the key to be good elsewhere. */
function gateControl(
  planned: PlannedCase,
  { requirement }: Obligation,
  exchanges: readonly Exchange[],
  execution: Execution,
  operations: Operations,
): Verdict | undefined {
  const { controls, stopped } = execution;
  const { operation = 'none' } = planned.facts;
  if (!isOperationId(operation)) return undefined;
  const own = controls.plain.get(operation);
  if (own?.kind === 'not-offered') return notOffered(operation);
  if (own?.kind === 'no-model') return noModel(operation);
  // A streamed call is held against the plain one.
  const control = isHeaderControl(planned) ? own : controls.plain.get(operations[operation].plain);
  if (exchanges.length === 0)
    return inconclusive(stopped?.reason ?? `No plain call of ${operation} succeeded.`);
  if (control?.kind === 'succeeded') return undefined;
  if (!keyAccepted(controls)) return inconclusive(stopped?.reason ?? 'The good key was accepted nowhere.');
  if (requirement.needs === 'key') return undefined;
  if (control?.kind === 'absent') return notApplicable(`The endpoint of ${operation} is absent.`);
  if (requirement.needs === 'endpoint') return undefined;
  return inconclusive(`No good call of ${operation} succeeded with any header.`);
}

function isLockedOut(planned: PlannedCase, { controls }: Execution): boolean {
  return planned.steps.some(
    ({ facts: { operation = 'none' } }) => isOperationId(operation) && controls.lockedOut.has(operation),
  );
}

function notOffered(operation: string): Verdict {
  return notApplicable(
    `The guessed operation ${operation} did not answer a good call with success.`,
    `operations.${operation}`,
  );
}

function noModel(operation: string): Verdict {
  const member = operation === 'streamGenerate' ? 'generate' : operation;
  return notApplicable(`No model is known that ${operation} can call.`, `models.${member}.good`);
}

function notApplicable(reason: string, add?: string): Verdict {
  return { outcome: 'not-applicable', findings: [], reason, add };
}

function inconclusive(reason: string): Verdict {
  return { outcome: 'inconclusive', findings: [], reason };
}
