import { setTimeout as sleep } from 'node:timers/promises';
import type { SetupAction } from '../../common/profile-values.ts';
import type { Attributes } from '../catalog/condition.ts';
import type { GatewayChange } from '../catalog/scenarios.ts';
import { isErrorInSuccess } from '../evidence/attribution.ts';
import {
  answerOf,
  type Exchange,
  isExpectedResponse,
  type Preparation,
  succeeded,
  wasNotSent,
} from '../exchange/exchange.ts';
import { isTransientResult, readAnswer } from '../exchange/reading.ts';
import { prefixOf } from '../plan/complete-attributes.ts';
import { maxRequestsPerSender } from '../plan/estimate.ts';
import type { PlannedCase, PlannedStep } from '../plan/plan.ts';
import type { SetupValues } from '../profile/setup.ts';
import type { KeyRing } from '../request/keys.ts';
import { SetupError } from './change-gateway.ts';
import { describeChange, withCreatedKey } from './plan-requests.ts';
import { forEachConcurrently } from './rate-limiter.ts';
import { requestOfStep } from './send-case.ts';
import { type RequestToSend, type RoundSender, sendRequest } from './sender.ts';

/**
 * The changes that may take effect only after some seconds, because the specification states no time limit. 5 s are
 * recommended for a drain and a top-up. After `latePausesMs`, a drain must have taken effect.
 */
type SlowChange = 'created' | 'drained' | 'long-drained' | 'topped-up' | 'long-topped-up';

/**
 * The maximum number of attempts of a request after a slow change, the maximum number otherwise, and the pause
 * between two attempts in milliseconds. Retries within an attempt do not count.
 */
const [triesOfSlowChange, triesOfStep, pause] = [20, 3, 250];

/** The pauses before further attempts if a drain or a top-up takes effect late, in milliseconds. */
const defaultLatePausesMs: readonly number[] = [1_000, 2_000, 4_000, 8_000, 10_000];

/**
 * Creates the function that sends a case that changes keys or balances. The function makes each change, and then sends
 * the steps after this change concurrently. At the end, even if the run was stopped, the function tops up a drained
 * account and deletes the created key.
 */
export function createLifecycleSender(sender: RoundSender): (item: PlannedCase) => Promise<void> {
  const { record, stop } = sender;
  // If a change does not take effect, only the first case waits for the change. If a key cannot be created, or a
  // change cannot be undone, no later case creates a key.
  const ineffective = new Set<SlowChange>();
  let broken: string | undefined;

  return async (item) => {
    if (broken !== undefined) return record.markIncomplete(item, broken);
    const own: Exchange[] = [];
    record.setCase(item, own);
    const key = createKeyChanges(sender);
    const before: Preparation[] = [];
    const sendGroup = async ([first, ...others]: readonly [IndexedStep, ...IndexedStep[]]): Promise<void> => {
      const { before: made } = first.step;
      if (made) {
        await makeDuring(made, () => key.change(made.action), item, key.sender(), [...before]);
        if (made.during > 0 && own[0])
          before.push({ kind: 'request', request: own[0].request, underWay: made.during });
        before.push(...describeChange(sender.context.promise.profile, made.action, key.values()));
      }
      const done = [...before];
      const send = async ({ index, step }: IndexedStep): Promise<void> => {
        const change = slowChangeBefore(step);
        const planned = requestOfStep(item, index, step);
        const request = { ...planned, attributes: key.attributesOf(planned.attributes), before: done };
        const sendUntil = async (
          awaited: SlowChange | undefined,
          more: Partial<RequestToSend> = {},
        ): Promise<Exchange> => {
          const isPatient = awaited !== undefined && !ineffective.has(awaited);
          const patience = isPatient ? awaited : undefined;
          const last = await sendStep({ ...request, ...more }, step, key.sender(), patience);
          if (awaited && !hasTakenEffect(awaited, last)) ineffective.add(awaited);
          return last;
        };
        const exchange = await sendUntil(change);
        before.push({ kind: 'request', request: exchange.request });
        // The next case needs an account with a balance. The judged response is the response after 5 s.
        if (change === 'topped-up' && !hasTakenEffect(change, exchange) && !ineffective.has('long-topped-up'))
          record.addOther(await sendUntil('long-topped-up', { id: `${request.id}-late`, isExtra: true }));
        // A response that proves nothing is recorded but not judged.
        if (isUndecided(step, exchange, sender)) record.addOther(exchange);
        else own[index] = exchange;
      };
      await forEachConcurrently(sender.concurrency, [first, ...others], send);
    };
    let obstacle: string | undefined;
    try {
      for (const group of groupByChange(item.steps)) {
        obstacle = stop.stopped()?.reason;
        if (obstacle === undefined) await sendGroup(group);
        const [{ index, step }] = group;
        obstacle ??= own[index]
          ? explainObstacle(step, own[index], ineffective, sender)
          : (stop.stopped()?.reason ??
            'The response may have been transient, or the created key did not work.');
        if (obstacle !== undefined) break;
      }
    } catch (error) {
      if (!(error instanceof SetupError)) throw error;
      obstacle = error.message;
      if (own.length === 0) broken = error.message;
    }
    if (obstacle !== undefined) record.markIncomplete(item, obstacle);
    for (const reason of await key.cleanUp()) {
      record.addLeftover(reason);
      broken = reason;
    }
  };
}

