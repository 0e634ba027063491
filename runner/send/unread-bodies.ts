import { type Attributes, dependsOn } from '../catalog/condition.ts';
import { operationIds } from '../catalog/operations.ts';
import {
  answerOf,
  type Exchange,
  mergeTries,
  type Result,
  succeeded,
  wasNotSent,
} from '../exchange/exchange.ts';
import { isTransientResult } from '../exchange/reading.ts';
import { completeAttributes } from '../plan/complete-attributes.ts';
import type { PlannedCase } from '../plan/plan.ts';
import { modelOperations } from '../profile/profile.ts';
import { onNewConnection, type RequestToSend, type RoundSender, sendRequest } from './sender.ts';
import { findFreeControl } from './watch-lockout.ts';

/** The number of times that an unread body must disturb the next request before it counts as unread. */
const times = 3;

/** The maximum number of kinds of refused requests that are examined in a session. */
const maxKinds = 24;

/** The value of the attribute `connection` of a request that follows a refused request with a body. */
const afterRefusal = 'after-refusal';

/**
 * Returns a sender that detects whether the gateway leaves the body of a refused request unread and takes it for the
 * beginning of the next request on the connection (RFC 9112, 9.3). A result that may come from an unread body is not
 * used: its request is sent again over a new connection. Once such a gateway is known, each connection is closed after
 * a refused request with a body. `probe` sends a refused and a valid request over one connection, and records both, if
 * one of the cases judges that.
 */
export function watchForUnreadBodies(given: RoundSender): {
  readonly sender: RoundSender;
  readonly probe: (cases: readonly PlannedCase[]) => Promise<void>;
} {
  // The sender of a listed model comes from a sender that is watched already. Its examinations would wait for themselves.
  const { isMisread: _watched, ...sender } = given;
  const { unreadBodies: known, transport } = sender;
  if (!known || !transport.openConnection) return { sender, probe: async () => {} };
  let pairs = 0;
  const nextId = (): string => {
    pairs += 1;
    return `connections/after-refusal/n=${pairs}`;
  };
  const test = async (
    refused: RequestToSend,
    valid: RequestToSend,
    records: boolean,
  ): Promise<boolean | undefined> => {
    const { isUnread, exchanges } = await examine(refused, valid, { sender, nextId });
    // Several kinds may be examined concurrently; one example is enough.
    if (records || (isUnread && !known.found))
      for (const exchange of exchanges) sender.record.addOther(exchange);
    if (isUnread) {
      known.found ??= refused;
      transport.closeAfterRefusals?.();
    }
    return isUnread;
  };
  const testOnce = async (refused: RequestToSend, valid: RequestToSend): Promise<boolean | undefined> => {
    const kind = kindOf(refused);
    if (!known.tested.has(kind) && known.tested.size < maxKinds)
      known.tested.set(kind, test(refused, valid, false));
    const isUnread = await known.tested.get(kind);
    // A result that proves nothing may have a passing reason.
    if (isUnread === undefined) known.tested.delete(kind);
    return isUnread;
  };
  return {
    sender: {
      ...sender,
      async isMisread(result, delivery) {
        const { attributes, built } = delivery;
        if (!result.after || delivery.unlimited || !mayBeMisread(result, attributes)) return false;
        if (known.found) return true;
        const refused = known.sent.get(result.after);
        const valid = findValid(sender) ?? (isValid(attributes) ? { id: '', attributes, built } : undefined);
        const isUnread = refused && valid && (await testOnce(refused, valid));
        return isUnread ?? isValid(attributes);
      },
    },
    async probe(cases) {
      const isJudged = cases.some(({ checks }) =>
        checks.some(({ requirement: { when } }) => dependsOn(when, 'connection')),
      );
      const isDone = sender.record
        .soFar()
        .others.some(({ attributes }) => attributes.connection === afterRefusal);
      const refused = known.found ?? createRefused(sender);
      const valid = findValid(sender);
      if (isJudged && !isDone && refused && valid) await test(refused, valid, true);
    },
  };
}

/** Returns a control that succeeded, preferably without a billed call. */
function findValid({ controls }: RoundSender): RequestToSend | undefined {
  const succeededControl = operationIds
    .map((id) => controls.plain.get(id))
    .find((control) => control?.kind === 'succeeded');
  const step =
    findFreeControl(controls) ?? (succeededControl?.kind === 'succeeded' ? succeededControl.step : undefined);
  return step && { id: '', attributes: step.attributes };
}

