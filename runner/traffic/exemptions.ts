import { mapping } from '../../contract/mapping.ts';
import { errorTypes } from '../../contract/specification.ts';
import type { Requirement } from '../catalog/requirements.ts';
import { isInStatusSet } from '../catalog/status-set.ts';
import { hasStreamEnd } from '../judge/events.ts';
import type { Finding } from '../judge/finding.ts';
import type { Verdict } from '../judge/judge-requirement.ts';
import { readTextAt, readValueAt } from '../judge/locate.ts';
import { isFailed, isUndecided } from '../judge/outcome.ts';
import {
  type Answer,
  answerOf,
  type Exchange,
  isErrorInSuccess,
  isTransientResult,
} from '../transport/exchange.ts';
import { isKnownGood } from './inference/infer-from-response.ts';
import { listOwnHeaders } from './traffic-case.ts';

/** An exchange with the verdict of one requirement. */
export interface JudgedExchange {
  readonly exchange: Exchange;
  readonly isPlain: boolean;
  readonly requirement: Requirement;
  readonly verdict: Verdict;
}

/** Error types that do not show whether the key in an accepted header is valid. */
const explainsNoKey: readonly string[] = [errorTypes.insufficientBalance, errorTypes.missingCredential];

/**
 * The kind of call that must have succeeded before and after an exchange, so that an exemption no longer explains its failure.
 */
export type RequiredControl = 'key' | 'operation' | 'model' | 'same-request';

/** A reason why a failed requirement may not be the gateway's fault. */
export interface Exemption {
  readonly reason: string;
  /** The calls that would rule the reason out; undefined if no other exchange can rule it out. */
  readonly control?: RequiredControl;
}

/** The exemption of a key of the profile that is refused. */
export const keyMayHaveChanged: Exemption = {
  reason: 'The key may not have been valid at that time.',
  control: 'key',
};

/** Statuses that a proxy or web server in front of a gateway sends, such as for a request that is too long. */
const proxyStatuses = [407, 408, 411, 413, 414, 421, 425, 431, 499];

/**
 * Returns a reason why a failed requirement may not be the gateway's fault, or why a verdict is undecided;
 * undefined if no reason is found. In recorded traffic no control was sent, and accounts, keys and models may
 * have changed since the profile was written.
 */
export function findExemption({
  exchange,
  isPlain,
  requirement,
  verdict,
}: JudgedExchange): Exemption | undefined {
  if (!isFailed(verdict.outcome)) return explainUndecided(verdict, exchange);
  const answer = answerOf(exchange);
  if (!answer) return undefined;
  if (verdict.findings.some(({ finding }) => isAboutHeaders(finding)) && hasNoHeaders(answer))
    return { reason: 'The response headers are not in the recording.' };
  if (requirement.then.kind === 'names' && requirement.then.what === 'place' && !isPlain)
    return {
      reason:
        'The error message may be about another part of the request, which the specification does not define.',
    };
  if (answer.status === 403 && !hasError(answer))
    return {
      reason: 'The response is a 403 without `error`, which a server in front of the gateway may have sent.',
    };
  if (requirement.then.kind === 'parts' && !hasStreamEnd(answer.text))
    return {
      reason:
        'The recorded stream has no end: the client may have stopped reading, or the gateway may have broken it off.',
    };
  return requirement.over === 'case'
    ? (explainByNetwork(exchange, answer, requirement) ?? explainByChange(exchange, answer))
    : undefined;
}

