import type { ErrorRows } from '../catalog/errors.ts';
import type { Requirement } from '../catalog/requirements.ts';
import { isInStatusSet } from '../catalog/status-set.ts';
import { isErrorInSuccess } from '../evidence/attribution.ts';
import { hasStreamEnd } from '../exchange/events.ts';
import { type Answer, answerOf, type Exchange } from '../exchange/exchange.ts';
import { isRefused, isTransientResult, type Reading, readAnswer } from '../exchange/reading.ts';
import type { Finding } from '../judge/finding.ts';
import type { Verdict } from '../judge/judge-requirement.ts';
import { readTextAt } from '../judge/locate.ts';
import { isFailed, isUndecided } from '../judge/outcome.ts';
import { listOwnHeaders } from './inference/infer-credential.ts';
import { isKnownGood } from './inference/infer-from-response.ts';

export interface JudgedExchange {
  readonly exchange: Exchange;
  readonly isPlain: boolean;
  readonly requirement: Requirement;
  readonly verdict: Verdict;
}

/** The kind of calls that can rule out an exemption. The calls must succeed before and after the failed exchange. */
export type RequiredControl = 'key' | 'operation' | 'model' | 'same-request';

/** A reason why the gateway may not have caused a failure, or why a verdict is undecided. */
export interface Exemption {
  readonly reason: string;
  /** The kind of calls that rule out the reason; undefined if no other exchange can rule out the reason. */
  readonly control?: RequiredControl;
}

/** The exemption for a response that refuses a valid key. */
export const changedKeyExemption: Exemption = {
  reason: 'The key may not have been valid at the time of the request.',
  control: 'key',
};

/** Statuses that a proxy or web server in front of the gateway may send, for example for a request that is too long. */
const proxyStatuses = [407, 408, 411, 413, 414, 421, 425, 431, 499];

/**
 * Returns a reason why the gateway may not have caused a failure, or why a verdict is undecided; undefined if no reason
 * is found. The suite sends no controls in the traffic of clients, but successful calls of the clients can replace
 * controls. The accounts, keys and models may differ from those in the profile.
 */
export function findExemption(
  { exchange, isPlain, requirement, verdict }: JudgedExchange,
  errors: ErrorRows,
): Exemption | undefined {
  if (!isFailed(verdict.outcome)) return explainUndecided(verdict, exchange);
  const answer = answerOf(exchange);
  if (!answer) return undefined;
  const reading = readAnswer(exchange, errors);
  if (verdict.findings.some(({ finding }) => isAboutHeaders(finding)) && hasNoHeaders(answer))
    return { reason: 'The response headers are not in the recording.' };
  if (requirement.then.kind === 'names' && requirement.then.what === 'place' && !isPlain)
    return {
      reason: 'The error message may be about a part of the request that the specification does not define.',
    };
  if (answer.status === 403 && reading.kind !== 'refusal')
    return {
      reason: 'The response is a 403 without `error`, which a server in front of the gateway may have sent.',
    };
  if (requirement.then.kind === 'parts' && !hasStreamEnd(answer.text))
    return {
      reason:
        'The recorded stream is incomplete: the client may have stopped reading, or the gateway may have broken off the stream.',
    };
  return requirement.over === 'case'
    ? (explainByNetwork(exchange, answer, reading, requirement) ?? explainByChange(exchange, answer, reading))
    : undefined;
}

/**
 * Explains a failure by a cache or proxy, a redirect, a missing endpoint, or a model, parameter or header that may be
 * invalid. Returns undefined if none of these causes is possible.
 */
