import { setTimeout as sleep } from 'node:timers/promises';
import { isOperationId } from '../catalog/operations.ts';
import { awaitsControl, isErrorInSuccess, listControls } from '../evidence/attribution.ts';
import { findControlStep } from '../evidence/controls.ts';
import { classifyStream } from '../exchange/events.ts';
import { answerOf, type Exchange, isExpectedResponse, succeeded, wasNotSent } from '../exchange/exchange.ts';
import { isTransientResult, readKind } from '../exchange/reading.ts';
import { parseRetryAfter } from '../exchange/retry-policy.ts';
import { isBurst } from '../plan/estimate.ts';
import type { PlannedCase, PlannedStep } from '../plan/plan.ts';
import type { GatewayPromise } from '../profile/promise.ts';
import type { Confirmation, SuspectResponse } from './confirm.ts';
import { forEachConcurrently } from './rate-limiter.ts';
import { type RequestToSend, type RoundSender, sendRequest } from './sender.ts';

/**
 * Sends the steps of a case in order, until a control step fails, the limit of billable calls prevents a step, or the
 * run is stopped. Sends repetitions concurrently, after the first response. For bursts, see `sendBurst`.
 */
export async function sendCase(
  item: PlannedCase,
  sender: RoundSender,
  confirmation: Confirmation,
  onSent: () => void,
): Promise<void> {
  const { record, stop } = sender;
  if (isBurst(item)) {
    await sendBurst(item, sender);
    return onSent();
  }
  if (isRepeated(item)) {
    const { first, others } = createRepeatedSends(item, sender, confirmation, onSent);
    await first();
    await forEachConcurrently(sender.concurrency, others, (send) => send());
    return;
  }
  const own: Exchange[] = [];
  record.setCase(item, own);
  for (const [index, step] of item.steps.entries()) {
    let obstacle = stop.stopped()?.reason;
    if (obstacle === undefined) {
      const exchange = await sendRequest(sender, requestOfStep(item, index, step));
      own[index] = exchange;
      confirmation.add(item.id, suspectOf(step, exchange, sender), (confirmed) => {
        own[index] = confirmed;
      });
      obstacle = reasonToStop(step, exchange);
    }
    if (obstacle === undefined) continue;
    record.markIncomplete(item, obstacle);
    break;
  }
  onSent();
}

function reasonToStop({ control, attributes }: PlannedStep, exchange: Exchange): string | undefined {
  if (wasNotSent(exchange) && exchange.result.kind === 'failure')
    return `Not all steps were sent: ${exchange.result.failure.detail}.`;
  if (control && !succeeded(exchange.result))
    return `A control step did not succeed: ${describe(attributes)} returned ${statusOf(exchange)}.`;
  return undefined;
}

/** Returns the request of a step. After one of the expected responses, the request is not retried. */
export function requestOfStep(
  { id, generatedRequest }: PlannedCase,
  index: number,
  { attributes, generated, expects }: PlannedStep,
): RequestToSend {
  return { id: `${id}#${index + 1}`, attributes, generated, generatedRequest, expects };
}

/** What decides whether a response needs a control: the controls of the round, and the errors of the promise. */
interface ResponseContext extends Pick<RoundSender, 'controls'> {
  readonly context: { readonly promise: Pick<GatewayPromise, 'errors'> };
}

/**
 * Returns the response of a step if controls must confirm the response (see `SuspectResponse`); otherwise undefined.
 * An overlapping call is sent again only if its result may be transient: without overlap, the call proves nothing.
 */
export function suspectOf(
  { attributes, control, generated, expects }: PlannedStep,
  exchange: Exchange,
  { controls, context }: ResponseContext,
): SuspectResponse | undefined {
  const { errors } = context.promise;
  const isSuspect =
    !control &&
    !wasNotSent(exchange) &&
    awaitsControl(exchange, errors) &&
    (isErrorInSuccess(exchange) || !isExpectedResponse(exchange.result, expects));
  if (!isSuspect) return undefined;
  const { operation = 'none', streamed } = attributes;
  return {
    exchange,
    generated,
    isKnown: listControls(exchange, errors).includes('alone'),
    control: isOperationId(operation) ? findControlStep(controls, operation, streamed === 'true') : undefined,
  };
}

/** Whether a case has several steps with the same request. Returns false for overlapping cases and bursts. */
export function isRepeated({ attributes }: PlannedCase): boolean {
  return attributes.repeated === 'true';
}

