import type { ErrorRows } from '../catalog/errors.ts';
import type { Requirement } from '../catalog/requirements.ts';
import { isInStatusSet } from '../catalog/status-set.ts';
import { hasStreamEnd } from '../exchange/events.ts';
import {
  answerOf,
  type Exchange,
  isListedModel,
  type Result,
  readErrorMember,
} from '../exchange/exchange.ts';
import {
  isRefused,
  isTransientResult,
  type ReadableExchange,
  type Reading,
  readAnswer,
  readKind,
} from '../exchange/reading.ts';
import { mustAcceptKey } from '../plan/estimate.ts';

/**
 * The valid call that a run sends to rule a cause out: with the same key, to the same operation, to the same operation
 * while no other request is under way, or, after wrong keys, any call from the same address.
 */
export type RunControl = 'key' | 'operation' | 'alone' | 'address';

/**
 * The valid calls that rule a cause out in recorded traffic, one before and one after the exchange: with the same key,
 * to the same operation, to the same model, or with the same content. `operation` and `model` need several equal
 * failures, since each alone may have been transient; `service` is a call to the same operation, with any key, that
 * needs only one.
 */
export type TrafficControl = 'key' | 'operation' | 'service' | 'model' | 'same-request';

/** Why a response may not be the gateway's doing, and the control that rules this out; without one, none can. */
export interface Attribution {
  readonly reason: string;
  readonly control?: TrafficControl | undefined;
}

/** What recorded traffic knows about a check that failed or could not be decided. */
export interface TrafficCheck {
  readonly requirement: Pick<Requirement, 'needs' | 'over' | 'then'>;
  /** Why the check is undecided; undefined if it failed. */
  readonly undecided: string | undefined;
  /** Whether the request has only members that the specification defines. */
  readonly isPlain: boolean;
  /** Whether a finding is about the headers of the response. */
  readonly concernsHeaders: boolean;
  /** Whether the request has headers that the specification doesn't define, such as the header of a provider. */
  readonly hasOwnHeaders: boolean;
  /** Whether the gateway refused several wrong keys with 401 shortly before. */
  readonly isAfterWrongKeys: boolean;
}

/** A request, its response and what the response says. */
interface Seen extends Reading, ReadableExchange {
  /** 0 without a response. */
  readonly status: number;
  /** Whether the request has a key that the gateway must accept. */
  readonly hasKey: boolean;
}

interface SeenInTraffic extends Seen {
  readonly exchange: Exchange;
  readonly check: TrafficCheck;
}

/**
 * A cause, the responses that it may explain, and the control that rules it out. Without `run` or without `traffic`,
 * the response is judged there. `none`: in recorded traffic, nothing rules the cause out.
 */
interface Cause {
  readonly shows: (seen: Seen) => boolean;
  /** What the cause explains: any wrong response, only those that one request gets, or only undecided ones. */
  readonly explains: 'response' | 'request' | 'undecided';
  readonly run?: RunControl;
  readonly traffic?: TrafficControl | 'none' | ((seen: SeenInTraffic) => TrafficControl | 'none' | undefined);
  readonly reason: string | ((status: number) => string);
}

/** Statuses of the moment or the connection, after which a client may repeat its request (RFC 9110, RFC 8470). */
const passingStatuses = [408, 421, 425];
/** Statuses that a proxy or web server in front of the gateway may send, for example for a request that is too long. */
const proxyStatuses = [...passingStatuses, 407, 411, 413, 414, 431, 499];
/** Statuses of a rate limit or an overload, which may last for hours and affect only some requests. */
const loadStatuses = [429, 503, 529];

const frontReason = (status: number): string =>
  `The response is ${status}, which a proxy in front of the gateway may have sent.`;
const accountReason = 'The account may have had no balance at the time of the request.';
const keyReason = 'The key may not have been valid at the time of the request.';

/**
 * The causes, the first possible one first. A run needs no control for what its controls ruled out before: the endpoint
 * exists, the base URL is right, and no proxy stops requests of this form. It also reads each response to its end.
 */