/** Explains a failure by the network, a server in front of the gateway, or values that only the gateway knows. */
function explainByNetwork(
  exchange: Exchange,
  answer: Answer,
  { needs, then }: Requirement,
): Exemption | undefined {
  const { status } = answer;
  if (status === 304) return { reason: 'The response is 304, which a cache may have sent.' };
  if (proxyStatuses.includes(status))
    return { reason: `The response is ${status}, which a proxy in front of the gateway may have sent.` };
  if (status >= 300 && status < 400 && redirectsToSamePath(exchange, answer))
    return { reason: 'The response redirects to another address of the same endpoint.' };
  const wantsSuccess =
    then.kind === 'status' && isInStatusSet(then.status, 200) && !isInStatusSet(then.status, 400);
  const isAbsent = status === 404 || status === 405;
  const isOfEndpoint =
    needs === 'endpoint' || wantsSuccess || exchange.attributes.key === 'none' || !hasError(answer);
  // A header such as a provider may name something that does not exist.
  const hasOwnHeaders = listOwnHeaders(exchange.request.headers).length > 0;
  if (isAbsent && ((needs !== 'key' && isOfEndpoint) || hasOwnHeaders))
    return {
      reason: `The response is ${status}: the gateway may not have this endpoint.`,
      control: 'same-request',
    };
  const { model = 'none', record = 'none', range = 'none' } = exchange.attributes;
  const hasContents = model !== 'none' || record !== 'none' || range !== 'none' || hasOwnHeaders;
  // A 400 without a type may report an account without balance, which the next call of the same request no longer shows.
  const mayLackBalance =
    exchange.attributes.surface === 'model' && readTextAt(answer, '/error/type') === undefined;
  return wantsSuccess && hasContents && (status === 400 || (record !== 'none' && status === 404))
    ? {
        reason: `The response is ${status}: the gateway may have rejected the model or a parameter of the request.`,
        ...(!mayLackBalance && { control: 'same-request' }),
      }
    : undefined;
}

/**
 * Explains a failure by a change of the account, the key or the model. The gateway's own error type takes precedence over the
 * status: a 403 about a model shows nothing about the key.
 */
function explainByChange({ attributes, model: id }: Exchange, answer: Answer): Exemption | undefined {
  const { key, model, request } = attributes;
  const { status } = answer;
  const type = readTextAt(answer, '/error/type') ?? '';
  const isModelError = type === errorTypes.modelNotAvailable || type === errorTypes.modelNotSupported;
  if (key !== 'depleted' && (type === errorTypes.insufficientBalance || (status === 402 && !isModelError)))
    return { reason: 'The account may have had no balance at that time.' };
  const isRefused = status === 401 || (status === 403 && !isModelError && !explainsNoKey.includes(type));
  // A key that the operation does not accept in this header is refused whether it is valid or not.
  if (isKnownGood(attributes) && isRefused)
    // A key may not be valid for each model and content.
    return status === 403 && attributes.surface === 'model'
      ? { ...keyMayHaveChanged, control: 'same-request' }
      : keyMayHaveChanged;
  // A body that can't be read names no model.
  if (model === 'good' && id !== undefined && isModelError && status === 400)
    return {
      reason: 'The model may not have been available at that time.',
      ...(request === 'invalid' && { control: 'model' }),
    };
  return undefined;
}

function isAboutHeaders(finding: Finding): boolean {
  return finding.kind === 'wrong-media-type' || ('place' in finding && finding.place.startsWith('header '));
}

/** Whether a response was recorded without its headers. Every sent response has at least one header. */
function hasNoHeaders({ headers }: Answer): boolean {
  return Object.keys(headers).length === 0;
}

function hasError(answer: Answer): boolean {
  return Object.keys(mapping(readValueAt(answer, '/error'))).length > 0;
}

/** Whether a redirect leads to the same path with another scheme or host, or with a trailing slash added or removed. */
function redirectsToSamePath({ request: { path } }: Exchange, { headers: { location } }: Answer): boolean {
  const base = 'http://recorded.invalid';
  if (location === undefined || !URL.canParse(location, base)) return false;
  const [to, from] = [new URL(location, base), new URL(path, base)];
  return to.pathname.replace(/\/$/, '').endsWith(from.pathname.replace(/\/$/, ''));
}

/** Statuses of a limit or an overload, which may affect some requests only and last for hours. */
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

/** Whether the response reports that a model cannot be called. */
export function reportsModel(answer: Answer): boolean {
  return readTextAt(answer, '/error/type')?.startsWith('model_') === true;
}

/** Whether a response refuses the key of its request. */
export function refusesKey(exchange: Exchange): boolean {
  const status = answerOf(exchange)?.status;
  return status === 401 || status === 403;
}

/** Whether the gateway itself rejected a key, with the status and a type of section 7.1. */
export function isOwnRejection(exchange: Exchange): boolean {
  const answer = answerOf(exchange);
  const type = answer && readTextAt(answer, '/error/type');
  return (
    answer?.status === 401 && (type === errorTypes.invalidBearerToken || type === errorTypes.invalidApiKey)
  );
}