/** The functions that send a case whose steps are all the same request. Other cases may be sent between the calls. */
export interface RepeatedSends {
  readonly first: () => Promise<void>;
  /** The functions that send the other requests, after the first response, so that a gateway can use a cache. */
  readonly others: readonly (() => Promise<void>)[];
}

/** Creates the functions that send a case of repeated requests. Calls `onSent` after the last response. */
export function createRepeatedSends(
  item: PlannedCase,
  sender: RoundSender,
  confirmation: Confirmation,
  onSent: () => void = () => {},
): RepeatedSends {
  const { record, stop } = sender;
  const sent: Exchange[] = [];
  let left = item.steps.length;
  const send = async (index: number, step: PlannedStep): Promise<void> => {
    // If the first request succeeds, the case already has a violation, and each repetition may be billed.
    const [first] = sent;
    const isNeeded = index === 0 || (first !== undefined && !isServed(first, sender));
    if (!stop.stopped() && isNeeded) {
      const exchange = await sendRequest(sender, requestOfStep(item, index, step));
      sent[index] = exchange;
      confirmation.add(item.id, suspectOf(step, exchange, sender), (confirmed) => {
        sent[index] = confirmed;
      });
    }
    left -= 1;
    if (left > 0) return;
    if (sent.length < item.steps.length)
      record.markIncomplete(
        item,
        stop.stopped()?.reason ?? 'The first request succeeded and was therefore not sent again.',
      );
    onSent();
  };
  const [sendFirst, ...others] = item.steps.map((step, index) => () => send(index, step));
  let begun: Promise<void> | undefined;
  const first = async (): Promise<void> => {
    if (!begun) record.setCase(item, sent);
    begun ??= sendFirst?.();
    await begun;
  };
  return {
    first,
    others: others.map((sendOther) => async () => {
      await first();
      await sendOther();
    }),
  };
}

/** Whether the gateway served the request. A 2xx with only an error, such as in a stream, serves nothing. */
function isServed(exchange: Exchange, { context }: RoundSender): boolean {
  const answer = answerOf(exchange);
  if (!answer || !succeeded(exchange.result)) return false;
  return exchange.attributes.streamed === 'true'
    ? classifyStream(answer, context.promise.fixtures.errorWords) === 'output'
    : readKind(exchange) !== 'error-in-success';
}

/** Whether the requests of a case are sent concurrently with the requests of the other overlapping cases. */
export function isOverlappingCase({ attributes }: PlannedCase): boolean {
  return attributes.overlapping === 'true';
}

/** Sends the requests of all cases concurrently, in turn: the first of each case, then the second, and so on. */
export async function sendOverlapping(
  cases: readonly PlannedCase[],
  sender: RoundSender,
  confirmation: Confirmation,
  onSent: (item: PlannedCase) => void,
): Promise<void> {
  const { record, stop } = sender;
  const sends = cases.flatMap((item) => {
    const own: Exchange[] = [];
    record.setCase(item, own);
    return item.steps.map((step, index) => ({ item, step, index, own }));
  });
  await forEachConcurrently(
    sender.concurrency,
    sends.sort((a, b) => a.index - b.index),
    async ({ item, step, index, own }) => {
      const stopped = stop.stopped();
      if (stopped) return record.markIncomplete(item, stopped.reason);
      const exchange = await sendRequest(sender, requestOfStep(item, index, step));
      own[index] = exchange;
      confirmation.add(item.id, suspectOf(step, exchange, sender), (confirmed) => {
        own[index] = confirmed;
      });
    },
  );
  for (const item of cases) onSent(item);
}

function describe({ operation, key, record, model }: Exchange['attributes']): string {
  const parts = [
    key !== 'good' && `the ${key} key`,
    record !== 'none' && `the ${record} record`,
    model !== 'none' && `the ${model} model`,
  ];
  return [operation, ...parts.filter(Boolean)].join(', ');
}

function statusOf({ result }: Exchange): string {
  return result.kind === 'answer' ? String(result.answer.status) : `no response (${result.failure.detail})`;
}

/** The longest wait after a burst, in milliseconds. */
const longestWait = 60_000;
/** Added to the wait after a burst, since a timer and the clock of the gateway may differ a little. */
const tolerance = 50;

/** The maximum number of concurrent requests of a burst. */
const concurrency = 16;

