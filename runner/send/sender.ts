import { setTimeout as sleep } from 'node:timers/promises';
import { packageInfo } from '../../common/package-info.ts';
import type { Attributes } from '../catalog/condition.ts';
import type { ErrorRows } from '../catalog/errors.ts';
import { operationIds } from '../catalog/operations.ts';
import { type Controls, createControls, type ExecutionRecord, openRecord } from '../evidence/controls.ts';
import {
  chooseResult,
  type Exchange,
  type GeneratedRequest,
  isExpectedResponse,
  isListedModel,
  notSentReason,
  type Result,
  type SentResult,
  type WireRequest,
} from '../exchange/exchange.ts';
import type { ExpectedResponse } from '../exchange/expected-responses.ts';
import type { GeneratedParts } from '../exchange/generation.ts';
import { isTransientResult, readAnswer } from '../exchange/reading.ts';
import type { StopSwitch } from '../exchange/stop.ts';
import { findModelOperation, findProfileModel } from '../profile/profile.ts';
import type { GatewayPromise } from '../profile/promise.ts';
import {
  type BuildContext,
  type BuiltRequest,
  buildRequest,
  withLowerCaseNames,
} from '../request/build-request.ts';
import type { NameSource } from '../request/key-edits.ts';
import { createNameSource, deriveUuid } from '../request/keys.ts';
import type { BillingBudget } from './budget.ts';
import type { ChangeGateway } from './change-gateway.ts';
import type { Transport } from './http.ts';
import type { SendOptions } from './lanes.ts';
import type { RateLimiter, RateLimits } from './rate-limiter.ts';

/** The connection to one gateway, with its limits. All rounds of a run share the connection. */
export interface Connection {
  readonly transport: Transport;
  readonly rateLimiter: RateLimiter;
  readonly budget: BillingBudget | undefined;
  readonly stop: StopSwitch;
  readonly concurrency: number;
  /** Called with each exchange, including exchanges whose request was not sent. */
  readonly onExchange: (exchange: Exchange) => void;
  readonly onWait?: RateLimits['onWait'];
  /** The pauses between the last calls of a drained account that are not rejected, in milliseconds. Default: 25 s. */
  readonly latePausesMs?: readonly number[] | undefined;
  /** Changes keys and balances as `setup` in the profile states. */
  readonly change: ChangeGateway;
  /** The refused requests whose bodies may be unread. Default: none is looked for. */
  readonly unreadBodies?: UnreadBodies;
}

/** What a session knows about refused requests whose body the gateway takes for the next request. */
export interface UnreadBodies {
  /** A refused request whose body was not read; undefined if none is known. */
  found: RequestToSend | undefined;
  /** Whether the gateway leaves bodies of a kind of refused request unread, by kind. */
  readonly tested: Map<string, Promise<boolean | undefined>>;
  /** The sent requests with a body. */
  readonly sent: WeakMap<WireRequest, RequestToSend>;
}

export function createUnreadBodies(): UnreadBodies {
  return { found: undefined, tested: new Map(), sent: new WeakMap() };
}

/**
 * The connection with the state of one round: the context of its requests, its exchanges, and the results of its
 * controls.
 */
export interface RoundSender extends Connection {
  readonly context: BuildContext;
  readonly controls: Controls;
  readonly record: ExecutionRecord;
  /**
   * Whether a result may belong to the unread body of an earlier request on the same connection. Such a request is
   * sent again over a new connection.
   */
  readonly isMisread?: (result: SentResult, delivery: RequestToSend) => Promise<boolean>;
}

/** The data from which the requests of a round are built. */
export interface RequestSource {
  readonly promise: GatewayPromise;
  readonly keys: BuildContext['keys'];
  /** The source of generated names, such as the unlisted model. Default: random names. */
  readonly nameSource?: NameSource | undefined;
}

/** Creates the sender of a new round, without exchanges or results of controls. */
export function openRoundSender(connection: Connection, source: RequestSource): RoundSender {
  const controls = createControls();
  return {
    ...connection,
    controls,
    context: buildContext(source, controls),
    record: openRecord(controls, connection.stop),
  };
}

