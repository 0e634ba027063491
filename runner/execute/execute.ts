import { setTimeout as sleep } from 'node:timers/promises';
import { isOperationId } from '../catalog/operations.ts';
import { type Phase, phases } from '../catalog/scenarios.ts';
import type { PlannedCase } from '../plan/plan.ts';
import { concurrently } from '../transport/concurrently.ts';
import {
  afterEarlier,
  answerOf,
  type Exchange,
  isHeldBack,
  saysDepleted,
  succeeded,
} from '../transport/exchange.ts';
import { makeConfirmation } from './confirm.ts';
import { type Controls, controlStep, isReady, knowsModels } from './controls.ts';
import { deliver, type Sender } from './deliver.ts';
import { type CaseRecord, type Execution, openExecution } from './execution.ts';
import { runControls } from './run-controls.ts';
import {
  isRepeated,
  repeatedSends,
  type SendCaseOptions,
  type SendStepParts,
  sendCase,
} from './send-case.ts';

/** What may still be sent for the cases of a phase when all of them were sent. */
export interface PhaseEnd {
  readonly cases: readonly PlannedCase[];
  readonly soFar: Execution;
  readonly sender: Sender;
  readonly record: CaseRecord;
}

export interface ExecuteOptions extends Pick<SendStepParts, 'isDue'> {
  readonly concurrency: number;
  /** Told of each case when all of it was sent, with everything that was sent until then. */
  readonly onCase: ((item: PlannedCase, soFar: Execution) => void) | undefined;
  /** Sends what belongs before a phase, with a sender that notices where nobody answers. */
  readonly before?: ((phase: Phase, sender: Sender) => Promise<void>) | undefined;
  readonly afterPhase?: ((end: PhaseEnd) => Promise<void>) | undefined;
}

/** So many requests without an answer in a row, and nobody is there: fewer where there never was an answer. */
const failuresInARow = { before: 8, after: 12 };

/** Sends the cases, phase by phase; pooled ones send nothing. */
export async function execute(
  cases: readonly PlannedCase[],
  sender: Sender,
  controls: Controls,
  options: ExecuteOptions,
): Promise<Execution> {
  let unanswered = 0;
  let enough = failuresInARow.before;
  const { stop } = sender;
  const { record, soFar } = openExecution(controls, stop);
  const tellUnanswered = (reason: string): void => stop.stop({ kind: 'unanswered', reason });
  const watched: Sender = {
    ...sender,
    onExchange: (exchange) => {
      sender.onExchange(exchange);
      if (isHeldBack(exchange)) return;
      unanswered = exchange.result.kind === 'answer' ? 0 : unanswered + 1;
      if (exchange.result.kind === 'answer') enough = failuresInARow.after;
      if (unanswered >= enough && exchange.result.kind === 'failure') {
        tellUnanswered(
          `The gateway gave no answer to ${unanswered} requests in a row (${exchange.result.failure.detail}).`,
        );
      }
    },
  };
  const caseOptions: SendCaseOptions = {
    concurrency: options.concurrency,
    stopReason: () => stop.stopped()?.reason,
  };
  const confirmation = makeConfirmation(watched, record, options.concurrency);
  const parts: SendStepParts = {
    sender: watched,
    controls,
    record,
    confirmation,
    isDue: options.isDue,
  };
  for (const phase of phases) {
    if (caseOptions.stopReason() !== undefined) break;
    await options.before?.(phase, watched);
    const own = cases.filter((item) => item.phase === phase && !item.pool);
    if (phase === 'controls') {
      await runControls(own, watched, controls, record);
      const reason = unreachable([...soFar().exchanges.values()].flat());
      if (reason !== undefined) tellUnanswered(reason);
      for (const item of own) options.onCase?.(item, soFar());
      continue;
    }
    // The longest first, so that none of them is under way alone in the end.
    const ready = own
      .filter((item) => !item.notApplicable && isReady(item, controls) && knowsModels(item, sender.context))
      .sort((a, b) => b.steps.length - a.steps.length);
    const told = (item: PlannedCase) => (): void => {
      if (!confirmation.isOpen(item.id)) options.onCase?.(item, soFar());
    };
    const one = async (item: PlannedCase): Promise<void> => {
      await sendCase(item, parts, caseOptions);
      told(item)();
    };
    const [alone, others] = [ready.filter((item) => item.alone), ready.filter((item) => !item.alone)];
    const repeated = alone
      .filter(isRepeated)
      .map((item) => repeatedSends(item, parts, caseOptions.stopReason, told(item)));
    await concurrently(
      options.concurrency,
      [
        ...repeated.map(({ first }) => first),
        ...others.map((item) => () => one(item)),
        // The same request goes out time after time, with no other between: so each node behind a balancer gets one.
        ...repeated.flatMap((sends) => sends.others),
      ],
      (send) => send(),
    );
    await concurrently(
      1,
      alone.filter((item) => !isRepeated(item)),
      one,
    );
    const open = ready.filter(({ id }) => confirmation.isOpen(id));
    if (caseOptions.stopReason() === undefined) await confirmation.confirm();
    for (const item of open) told(item)();
    if (phase === 'bad-keys' && caseOptions.stopReason() === undefined) {
      for (const exchange of await findLockedOut(ready, controls, watched)) record.ofNone(exchange);
    }
    if (caseOptions.stopReason() === undefined)
      await options.afterPhase?.({ cases: ready, soFar: soFar(), sender: watched, record });
  }
  const { exchanges, others, ...all } = soFar();
  // Completion has no part in the order of a report.
  return {
    ...all,
    exchanges: new Map(
      cases.flatMap(({ id }) => [...(exchanges.has(id) ? [[id, exchanges.get(id) ?? []] as const] : [])]),
    ),
    others: [...others].sort((a, b) => (a.id < b.id ? -1 : 1)),
  };
}