const causes: readonly Cause[] = [
  {
    explains: 'response',
    shows: ({ result }) => hasNoHeaders(result),
    traffic: ({ check }) => (check.concernsHeaders ? 'none' : undefined),
    reason: 'The response headers are not in the recording.',
  },
  {
    explains: 'response',
    shows: () => true,
    traffic: ({ check: { requirement, isPlain } }) =>
      requirement.then.kind === 'names' && requirement.then.what === 'place' && !isPlain ? 'none' : undefined,
    reason: 'The error message may be about a part of the request that the specification does not define.',
  },
  {
    // A run knows whether a firewall refuses its requests: from the control of the key, or from that after wrong keys.
    explains: 'response',
    shows: ({ status, kind, hasKey }) =>
      kind !== 'refusal' && (status === 403 || (status === 402 && !hasKey)),
    traffic: 'none',
    reason: (status) =>
      `The response is a ${status} without \`error\`, which a server in front of the gateway may have sent.`,
  },
  {
    // A run sends the request again, and judges a page that persists.
    explains: 'response',
    shows: ({ result }) => isTransientPage(result),
    traffic: ({ check }) => (check.requirement.over === 'case' ? undefined : 'none'),
    reason: (status) =>
      `The response is a ${status} without JSON, which a server in front of the gateway may have sent. Nothing shows whether it persists.`,
  },
  {
    explains: 'response',
    shows: ({ result }) => result.kind === 'answer' && !hasStreamEnd(result.answer.text),
    traffic: ({ check }) => (check.requirement.then.kind === 'parts' ? 'none' : undefined),
    reason:
      'The recorded stream is incomplete: the client may have stopped reading, or the gateway may have broken off the stream.',
  },
  {
    explains: 'request',
    shows: ({ status }) => status === 304,
    traffic: 'none',
    reason: 'The response is 304, which a cache may have sent.',
  },
  {
    explains: 'request',
    shows: ({ status }) => passingStatuses.includes(status),
    run: 'operation',
    traffic: 'none',
    reason: frontReason,
  },
  {
    explains: 'request',
    shows: ({ status }) => proxyStatuses.includes(status),
    traffic: 'none',
    reason: frontReason,
  },
  {
    explains: 'request',
    shows: ({ status }) => status >= 300 && status < 400,
    traffic: ({ exchange }) => (redirectsToSamePath(exchange) ? 'none' : undefined),
    reason: 'The response redirects to another address of the same endpoint.',
  },
  {
    explains: 'request',
    shows: ({ status }) => status === 404 || status === 405,
    traffic: (seen) => (mayLackEndpoint(seen) ? 'same-request' : undefined),
    reason: (status) => `The response is ${status}: the gateway may not have the requested endpoint.`,
  },
  {
    explains: 'request',
    shows: ({ status }) => status === 400 || status === 404,
    traffic: (seen) => {
      if (!mayRejectContents(seen)) return undefined;
      // A 400 without `error.type` may report an account without a balance. A later success then proves nothing.
      const hasType = typeof readErrorMember(seen.result, '/error/type') === 'string';
      return seen.attributes.surface === 'model' && !hasType ? 'none' : 'same-request';
    },
    reason: (status) =>
      `The response is ${status}: the gateway may have rejected the model or a parameter of the request.`,
  },
  {
    // A 402 that does not name the balance may mean any state of the key or its account.
    explains: 'request',
    shows: (seen) =>
      mayHaveSpentAccount(seen) && isRefused(seen) && seen.about === 'account' && !namesAccount(seen),
    run: 'key',
    traffic: 'none',
    reason: accountReason,
  },
  {
    // Between the calls of clients, an account may be topped up.
    explains: 'request',
    shows: (seen) => mayHaveSpentAccount(seen) && namesAccount(seen),
    run: 'operation',
    traffic: 'none',
    reason: accountReason,
  },
  {
    explains: 'request',
    shows: (seen) => seen.hasKey && refusesKey(seen),
    run: 'key',
    // A key may be valid for only some models and contents.
    traffic: ({ status, attributes }) =>
      status === 403 && attributes.surface === 'model' ? 'same-request' : 'key',
    reason: keyReason,
  },
  {
    // The answer to a key is wrong if it says that no key was sent, whether or not the key is valid. A run still asks, so
    // that a key that was deleted during the run is one cause, and not a defect of each request.
    explains: 'request',
    shows: (seen) => seen.hasKey && isRefused(seen) && seen.about === 'key',
    run: 'key',
    reason: keyReason,
  },
  {
    // The order of checks is not specified, so a model that is not available explains the error whatever else is wrong. In
    // recorded traffic, a model error with another status is wrong even then.
    explains: 'request',
    shows: ({ error, attributes: { model } }) => error?.about === 'model' && isListedModel(model),
    run: 'operation',
    traffic: ({ status, exchange, attributes: { model, request } }) => {
      if (status !== 400 || exchange.model === undefined || model === undefined) return undefined;
      return request === 'invalid' ? 'model' : 'none';
    },
    reason: 'The model may not have been available at the time of the request.',
  },
  {
    // Sent again, the request proves nothing, because then no other request is under way.
    explains: 'request',
    shows: ({ attributes: { overlapping, key }, result }) =>
      overlapping === 'true' && key === 'good' && !isTransientResult(result),
    run: 'alone',
    reason: 'The operation may not have worked at the time of the request.',
  },
  {
    // A guard blocks an address after wrong keys.
    explains: 'request',
    shows: ({ hasKey, result }) => !hasKey && isSuspectedOfGuard(result),
    run: 'address',
    traffic: ({ status, check }) => (status === 403 && check.isAfterWrongKeys ? 'none' : undefined),
    reason: 'The response is a 403 after wrong keys: the gateway may have blocked the client.',
  },
  {
    explains: 'undecided',
    shows: isErrorInSuccess,
    run: 'operation',
    traffic: 'operation',
    reason: 'The response is a 2xx that contains only an error.',
  },
  {
    // A low balance is no overload, so the status of an overload is wrong the first time.
    explains: 'undecided',
    shows: (seen) => isTransientResult(seen.result) && namesAccount(seen),
    traffic: 'service',
    reason: 'The response may be transient.',
  },
  {
    // A run has no response then.
    explains: 'undecided',
    shows: ({ result }) => result.kind === 'answer' && result.answer.isCut === true,
    traffic: 'operation',
    reason: 'The gateway broke off the response.',
  },
  {
    explains: 'undecided',
    shows: ({ result }) => isTransientResult(result),
    run: 'operation',
    traffic: ({ status }) => (loadStatuses.includes(status) ? 'none' : 'operation'),
    reason: 'The response may be transient.',
  },
];