/**
 * Creates the context of the requests of a round. The context reads `controls` when a request is built, so that each
 * request uses the results so far.
 */
export function buildContext(
  { promise, keys, nameSource = createNameSource() }: RequestSource,
  controls: Controls,
): BuildContext {
  const asked = new Map<string, number>();
  return {
    promise,
    keys,
    unlistedModel: `conformance-unlisted-${deriveUuid(nameSource, 'model')}`,
    unknownRecord: (exchange) => {
      const time = (asked.get(exchange) ?? 0) + 1;
      asked.set(exchange, time);
      return deriveUuid(nameSource, `${exchange} ${time}`);
    },
    userAgent: `${packageInfo.name}/${packageInfo.version}`,
    workingHeader: (operation) => {
      const own = controls.plain.get(operation);
      const other = own?.kind === 'succeeded' ? own : controls.plain.get(promise.operations[operation].plain);
      const any = (['models', ...operationIds] as const)
        .map((id) => controls.plain.get(id))
        .find((control) => control?.kind === 'succeeded' && control.header !== 'x-goog-api-key');
      const found = other?.kind === 'succeeded' ? other : any;
      return found?.kind === 'succeeded' ? found.header : undefined;
    },
    model: (operation, kind) => {
      const stated = findProfileModel(promise.profile, operation, kind);
      if (stated !== undefined) return stated;
      if (kind === 'mismatched') return familyBModel(controls);
      const calls = findModelOperation(operation);
      return calls && kind === 'good' ? controls.models.get(calls) : undefined;
    },
  };
}

/**
 * Returns the family B model that a control called successfully, if the ID of the model contains `claude`; otherwise
 * undefined. The operation `responses` must reject a family B model.
 */
function familyBModel(controls: Controls): string | undefined {
  const model = controls.models.get('messages');
  return controls.plain.get('messages')?.kind === 'succeeded' && model?.toLowerCase().includes('claude')
    ? model
    : undefined;
}

/** A request to build and send, with its ID, its attributes, and the rules for its retries. */
export interface RequestToSend {
  readonly id: string;
  readonly attributes: Attributes;
  readonly generated?: GeneratedParts | undefined;
  readonly generatedRequest?: GeneratedRequest | undefined;
  readonly before?: Exchange['before'];
  /** The responses after which the request is not retried, such as a required 500. Default: none. */
  readonly expects?: readonly ExpectedResponse[];
  /** Whether the request is not in the plan, such as a control that confirms a failure. Default: false. */
  readonly isExtra?: boolean;
  /**
   * The results after which the request is retried. `transient` (default): a result that may be transient, or an
   * error about an unavailable listed model. `failed`: such a result, but no 429. `limited`: only a 429. `none`: no
   * result.
   */
  readonly retries?: 'transient' | 'failed' | 'limited' | 'none';
  /** Whether the request bypasses the rate limiter. Default: false. */
  readonly unlimited?: boolean;
  /** The request, if it was built before. Default: a request with these attributes. */
  readonly built?: BuiltRequest;
}

/**
 * Sends a request. Retries the request after the results that `retries` names, except the responses in `expects`,
 * within the limits of the retry policy. Resolves to the exchange, even if no response was received or the limit of
 * billable calls prevented the request. Rejects with an `Error` for attributes that planning excludes.
 */
