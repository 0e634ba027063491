import type { ErrorRows } from '../catalog/errors.ts';
import { isOperationId, type OperationId, operationIds } from '../catalog/operations.ts';
import { isKeyRejected, listControls } from '../evidence/attribution.ts';
import { type Controls, findControlStep, listExchanges } from '../evidence/controls.ts';
import { createLimitCheck } from '../evidence/request-limit.ts';
import { answerOf, type Exchange, mergeTries, succeeded, wasNotSent } from '../exchange/exchange.ts';
import { readAnswer } from '../exchange/reading.ts';
import { isBadKey } from '../plan/estimate.ts';
import type { PlannedCase, PlannedStep } from '../plan/plan.ts';
import { onNewConnection, type RoundSender, sendRequest } from './sender.ts';

/**
 * Operations without billed calls, in order of preference. The controls of these operations show whether the gateway
 * accepts requests from this address.
 */
const freeOperations = ['models', 'balance', 'usage'] as const satisfies readonly OperationId[];
/** The minimum time between two checks of whether the gateway has blocked this address, in milliseconds. */
const lockoutInterval = 250;

/**
 * Returns a sender that detects whether the gateway has blocked this address, perhaps only for seconds. If a firewall
 * may have caused the result of a request with a wrong key, the sender sends a control that is not billed, at most
 * one control every 250 ms. If the control gets a 4xx, all operations for which `findControlStep` finds a control are
 * marked as locked out, and no further control is sent. `checked` waits for these controls.
 */
export function watchForLockout(sender: RoundSender): {
  readonly sender: RoundSender;
  readonly checked: () => Promise<unknown>;
} {
  const { controls } = sender;
  let last = Number.NEGATIVE_INFINITY;
  const checks: Promise<void>[] = [];
  const check = async (): Promise<void> => {
    const control = findFreeControl(controls);
    if (!control) return;
    const id = `controls/among-bad-keys/n=${checks.length}`;
    const exchange = await sendRequest(sender, { id, attributes: control.attributes, isExtra: true });
    const status = answerOf(exchange)?.status ?? 0;
    const known = operationIds.filter((operation) => findControlStep(controls, operation, false));
    const isBlocked =
      status >= 400 &&
      status < 500 &&
      !createLimitCheck(sender.record.soFar())(exchange) &&
      !(await isOnlyOfConnection(exchange, control, sender));
    recordControl(exchange, isBlocked ? known : [], sender);
  };
  return {
    sender: {
      ...sender,
      onExchange: (exchange) => {
        sender.onExchange(exchange);
        const isDue = performance.now() - last >= lockoutInterval && controls.lockedOut.size === 0;
        if (!isDue || !mayComeFromGuard(exchange, sender.context.promise.errors)) return;
        last = performance.now();
        checks.push(check());
      },
    },
    checked: () => Promise.all(checks),
  };
}

/** Returns the successful control of an operation without billed calls; otherwise undefined. */
export function findFreeControl({ plain }: Controls): PlannedStep | undefined {
  const control = freeOperations.map((id) => plain.get(id)).find((result) => result?.kind === 'succeeded');
  return control?.step;
}

function mayComeFromGuard(exchange: Exchange, errors: ErrorRows): boolean {
  return (
    isBadKey(exchange.attributes) &&
    !wasNotSent(exchange) &&
    listControls(exchange, errors).includes('address')
  );
}

/**
 * Sends the control of each operation of the cases again, because the gateway may have blocked this address after wrong
 * keys. Marks the operations whose control failed as locked out. A control that names the balance of the account, or
 * that a limit of all requests stopped, has not failed.
 */