/** The changes of one case. All changes concern the key that the case creates, and the account of this key. */
type KeyChanges = {
  readonly change: (action: SetupAction) => Promise<void>;
  /**
   * Returns a sender that uses the created key as the valid key and as the depleted key. After the deletion of the
   * created key, the sender uses the key only as the deleted key.
   */
  readonly sender: () => RoundSender;
  /** Returns the attributes of a request, whose key may be the created one. */
  readonly attributesOf: (attributes: Attributes) => Attributes;
  /** Returns the values of the created key; empty before its creation. */
  readonly values: () => Readonly<Record<string, string>>;
  /** Undoes the remaining changes. Resolves to an error message for each change that could not be undone. */
  readonly cleanUp: () => Promise<readonly string[]>;
};

function createKeyChanges(sender: RoundSender): KeyChanges {
  const { keys } = sender.context;
  const [begun, done] = [new Set<SetupAction>(), new Set<SetupAction>()];
  let values: SetupValues | undefined;
  const change = async (action: SetupAction): Promise<void> => {
    begun.add(action);
    const made = await sender.change(action, values).catch((error: unknown) => {
      if (error instanceof SetupError && error.isRefused) begun.delete(action);
      if (error instanceof SetupError && error.created) setKey(error.created);
      throw error;
    });
    done.add(action);
    if (action === 'createKey' && made) setKey(made);
  };
  const setKey = (made: SetupValues): void => {
    // The created key is deleted at the end, so a key of the profile is not allowed.
    if (Object.values(sender.context.promise.profile.keys).includes(made.key))
      throw new SetupError(
        'setup.createKey returned a key of the profile instead of a new key. The run does not delete this key. Change setup.createKey to create a new key.',
      );
    values = made;
    keys.addSecret(made.key, 'keys.created');
  };
  const ring = (): KeyRing => withCreatedKey(keys.value, values?.key, done.has('deleteKey'));
  return {
    change,
    values: () => values ?? {},
    attributesOf(attributes) {
      const created = values?.key;
      const isCreated = created !== undefined && ring()(attributes.key ?? 'none') === created;
      return isCreated ? { ...attributes, keyPrefix: prefixOf(created) } : attributes;
    },
    sender() {
      const value = ring();
      return { ...sender, context: { ...sender.context, keys: { ...keys, value } } };
    },
    async cleanUp() {
      const failed: string[] = [];
      for (const action of [
        ...(begun.has('drain') && !done.has('topUp') ? ['topUp' as const] : []),
        ...(values && !done.has('deleteKey') ? ['deleteKey' as const] : []),
      ])
        await change(action).catch((error: unknown) => {
          if (!(error instanceof SetupError)) throw error;
          failed.push(error.message);
        });
      // A key may exist although its values are unknown.
      if (begun.has('createKey') && !values)
        failed.push(
          'setup.createKey may have created a key that was not deleted. Check the keys of the gateway.',
        );
      return failed;
    },
  };
}

type IndexedStep = { readonly index: number; readonly step: PlannedStep };

/**
 * Groups the steps of a case. Each group except the first begins with a step before which a change is made, or that
 * waits for the effect of a change.
 */
function groupByChange(steps: readonly PlannedStep[]): [IndexedStep, ...IndexedStep[]][] {
  const groups: [IndexedStep, ...IndexedStep[]][] = [];
  for (const [index, step] of steps.entries()) {
    const last = groups.at(-1);
    if (last && !step.before && slowChangeBefore(step) === undefined) last.push({ index, step });
    else groups.push([{ index, step }]);
  }
  return groups;
}