/**
 * Returns why a failed or undecided check of recorded traffic may not be the gateway's doing; undefined if no cause is
 * possible. Accounts, keys and models may differ from those in the profile.
 */
export function attribute(
  exchange: Exchange,
  check: TrafficCheck,
  errors: ErrorRows,
): Attribution | undefined {
  const seen: SeenInTraffic = { ...see(exchange, errors), exchange, check };
  const { undecided, requirement } = check;
  for (const { explains, shows, traffic, reason } of causes) {
    if ((explains === 'undecided') !== (undecided !== undefined)) continue;
    if ((explains === 'request' && requirement.over !== 'case') || !traffic || !shows(seen)) continue;
    const control = typeof traffic === 'function' ? traffic(seen) : traffic;
    if (control === undefined) continue;
    const text = typeof reason === 'string' ? reason : reason(seen.status);
    return { reason: undecided ?? text, control: control === 'none' ? undefined : control };
  }
  return undecided === undefined ? undefined : { reason: undecided };
}

/** Returns the controls that a run sends before it judges a response; empty if it needs none. */
export function listControls(exchange: ReadableExchange, errors: ErrorRows): readonly RunControl[] {
  const seen = see(exchange, errors);
  return causes.flatMap(({ run, shows }) => (run && shows(seen) ? [run] : []));
}

/**
 * Whether a run sends a control because of this very response. The control after wrong keys is sent for all of them
 * together.
 */
export function awaitsControl(exchange: ReadableExchange, errors: ErrorRows): boolean {
  return listControls(exchange, errors).some((control) => control !== 'address');
}

/**
 * Whether a control of the operation must confirm a response, because the condition of the gateway may have changed
 * since the last control succeeded.
 */