/**
 * Sends as many requests as `rateLimit` states, within the stated time, and stops at the first 429. Replaces each
 * request with a 5xx or no response, because some gateways do not count such requests. Stops if a whole batch fails,
 * after twice the stated number of requests, or after three times the stated time. Without a 429, too few responses in
 * time make the case incomplete. After a 429, waits as long as the gateway or else the profile states, and sends the
 * request of the next step.
 */
export async function sendBurst(item: PlannedCase, sender: RoundSender): Promise<void> {
  const { record } = sender;
  const { rateLimit } = sender.context.promise.profile;
  const [step, next] = item.steps;
  if (!rateLimit || !step) {
    record.setCase(item, []);
    return record.markIncomplete(item, 'The profile has no `rateLimit`.');
  }
  const sent: { readonly index: number; readonly exchange: Exchange }[] = [];
  // The first requests may be slow, for example while connections open, so any stretch of this length counts.
  const end = performance.now() + 3 * rateLimit.withinMs;
  let limited = false;
  // The gateway may have counted a request with a later response after the time.
  const begun: number[] = [];
  let [most, areRefused] = [0, false];
  const isReached = (): boolean => most >= rateLimit.requests;
  const sendOne = async (index: number): Promise<void> => {
    if (limited || isReached() || performance.now() > end || sender.stop.stopped()) return;
    const exchange = await sendRequest(sender, {
      id: `${item.id}#${index + 1}`,
      attributes: step.attributes,
      retries: 'none',
      unlimited: true,
    });
    sent.push({ index, exchange });
    limited ||= answerOf(exchange)?.status === 429;
    if (isTransientResult(exchange.result)) return;
    begun.push(exchange.startedAt);
    const since = exchange.startedAt + exchange.durationMs - rateLimit.withinMs;
    most = Math.max(most, begun.filter((time) => time >= since).length);
  };
  for (let round = rateLimit.requests; ; ) {
    const before = sent.length;
    await forEachConcurrently(concurrency, [...Array(round).keys()], (index) => sendOne(before + index));
    const failed = sent.slice(before).filter(({ exchange }) => isTransientResult(exchange.result)).length;
    areRefused = failed > 0 && failed >= round;
    const remaining = 2 * rateLimit.requests - sent.length;
    if (limited || isReached() || areRefused || remaining <= 0 || performance.now() > end) break;
    round = Math.min(failed || remaining, remaining);
  }
  const exchanges = sent.sort((a, b) => a.index - b.index).map(({ exchange }) => exchange);
  record.setCase(item, exchanges);
  if (limited && next) {
    const obstacle = await waitAfterBurst(exchanges, rateLimit.withinMs, sender);
    if (obstacle !== undefined) return record.markIncomplete(item, obstacle);
    const id = `${item.id}#${exchanges.length + 1}`;
    const after = await sendRequest(sender, { id, attributes: next.attributes, retries: 'failed' });
    record.setCase(item, [...exchanges, after]);
  }
  const reason = `Too few requests got a response within the time of \`rateLimit\`: ${most} of ${rateLimit.requests}.`;
  if (!limited && !isReached() && !areRefused) record.markIncomplete(item, reason);
}

/**
 * Waits until the gateway serves requests again: as long as the last of the 429 states, or else for the time of the
 * rate limit. Resolves to the reason if it does not wait so long, or if the run was stopped.
 */
async function waitAfterBurst(
  exchanges: readonly Exchange[],
  withinMs: number,
  { stop, onWait }: RoundSender,
): Promise<string | undefined> {
  const ends = exchanges.flatMap((exchange) => {
    const answer = answerOf(exchange);
    if (answer?.status !== 429) return [];
    const arrived = exchange.startedAt + exchange.durationMs;
    const stated = parseRetryAfter(answer.headers, arrived);
    return [{ isStated: stated !== undefined, at: arrived + (stated ?? withinMs) }];
  });
  const last = ends.reduce((one, other) => (other.at > one.at ? other : one));
  const milliseconds = Math.max(0, last.at - Date.now()) + tolerance;
  if (milliseconds > longestWait + tolerance)
    return `After the burst, the run would have to wait longer than ${longestWait / 1000} s.`;
  onWait?.({ cause: 'limited', status: 429, isStated: last.isStated, milliseconds });
  await sleep(milliseconds, undefined, { signal: stop.signal }).catch(() => {});
  return stop.stopped()?.reason;
}