/** Makes a change when the first of `during` concurrent senders gets a result; without senders, immediately. */
async function makeDuring(
  { during }: GatewayChange,
  make: () => Promise<void>,
  item: PlannedCase,
  sender: RoundSender,
  before: readonly Preparation[],
): Promise<void> {
  const [step] = item.steps;
  if (during === 0 || !step) return make();
  let isMade = false;
  // The responses to requests during a change depend on timing, so the requests are not judged.
  const send = async (): Promise<void> => {
    await sendRequest(sender, {
      ...requestOfStep(item, 0, step),
      before,
      isExtra: true,
      retries: 'none',
      unlimited: true,
    });
  };
  const firsts = Array.from({ length: during }, send);
  const rests = firsts.map(async (first) => {
    await first;
    for (let turn = 1; turn < maxRequestsPerSender && !isMade; turn += 1) await send();
  });
  await Promise.race(firsts);
  try {
    await make();
  } finally {
    isMade = true;
    await Promise.all(rests);
  }
}

/** Sends a request until the awaited change has taken effect, and, without a change, until the response is settled. */
async function sendStep(
  request: RequestToSend,
  { expects }: PlannedStep,
  sender: RoundSender,
  awaited: SlowChange | undefined,
): Promise<Exchange> {
  const pauses = listPauses(awaited, sender);
  for (let time = 1; ; time += 1) {
    const exchange = await sendRequest(sender, { ...request, isExtra: request.isExtra || time > 1 });
    const { result } = exchange;
    const isSettled = !isTransientResult(result) || isExpectedResponse(result, expects);
    const isFinal = isSettled && (!awaited || hasTakenEffect(awaited, exchange));
    const next = pauses[time - 1];
    if (isFinal || next === undefined || wasNotSent(exchange) || sender.stop.stopped()) return exchange;
    await sleep(next, undefined, { signal: sender.stop.signal }).catch(() => {});
  }
}

/** Returns the pauses between the attempts of a request, in milliseconds. `change` is the change to wait for. */
function listPauses(change: SlowChange | undefined, { latePausesMs }: RoundSender): readonly number[] {
  if (change === 'long-drained' || change === 'long-topped-up') return latePausesMs ?? defaultLatePausesMs;
  return Array<number>((change ? triesOfSlowChange : triesOfStep) - 1).fill(pause);
}

/**
 * Whether the response to a call with a valid key proves nothing about the change before the call. The response may
 * be transient, the model may be unavailable, the balance may be used up, or some nodes of the gateway may not accept
 * the created key yet.
 */
function isUndecided(
  { attributes: { lifecycle } }: PlannedStep,
  exchange: Exchange,
  { context }: RoundSender,
): boolean {
  const { result } = exchange;
  if (isDrained(lifecycle)) return result.kind === 'answer' && result.answer.status === 401;
  if (lifecycle !== 'topped-up' && lifecycle !== 'other-deleted') return false;
  const { about } = readAnswer(exchange, context.promise.errors);
  const hasRunOut = lifecycle === 'other-deleted' && about === 'account';
  return isTransientResult(result) || about === 'model' || hasRunOut;
}

function isDrained(lifecycle: string | undefined): lifecycle is 'drained' | 'long-drained' {
  return lifecycle === 'drained' || lifecycle === 'long-drained';
}

function slowChangeBefore({ control, attributes: { lifecycle } }: PlannedStep): SlowChange | undefined {
  if (control) return 'created';
  return isDrained(lifecycle) || lifecycle === 'topped-up' ? lifecycle : undefined;
}

/** Whether the result shows the effect of the change. After a drain, false only for a 401 and a served call. */
function hasTakenEffect(change: SlowChange, exchange: Exchange): boolean {
  if (!isDrained(change)) return succeeded(exchange.result);
  return !isServed(exchange) && answerOf(exchange)?.status !== 401;
}

function explainObstacle(
  { control, attributes }: PlannedStep,
  exchange: Exchange,
  ineffective: ReadonlySet<SlowChange>,
  { context }: RoundSender,
): string | undefined {
  if (wasNotSent(exchange)) return 'Not all steps were sent: the limit of billable calls was reached.';
  if (attributes.lifecycle === 'long-drained' && attributes.streamed !== 'true' && isServed(exchange))
    return 'The call with the key of the drained account succeeded, so a call after the top-up proves nothing.';
  if (!control || succeeded(exchange.result)) return undefined;
  const status = answerOf(exchange)?.status ?? 'no response';
  const { about } = readAnswer(exchange, context.promise.errors);
  if (ineffective.has('topped-up') && about === 'account')
    return `The account was topped up, but the gateway still rejects its calls (${status}). See the requirement lifecycle/topped-up-account.`;
  return `The created key was not accepted (${status}). Check \`setup.createKey\` in the profile.`;
}

/** Whether a call got a 2xx response that contains more than an error. */
function isServed({ attributes, result }: Exchange): boolean {
  return succeeded(result) && !isErrorInSuccess({ attributes: { ...attributes, key: 'good' }, result });
}
