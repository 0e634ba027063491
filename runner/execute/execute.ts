import { setTimeout as sleep } from 'node:timers/promises';
import { isOperationId, type OperationId, operationIds } from '../catalog/operations.ts';
import { type Phase, phases, wrongKeyPhases } from '../catalog/scenarios.ts';
import { isBadKey } from '../plan/estimate.ts';
import type { PlannedCase } from '../plan/plan.ts';
import { changesGateway } from '../plan/select.ts';
import {
  answerOf,
  type Exchange,
  mergeTries,
  reportsDepletedAccount,
  succeeded,
  wasNotSent,
} from '../transport/exchange.ts';
import { createConfirmation } from './confirm.ts';
import { canBeJudged, type Execution, findControlStep, knowsModels } from './controls.ts';
import { lifecycleSender } from './lifecycle.ts';
import { forEachConcurrently } from './rate-limiter.ts';
import { runControls } from './run-controls.ts';
import { isOverlappingCase, isRepeated, repeatedSends, sendCase, sendOverlapping } from './send-case.ts';
import { type RoundSender, sendRequest } from './sender.ts';

/** Callbacks of a round. */
export interface ExecuteOptions {
  /** Called with each case after its last response, and with all exchanges so far. */
  readonly onCase?: ((item: PlannedCase, soFar: Execution) => void) | undefined;
  /** Called and awaited before each phase. */
  readonly before?: ((phase: Phase, sender: RoundSender) => Promise<void>) | undefined;
  /** Called and awaited after each phase except the controls, with the cases of the phase that were sent. */
  readonly afterPhase?: ((cases: readonly PlannedCase[], sender: RoundSender) => Promise<void>) | undefined;
}

/**
 * Sends the cases phase by phase, without the pooled cases. Resolves to the exchanges of the round. Stops early,
 * without an error, if the run was stopped or the gateway does not respond.
 */
export async function execute(
  cases: readonly PlannedCase[],
  ownSender: RoundSender,
  { onCase, before, afterPhase }: ExecuteOptions = {},
): Promise<Execution> {
  const { sender, checked } = watchForLockout(stopWhenUnanswered(ownSender));
  const { stop, record, controls, concurrency } = sender;
  const confirmation = createConfirmation(sender);
  const sendLifecycleCase = lifecycleSender(sender);
  const finished = (item: PlannedCase): void => {
    if (!confirmation.isOpen(item.id)) onCase?.(item, record.soFar());
  };
  const withWrongKeys: PlannedCase[] = [];
  for (const phase of phases) {
    if (stop.stopped()) break;
    await before?.(phase, sender);
    const own = cases.filter((item) => item.phase === phase && !item.pool);
    if (phase === 'controls') {
      await runControls(own, sender);
      const reason = reasonIfUnreachable([...record.soFar().exchanges.values()].flat());
      if (reason !== undefined) stop.stop({ kind: 'unanswered', reason });
      for (const item of own) finished(item);
      continue;
    }
    const ready = own.filter(
      (item) => !item.notApplicable && canBeJudged(item, controls) && knowsModels(item, sender.context),
    );
    const one = (item: PlannedCase): Promise<void> =>
      changesGateway(item)
        ? sendLifecycleCase(item).then(() => finished(item))
        : sendCase(item, sender, confirmation, () => finished(item));
    const overlapping = ready.filter(isOverlappingCase);
    const alone = ready.filter((item) => item.alone);
    // The cases with the most steps are sent first, so that the phase does not end with one long case.
    const others = ready
      .filter((item) => !item.alone && !isOverlappingCase(item))
      .sort((a, b) => b.steps.length - a.steps.length);
    const repeated = alone
      .filter(isRepeated)
      .map((item) => repeatedSends(item, sender, confirmation, () => finished(item)));
    await forEachConcurrently(
      concurrency,
      [
        ...repeated.map(({ first }) => first),
        ...others.map((item) => () => one(item)),
        // The repetitions of a request are sent without other requests in between, so that each node of a load-balanced
        // gateway gets one repetition.
        ...repeated.flatMap((sends) => sends.others),
      ],
      (send) => send(),
    );
    await forEachConcurrently(
      1,
      alone.filter((item) => !isRepeated(item)),
      one,
    );
    await sendOverlapping(overlapping, sender, confirmation, finished);
    const open = ready.filter(({ id }) => confirmation.isOpen(id));
    if (!stop.stopped()) await confirmation.confirm();
    for (const item of open) finished(item);
    if (wrongKeyPhases.includes(phase)) withWrongKeys.push(...ready);
    await checked();
    if (phase === wrongKeyPhases.at(-1) && !stop.stopped()) await findLockedOut(withWrongKeys, sender);
    if (!stop.stopped()) await afterPhase?.(ready, sender);
  }
  const { exchanges, others, ...all } = record.soFar();
  // The order of the exchanges in a report must not depend on the order of the responses.
  return {
    ...all,
    exchanges: new Map(
      cases.flatMap(({ id }) => [...(exchanges.has(id) ? [[id, exchanges.get(id) ?? []] as const] : [])]),
    ),
    others: [...others].sort((a, b) => (a.id < b.id ? -1 : 1)),
  };
}