/** Said where not one control was answered. */
function unreachable(exchanges: readonly Exchange[]): string | undefined {
  const [first] = exchanges;
  if (first?.result.kind !== 'failure' || exchanges.some(({ result }) => result.kind === 'answer'))
    return undefined;
  return `The gateway can't be reached (${first.result.failure.detail}).`;
}

/** Waits until anything answers at the base URL; false where the time is over, or the run was stopped. */
export async function waitForGateway(sender: Sender, milliseconds: number): Promise<boolean> {
  const end = performance.now() + milliseconds;
  const request = {
    method: 'GET',
    path: '/',
    headers: { 'user-agent': sender.context.userAgent },
    body: undefined,
  };
  for (;;) {
    const leave = await sender.pace.enter();
    const result = await sender.transport.send(request, { patient: false });
    leave();
    if (result.kind === 'answer') return true;
    if (performance.now() >= end) return false;
    try {
      await sleep(250, undefined, { signal: sender.stop.signal });
    } catch {
      return false;
    }
  }
}

/** Tries each operation again that bad keys were sent to: a guard may have locked this address out. */
export async function findLockedOut(
  cases: readonly PlannedCase[],
  controls: Controls,
  sender: Sender,
): Promise<Exchange[]> {
  const operations = new Set(
    cases.flatMap((item) => item.steps.map(({ facts }) => facts.operation ?? 'none')),
  );
  const tries = [...operations].filter(isOperationId).map(async (operation): Promise<Exchange[]> => {
    const step = controlStep(controls, operation, false);
    if (!step) return [];
    const id = `controls/after-bad-keys/operation=${operation}`;
    const send = (): Promise<Exchange> => deliver(sender, { id, facts: step.facts });
    const exchange = await send();
    // No guard answers 5xx: it is worth another try before all that was sent is in doubt.
    const failed = (answerOf(exchange)?.status ?? 0) >= 500;
    const last = failed ? afterEarlier(exchange, await send()) : exchange;
    if (!succeeded(last.result) && !saysDepleted(last.result)) controls.lockedOut.set(operation, last);
    return [last];
  });
  return (await Promise.all(tries)).flat();
}