function explainByNetwork(
  exchange: Exchange,
  answer: Answer,
  { kind }: Reading,
  { needs, then }: Requirement,
): Exemption | undefined {
  const { status } = answer;
  if (status === 304) return { reason: 'The response is 304, which a cache may have sent.' };
  if (proxyStatuses.includes(status))
    return { reason: `The response is ${status}, which a proxy in front of the gateway may have sent.` };
  if (status >= 300 && status < 400 && redirectsToSamePath(exchange, answer))
    return { reason: 'The response redirects to another address of the same endpoint.' };
  const expectsSuccess =
    then.kind === 'status' && isInStatusSet(then.status, 200) && !isInStatusSet(then.status, 400);
  const isAbsent = status === 404 || status === 405;
  const isOfEndpoint =
    needs === 'endpoint' || expectsSuccess || exchange.attributes.key === 'none' || kind !== 'refusal';
  // A header that the specification does not define may name something that does not exist, such as a provider.
  const hasOwnHeaders = listOwnHeaders(exchange.request.headers).length > 0;
  if (isAbsent && ((needs !== 'key' && isOfEndpoint) || hasOwnHeaders))
    return {
      reason: `The response is ${status}: the gateway may not have the requested endpoint.`,
      control: 'same-request',
    };
  const { model = 'none', record = 'none', range = 'none' } = exchange.attributes;
  const hasContents = model !== 'none' || record !== 'none' || range !== 'none' || hasOwnHeaders;
  // A 400 without `error.type` may report an account without a balance. A later success then proves nothing.
  const mayLackBalance =
    exchange.attributes.surface === 'model' && readTextAt(answer, '/error/type') === undefined;
  return expectsSuccess && hasContents && (status === 400 || (record !== 'none' && status === 404))
    ? {
        reason: `The response is ${status}: the gateway may have rejected the model or a parameter of the request.`,
        ...(!mayLackBalance && { control: 'same-request' }),
      }
    : undefined;
}

/** Explains a failure by a change of the account, the key or the model; undefined if no change can be the reason. */
function explainByChange(
  { attributes, model: id }: Exchange,
  { status }: Answer,
  reading: Reading,
): Exemption | undefined {
  const { key, model, request } = attributes;
  const { about } = reading;
  if (key !== 'depleted' && about === 'account')
    return { reason: 'The account may have had no balance at the time of the request.' };
  // In a header that the operation does not accept, every key is refused, even a valid key.
  if (isKnownGood(attributes) && refusesKey(reading))
    // A key may be valid for only some models and contents.
    return status === 403 && attributes.surface === 'model'
      ? { ...changedKeyExemption, control: 'same-request' }
      : changedKeyExemption;
  // The model ID of an unparseable body is unknown.
  if (model === 'good' && id !== undefined && about === 'model' && status === 400)
    return {
      reason: 'The model may not have been available at the time of the request.',
      ...(request === 'invalid' && { control: 'model' }),
    };
  return undefined;
}

function isAboutHeaders(finding: Finding): boolean {
  return (
    finding.kind === 'wrong-media-type' ||
    ('place' in finding && finding.place?.startsWith('header ') === true)
  );
}

/** Whether a response was recorded without its headers. In practice, every response has at least one header. */
function hasNoHeaders({ headers }: Answer): boolean {
  return Object.keys(headers).length === 0;
}

/**
 * Whether a redirect leads to the path of the request, regardless of the scheme, host, prefix, query and trailing
 * slash.
 */
function redirectsToSamePath({ request: { path } }: Exchange, { headers: { location } }: Answer): boolean {
  const base = 'http://recorded.invalid';
  if (location === undefined || !URL.canParse(location, base)) return false;
  const [to, from] = [new URL(location, base), new URL(path, base)];
  return to.pathname.replace(/\/$/, '').endsWith(from.pathname.replace(/\/$/, ''));
}

/** Statuses of a rate limit or an overload, which may last for hours and affect only some requests. */
const loadStatuses = [429, 503, 529];

function explainUndecided({ outcome, reason }: Verdict, exchange: Exchange): Exemption | undefined {
  if (!isUndecided(outcome)) return undefined;
  const mayBeTransient = isTransientResult(exchange.result) || isErrorInSuccess(exchange);
  return {
    reason: reason ?? 'The requirement could not be judged from this response.',
    ...(mayBeTransient &&
      !loadStatuses.includes(answerOf(exchange)?.status ?? 0) && { control: 'operation' }),
  };
}

/**
 * Whether a response refuses the key of its request. An error that says that no key was sent refuses none: whether the
 * key is valid has then nothing to do with the response.
 */
export function refusesKey(reading: Reading): boolean {
  const { about, error } = reading;
  return isRefused(reading) && about === 'key' && (error?.about !== 'key' || error.refuses.length > 0);
}