export async function findLockedOut(cases: readonly PlannedCase[], sender: RoundSender): Promise<void> {
  const operations = new Set(
    cases.flatMap((item) => item.steps.map(({ attributes }) => attributes.operation ?? 'none')),
  );
  const tries = [...operations].filter(isOperationId).map(async (operation): Promise<void> => {
    const step = findControlStep(sender.controls, operation, false);
    if (!step) return;
    const id = `controls/after-bad-keys/operation=${operation}`;
    const send = (): Promise<Exchange> => sendRequest(sender, { id, attributes: step.attributes });
    const exchange = await send();
    // A 5xx does not show that the address is blocked. Therefore, the control is sent once more.
    const failed = (answerOf(exchange)?.status ?? 0) >= 500;
    const last = failed ? mergeTries(exchange, await send()) : exchange;
    const isAccepted =
      succeeded(last.result) ||
      readAnswer(last, sender.context.promise.errors).error?.about === 'account' ||
      createLimitCheck(sender.record.soFar())(last) ||
      (await isOnlyOfConnection(last, step, sender));
    recordControl(last, isAccepted ? [] : [operation], sender);
  });
  await Promise.all(tries);
}

/**
 * Whether the gateway calls the valid key wrong on the connection of this exchange, and accepts it on a new one. It
 * then has not blocked this address, and its 401 is judged.
 */
async function isOnlyOfConnection(
  exchange: Exchange,
  { attributes }: PlannedStep,
  sender: RoundSender,
): Promise<boolean> {
  if (!isKeyRejected(exchange, sender.context.promise.errors)) return false;
  const again = await onNewConnection(sender, (own) =>
    sendRequest(own, { id: `${exchange.id}/new-connection`, attributes, isExtra: true }),
  );
  sender.record.addOther(again);
  return succeeded(again.result);
}

/**
 * Records a control that was sent after wrong keys. Marks the operations of `lockedOut` as locked out by this
 * control.
 */
function recordControl(
  exchange: Exchange,
  lockedOut: readonly OperationId[],
  { controls, record }: RoundSender,
): void {
  record.addOther(exchange);
  for (const operation of lockedOut) controls.lockedOut.set(operation, exchange);
}

/**
 * Sends a control after a valid request failed, and resolves to whether the control succeeded. If the limit of
 * billable calls is reached, sends the successful control of an operation without billed calls instead, if such a
 * control exists. A rejected control is added to `rejected`, except after a wrong key: then the gateway may have
 * blocked this address. A control that is only rejected on a connection that other requests used has not failed.
 */
export async function isKeyStillAccepted(
  control: PlannedStep,
  id: string,
  sender: RoundSender,
): Promise<boolean> {
  const { controls, record } = sender;
  const send = ({ attributes }: PlannedStep): Promise<Exchange> =>
    sendRequest(sender, { id, attributes, isExtra: true });
  const own = await send(control);
  const free = wasNotSent(own) ? findFreeControl(controls) : undefined;
  const exchange = free ? await send(free) : own;
  record.addOther(exchange);
  if (await isOnlyOfConnection(exchange, control, sender)) return true;
  const { operation = 'none' } = exchange.attributes;
  const hasSentWrongKey = (): boolean =>
    listExchanges(sender.record.soFar()).some(({ attributes }) => isBadKey(attributes));
  if (
    isKeyRejected(exchange, sender.context.promise.errors) &&
    isOperationId(operation) &&
    !hasSentWrongKey()
  )
    controls.rejected.set(operation, exchange);
  return succeeded(exchange.result);
}

/**
 * Returns a function that returns whether a valid request with the valid key to the same operation was started after
 * the end of an exchange and succeeded.
 */
export function createAcceptanceCheck(sender: RoundSender): (exchange: Exchange) => boolean {
  const last = new Map<string | undefined, number>();
  for (const { attributes, result, startedAt } of listExchanges(sender.record.soFar())) {
    const { operation, key, request } = attributes;
    if (key === 'good' && request === 'valid' && succeeded(result))
      last.set(operation, Math.max(startedAt, last.get(operation) ?? startedAt));
  }
  return ({ attributes: { operation }, startedAt, durationMs }) =>
    (last.get(operation) ?? Number.NEGATIVE_INFINITY) > startedAt + durationMs;
}