export function needsConfirmation(exchange: ReadableExchange, errors: ErrorRows): boolean {
  return listControls(exchange, errors).includes('operation');
}

/** Whether the gateway refused a key that it must accept, in a header that the operation accepts. */
export function isKeyRejected(exchange: ReadableExchange, errors: ErrorRows): boolean {
  return listControls(exchange, errors).includes('key');
}

/**
 * Whether a valid model call, or a valid request for the balance or the usage, got a 2xx response that contains only
 * an error. Only requests with the valid key in an accepted header count. Requests of a burst do not count.
 */
export function isErrorInSuccess(exchange: ReadableExchange): boolean {
  const { request, key, accepted, burst } = exchange.attributes;
  const isGoodCall =
    request === 'valid' && key === 'good' && accepted === 'true' && (burst ?? 'false') === 'false';
  return isGoodCall && readKind(exchange) === 'error-in-success';
}

/** Whether a server in front of the gateway may have sent the response: a 429 or 5xx whose body is not JSON. */
export function isTransientPage(result: Result): boolean {
  return result.kind === 'answer' && isTransientResult(result) && result.answer.content.kind === 'text';
}

/** Whether a guard may have sent a result: no response, a 403, a 429, or another 4xx or 5xx whose body is not JSON. */
export function isSuspectedOfGuard(result: Result): boolean {
  if (result.kind === 'failure' || result.answer.status === 403 || result.answer.status === 429) return true;
  return result.answer.status >= 400 && result.answer.content.kind !== 'json';
}

/**
 * Whether a response refuses the key of its request. An error that says that no key was sent refuses none: whether the
 * key is valid has then nothing to do with the response.
 */
export function refusesKey(reading: Reading): boolean {
  const { about, error } = reading;
  return isRefused(reading) && about === 'key' && (error?.about !== 'key' || error.refuses.length > 0);
}

function see({ attributes, result }: ReadableExchange, errors: ErrorRows): Seen {
  return {
    ...readAnswer({ attributes, result }, errors),
    attributes,
    result,
    status: result.kind === 'answer' ? result.answer.status : 0,
    hasKey: mustAcceptKey(attributes),
  };
}

/** Whether the request may have come from an account that lost its balance. A wrong or missing key has no account. */
function mayHaveSpentAccount({ hasKey, attributes: { key } }: Seen): boolean {
  return (hasKey || key === undefined) && key !== 'depleted';
}

function namesAccount({ error }: Seen): boolean {
  return error?.about === 'account';
}

function hasNoHeaders(result: Result): boolean {
  // In practice, every response has at least one header.
  return result.kind === 'answer' && Object.keys(result.answer.headers).length === 0;
}

/**
 * Whether a redirect leads to the path of the request, regardless of the scheme, host, prefix, query and trailing
 * slash.
 */
function redirectsToSamePath(exchange: Exchange): boolean {
  const base = 'http://recorded.invalid';
  const location = answerOf(exchange)?.headers.location;
  if (location === undefined || !URL.canParse(location, base)) return false;
  const [to, from] = [new URL(location, base), new URL(exchange.request.path, base)];
  return to.pathname.replace(/\/$/, '').endsWith(from.pathname.replace(/\/$/, ''));
}

function expectsSuccess({ then }: TrafficCheck['requirement']): boolean {
  return then.kind === 'status' && isInStatusSet(then.status, 200) && !isInStatusSet(then.status, 400);
}

function mayLackEndpoint({
  attributes,
  kind,
  check: { requirement, hasOwnHeaders },
}: SeenInTraffic): boolean {
  const { needs } = requirement;
  const isOfEndpoint =
    needs === 'endpoint' || expectsSuccess(requirement) || attributes.key === 'none' || kind !== 'refusal';
  // A header that the specification does not define may name something that does not exist, such as a provider.
  return (needs !== 'key' && isOfEndpoint) || hasOwnHeaders;
}

function mayRejectContents({ attributes, status, check }: SeenInTraffic): boolean {
  const { model = 'none', record = 'none', range = 'none' } = attributes;
  const hasContents = model !== 'none' || record !== 'none' || range !== 'none' || check.hasOwnHeaders;
  return expectsSuccess(check.requirement) && hasContents && (status === 400 || record !== 'none');
}