export async function sendRequest(sender: RoundSender, delivery: RequestToSend): Promise<Exchange> {
  const { attributes, expects = [], isExtra = false } = delivery;
  const { budget, context, rateLimiter, transport } = sender;
  const window = attributes.surface === 'billing' ? context.promise.profile.rateLimit?.withinMs : undefined;
  const built = delivery.built ?? buildRequest(attributes, sender.context, delivery);
  if (built.request.body) sender.unreadBodies?.sent.set(built.request, { ...delivery, built });
  const mustSucceed =
    attributes.request === 'valid' && attributes.accepted === 'true' && attributes.key === 'good';
  const tries: SentResult[] = [];
  let isFresh = false;
  const startedAt = Date.now();
  const start = performance.now();
  for (;;) {
    const leave = delivery.unlimited ? undefined : await rateLimiter.enter();
    const isAllowed = !budget || (await budget.take(attributes, isExtra));
    const send = isFresh ? sendAlone : sendShared;
    const result = isAllowed ? await send(built.request, { mustSucceed }, transport) : notSentResult;
    if (isAllowed) budget?.settle(attributes, isExtra, result);
    if (!delivery.unlimited) rateLimiter.note(result);
    leave?.();
    if (!isFresh && (await sender.isMisread?.(result, { ...delivery, built }))) {
      isFresh = true;
      continue;
    }
    tries.push(result);
    if (!isRetryable(result, delivery, context.promise.errors) || isExpectedResponse(result, expects)) break;
    if (!(await rateLimiter.beforeRetry(result, tries.length - 1, window))) break;
  }
  const chosen = chooseResult(tries);
  const { previous } = chosen.result;
  const exchange: Exchange = {
    id: delivery.id,
    attributes: attributes,
    model: built.model,
    request: built.request,
    ...chosen,
    ...(previous && { previous }),
    startedAt,
    durationMs: performance.now() - start,
    controlAfter: undefined,
    ...(delivery.before && { before: delivery.before }),
    ...(delivery.generatedRequest && { generatedRequest: delivery.generatedRequest }),
  };
  sender.onExchange(exchange);
  return exchange;
}

/** Calls `act` with a sender that uses one new connection, which carries no other request. */
export async function onNewConnection<Made>(
  sender: RoundSender,
  act: (own: RoundSender) => Promise<Made>,
): Promise<Made> {
  const connection = sender.transport.openConnection?.();
  if (!connection) throw new Error('The transport cannot open a connection of its own.');
  try {
    return await act({ ...sender, transport: connection });
  } finally {
    await connection.close();
  }
}

const sendShared: typeof sendAlone = (request, how, transport) => transport.send(request, how);

/** Sends a request over a new connection, which carries no other request. */
async function sendAlone(request: WireRequest, how: SendOptions, transport: Transport): Promise<SentResult> {
  const connection = transport.openConnection?.() ?? transport;
  try {
    return await connection.send(request, how);
  } finally {
    if (connection !== transport) await connection.close();
  }
}

const notSentResult: SentResult = {
  kind: 'failure',
  failure: {
    reason: notSentReason,
    detail: 'the limit of billable calls was reached, so the request was not sent',
  },
};

function isRetryable(
  result: Result,
  { attributes, retries = 'transient' }: RequestToSend,
  errors: ErrorRows,
): boolean {
  if (retries === 'none') return false;
  const isLimited = result.kind === 'answer' && result.answer.status === 429;
  if (isLimited || retries === 'limited') return isLimited && retries !== 'failed';
  if (isTransientResult(result)) return true;
  const { error } = readAnswer({ attributes, result }, errors);
  return error?.about === 'model' && error.retry && isListedModel(attributes.model);
}

/**
 * Requests the base URL, with the headers of the profile, until any response arrives. Resolves to false if no response
 * arrives within `milliseconds`, or if the run was stopped. Calls `onWait` at the start and at the end of the wait.
 */
export async function waitForGateway(sender: RoundSender, milliseconds: number): Promise<boolean> {
  sender.onWait?.({ cause: 'unreachable', milliseconds });
  const responds = await requestUntilAnswered(sender, milliseconds);
  sender.onWait?.({ cause: 'unreachable', milliseconds: 0 });
  return responds;
}

async function requestUntilAnswered(sender: RoundSender, milliseconds: number): Promise<boolean> {
  const end = performance.now() + milliseconds;
  const { promise, userAgent } = sender.context;
  const request = {
    method: 'GET',
    path: '/',
    headers: { 'user-agent': userAgent, ...withLowerCaseNames(promise.profile.headers) },
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
