import { setTimeout as sleep } from 'node:timers/promises';
import { isOperationId } from '../catalog/operations.ts';
import { type Phase, phases } from '../catalog/scenarios.ts';
import type { PlannedCase } from '../plan/plan.ts';
import {
  afterEarlier,
  answerOf,
  type Exchange,
  isHeldBack,
  saysDepleted,
  succeeded,
} from '../transport/exchange.ts';
import { makeConfirmation } from './confirm.ts';
import { controlStep, type Execution, isReady, knowsModels } from './controls.ts';
import { concurrently } from './rate-limiter.ts';
import { runControls } from './run-controls.ts';
import { isRepeated, repeatedSends, sendCase } from './send-case.ts';
import { deliver, type Sender } from './sender.ts';

/** What a round does in addition to sending the cases of its plan. */
export interface ExecuteOptions {
  /** Called with each case when all of it was sent, and with everything that was sent so far. */
  readonly onCase?: ((item: PlannedCase, soFar: Execution) => void) | undefined;
  /** Sends what belongs before a phase. */
  readonly before?: ((phase: Phase, sender: Sender) => Promise<void>) | undefined;
  /** Sends more for the cases of a phase after all of them were sent. */
  readonly afterPhase?: ((cases: readonly PlannedCase[], sender: Sender) => Promise<void>) | undefined;
}

/** Sends the cases, phase by phase; pooled ones send nothing. */
export async function execute(
  cases: readonly PlannedCase[],
  ownSender: Sender,
  { onCase, before, afterPhase }: ExecuteOptions = {},
): Promise<Execution> {
  const sender = stoppingIfUnanswered(ownSender);
  const { stop, record, controls, concurrency } = sender;
  const confirmation = makeConfirmation(sender);
  const finished = (item: PlannedCase): void => {
    if (!confirmation.isOpen(item.id)) onCase?.(item, record.soFar());
  };
  for (const phase of phases) {
    if (stop.stopped()) break;
    await before?.(phase, sender);
    const own = cases.filter((item) => item.phase === phase && !item.pool);
    if (phase === 'controls') {
      await runControls(own, sender);
      const reason = unreachable([...record.soFar().exchanges.values()].flat());
      if (reason !== undefined) stop.stop({ kind: 'unanswered', reason });
      for (const item of own) finished(item);
      continue;
    }
    // The longest first, so that none of them is under way alone in the end.
    const ready = own
      .filter((item) => !item.notApplicable && isReady(item, controls) && knowsModels(item, sender.context))
      .sort((a, b) => b.steps.length - a.steps.length);
    const one = (item: PlannedCase): Promise<void> =>
      sendCase(item, sender, confirmation, () => finished(item));
    const [alone, others] = [ready.filter((item) => item.alone), ready.filter((item) => !item.alone)];
    const repeated = alone
      .filter(isRepeated)
      .map((item) => repeatedSends(item, sender, confirmation, () => finished(item)));
    await concurrently(
      concurrency,
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
    if (!stop.stopped()) await confirmation.confirm();
    for (const item of open) finished(item);
    if (phase === 'bad-keys' && !stop.stopped()) await findLockedOut(ready, sender);
    if (!stop.stopped()) await afterPhase?.(ready, sender);
  }
  const { exchanges, others, ...all } = record.soFar();
  // Completion has no part in the order of a report.
  return {
    ...all,
    exchanges: new Map(
      cases.flatMap(({ id }) => [...(exchanges.has(id) ? [[id, exchanges.get(id) ?? []] as const] : [])]),
    ),
    others: [...others].sort((a, b) => (a.id < b.id ? -1 : 1)),
  };
}

/** So many requests without a response in a row mean that the gateway is gone: fewer if it never responded. */
const failuresInARow = { before: 8, after: 12 };

/** The sender, which stops the run when the gateway no longer responds. */
function stoppingIfUnanswered(sender: Sender): Sender {
  let unanswered = 0;
  let enough = failuresInARow.before;
  return {
    ...sender,
    onExchange: (exchange) => {
      sender.onExchange(exchange);
      if (isHeldBack(exchange)) return;
      if (exchange.result.kind === 'answer') {
        unanswered = 0;
        enough = failuresInARow.after;
        return;
      }
      unanswered += 1;
      if (unanswered < enough) return;
      const { detail } = exchange.result.failure;
      const reason = `The gateway gave no answer to ${unanswered} requests in a row (${detail}).`;
      sender.stop.stop({ kind: 'unanswered', reason });
    },
  };
}

/** Why the run stops if not one control was answered. */
function unreachable(exchanges: readonly Exchange[]): string | undefined {
  const [first] = exchanges;
  if (first?.result.kind !== 'failure' || exchanges.some(({ result }) => result.kind === 'answer'))
    return undefined;
  return `The gateway can't be reached (${first.result.failure.detail}).`;
}

/** Waits until anything responds at the base URL; false if the time is over or the run was stopped. */
export async function waitForGateway(sender: Sender, milliseconds: number): Promise<boolean> {
  const end = performance.now() + milliseconds;
  const request = {
    method: 'GET',
    path: '/',
    headers: { 'user-agent': sender.context.userAgent },
    body: undefined,
  };
  for (;;) {
    const leave = await sender.rateLimiter.enter();
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
async function findLockedOut(cases: readonly PlannedCase[], sender: Sender): Promise<void> {
  const { controls, record } = sender;
  const operations = new Set(
    cases.flatMap((item) => item.steps.map(({ attributes: facts }) => facts.operation ?? 'none')),
  );
  const tries = [...operations].filter(isOperationId).map(async (operation): Promise<void> => {
    const step = controlStep(controls, operation, false);
    if (!step) return;
    const id = `controls/after-bad-keys/operation=${operation}`;
    const send = (): Promise<Exchange> => deliver(sender, { id, facts: step.attributes });
    const exchange = await send();
    // No guard answers 5xx: it is worth another try before all that was sent is in doubt.
    const failed = (answerOf(exchange)?.status ?? 0) >= 500;
    const last = failed ? afterEarlier(exchange, await send()) : exchange;
    if (!succeeded(last.result) && !saysDepleted(last.result)) controls.lockedOut.set(operation, last);
    record.ofNone(last);
  });
  await Promise.all(tries);
}