/**
 * The number of consecutive requests without a response after which the run stops, before and after the first response
 * of the gateway.
 */
const failuresInARow = { before: 8, after: 12 };

function stopWhenUnanswered(sender: RoundSender): RoundSender {
  let unanswered = 0;
  let enough = failuresInARow.before;
  return {
    ...sender,
    onExchange: (exchange) => {
      sender.onExchange(exchange);
      if (wasNotSent(exchange)) return;
      if (exchange.result.kind === 'answer') {
        unanswered = 0;
        enough = failuresInARow.after;
        return;
      }
      // An invalid request may end a process of the gateway, while another process still responds to the next request.
      if (exchange.attributes.request === 'invalid' && exchange.result.failure.isUnanswered) return;
      unanswered += 1;
      if (unanswered < enough) return;
      const { detail } = exchange.result.failure;
      const reason = `The gateway did not respond to ${unanswered} requests in a row (${detail}).`;
      sender.stop.stop({ kind: 'unanswered', reason });
    },
  };
}

function reasonIfUnreachable(exchanges: readonly Exchange[]): string | undefined {
  const [first] = exchanges;
  if (first?.result.kind !== 'failure' || exchanges.some(({ result }) => result.kind === 'answer'))
    return undefined;
  return `The gateway cannot be reached (${first.result.failure.detail}).`;
}

/**
 * Requests the base URL until any response arrives. Resolves to false if no response arrives within `milliseconds`, or
 * if the run was stopped.
 */
export async function waitForGateway(sender: RoundSender, milliseconds: number): Promise<boolean> {
  const end = performance.now() + milliseconds;
  const request = {
    method: 'GET',
    path: '/',
    headers: { 'user-agent': sender.context.userAgent },
    body: undefined,
  };
  for (;;) {
    const leave = await sender.rateLimiter.enter();
    const result = await sender.transport.send(request, { mustSucceed: false });
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

/** The operations without billed calls, whose controls show whether the gateway has blocked this address. */
const freeOperations = ['models', 'balance', 'usage'] as const satisfies readonly OperationId[];
/** The minimum time between two checks of whether the gateway has blocked this address, in milliseconds. */
const lockoutInterval = 250;

/**
 * Returns a sender that sends a control when a wrong key gets a response of the kind that a guard sends. If the control
 * gets a 4xx, the gateway has blocked this address, perhaps only for seconds. `checked` waits for these controls.
 */
function watchForLockout(sender: RoundSender): {
  readonly sender: RoundSender;
  readonly checked: () => Promise<unknown>;
} {
  const { controls, record } = sender;
  let last = Number.NEGATIVE_INFINITY;
  const checks: Promise<void>[] = [];
  const check = async (): Promise<void> => {
    const control = freeOperations
      .map((operation) => controls.plain.get(operation))
      .find((result) => result?.kind === 'succeeded');
    if (!control) return;
    const id = `controls/among-bad-keys/n=${checks.length}`;
    const exchange = await sendRequest(sender, { id, attributes: control.step.attributes, isExtra: true });
    record.addOther(exchange);
    const status = answerOf(exchange)?.status ?? 0;
    if (status < 400 || status >= 500) return;
    for (const other of operationIds)
      if (findControlStep(controls, other, false)) controls.lockedOut.set(other, exchange);
  };
  return {
    sender: {
      ...sender,
      onExchange: (exchange) => {
        sender.onExchange(exchange);
        const isDue = performance.now() - last >= lockoutInterval && controls.lockedOut.size === 0;
        if (!isDue || !mayComeFromGuard(exchange)) return;
        last = performance.now();
        checks.push(check());
      },
    },
    checked: () => Promise.all(checks),
  };
}

/** Whether a wrong key got no response, a 403, a 429 or a web page. */
function mayComeFromGuard(exchange: Exchange): boolean {
  const answer = answerOf(exchange);
  if (!isBadKey(exchange.attributes) || wasNotSent(exchange)) return false;
  if (!answer || answer.status === 403 || answer.status === 429) return true;
  return answer.status >= 400 && answer.content.kind !== 'json';
}

/** Sends the control of each operation that got wrong keys again, because the gateway may have blocked this address. */
async function findLockedOut(cases: readonly PlannedCase[], sender: RoundSender): Promise<void> {
  const { controls, record } = sender;
  const operations = new Set(
    cases.flatMap((item) => item.steps.map(({ attributes }) => attributes.operation ?? 'none')),
  );
  const tries = [...operations].filter(isOperationId).map(async (operation): Promise<void> => {
    const step = findControlStep(controls, operation, false);
    if (!step) return;
    const id = `controls/after-bad-keys/operation=${operation}`;
    const send = (): Promise<Exchange> => sendRequest(sender, { id, attributes: step.attributes });
    const exchange = await send();
    // A 5xx does not show that the address is blocked. Therefore, the control is sent once more.
    const failed = (answerOf(exchange)?.status ?? 0) >= 500;
    const last = failed ? mergeTries(exchange, await send()) : exchange;
    if (!succeeded(last.result) && !reportsDepletedAccount(last.result))
      controls.lockedOut.set(operation, last);
    record.addOther(last);
  });
  await Promise.all(tries);
}