/** Whether a result may be the response to an unread body: what servers send for a request that they can't parse. */
function mayBeMisread(result: Result, attributes: Attributes): boolean {
  if (result.kind === 'failure') return result.failure.reason === 'protocol';
  const { status, content } = result.answer;
  return [400, 404, 405, 501].includes(status) && (isValid(attributes) || content.kind !== 'json');
}

function isValid({ key, accepted, request }: Attributes): boolean {
  return key === 'good' && accepted === 'true' && request === 'valid';
}

function kindOf({ attributes }: RequestToSend): string {
  const { operation, header, key, model, fault, given } = attributes;
  return JSON.stringify([operation, header, key, model, fault, given]);
}

/** Returns a request without a key for an operation whose valid calls have a body and succeed. */
function createRefused({ controls, context: { promise } }: RoundSender): RequestToSend | undefined {
  const operation = modelOperations.find((id) => controls.plain.get(id)?.kind === 'succeeded');
  const control = operation && controls.plain.get(operation);
  if (control?.kind !== 'succeeded') return undefined;
  const without = { ...control.step.attributes, header: 'none', key: 'none' };
  return { id: '', attributes: completeAttributes(without, promise) };
}

/** `isUnread` is undefined if the responses prove nothing; `exchanges` is then empty. */
interface Examination {
  readonly isUnread: boolean | undefined;
  readonly exchanges: readonly Exchange[];
}

const nothing: Examination = { isUnread: undefined, exchanges: [] };

/**
 * Sends a refused request and then a valid request over one connection. If the valid request gets a response to
 * something else, this must happen each time, while the same request succeeds over a new connection each time, and
 * also after the refused request without its body.
 */
async function examine(
  refused: RequestToSend,
  valid: RequestToSend,
  { sender, nextId }: { readonly sender: RoundSender; readonly nextId: () => string },
): Promise<Examination> {
  const id = nextId();
  let exchanges: readonly Exchange[] = [];
  for (let time = 1; time <= times; time += 1) {
    const [first, second] = await sendPair(refused, valid, id, sender);
    if (!second) return nothing;
    if (time === 1 && succeeded(second.result)) return { isUnread: false, exchanges: [first, second] };
    if (!mayBeMisread(second.result, valid.attributes)) return nothing;
    const alone = await sendAlone({ ...valid, id: `${id}#3` }, sender);
    if (!succeeded(alone.result)) return nothing;
    const own = [first, second, alone];
    exchanges = own.map((exchange, index) => {
      const before = exchanges[index];
      return before ? mergeTries(before, exchange) : exchange;
    });
  }
  const [first] = exchanges;
  if (!first) return nothing;
  const built = { model: first.model, request: { ...first.request, body: undefined } };
  const [, afterBodiless] = await sendPair({ ...refused, built }, valid, `${id}/without-body`, sender);
  return afterBodiless && succeeded(afterBodiless.result) ? { isUnread: true, exchanges } : nothing;
}

/** Sends both requests over one connection. Resolves to the first exchange only if its request was not refused. */
function sendPair(
  refused: RequestToSend,
  valid: RequestToSend,
  id: string,
  sender: RoundSender,
): Promise<readonly [Exchange, Exchange?]> {
  return onNewConnection(sender, async (own) => {
    const first = await sendExtra({ ...refused, id: `${id}#1` }, own);
    if ((answerOf(first)?.status ?? 0) < 400 || isTransientResult(first.result)) return [first];
    const second = await sendExtra({ ...valid, id: `${id}#2` }, own);
    if (wasNotSent(second)) return [first];
    // Without the other attributes, no requirement on the operation applies to a response to something else.
    const { key = 'good', accepted = 'true', request = 'valid' } = second.attributes;
    const attributes = { connection: afterRefusal, key, accepted, request };
    const before = [{ kind: 'request', request: first.request, sameConnection: true } as const];
    return [first, { ...second, attributes, before }];
  });
}

function sendAlone(delivery: RequestToSend, sender: RoundSender): Promise<Exchange> {
  return onNewConnection(sender, (own) => sendExtra(delivery, own));
}

function sendExtra(delivery: RequestToSend, sender: RoundSender): Promise<Exchange> {
  return sendRequest(sender, { ...delivery, isExtra: true, retries: 'limited' });
}
