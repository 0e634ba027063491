import { readMember } from '../../contract/pointer.ts';
import { errorTypes } from '../../contract/specification.ts';
import type { Attributes } from '../catalog/condition.ts';
import { isInStatusSet } from '../catalog/status-set.ts';
import type { ExpectedResponse } from '../plan/expected-responses.ts';
import type { GeneratedNumber } from '../plan/generation.ts';

/** A request as it goes over the wire; header names in lower case. */
export interface WireRequest {
  readonly method: string;
  /** Path and query relative to the base URL. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** What stands in a body: JSON, other text, or nothing that can be judged. */
export type Content =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'text' }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** An answer, read to its end or to the limits. */
export interface Answer {
  readonly status: number;
  /** Names in lower case; repeated headers joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
  /** The decoded body as text. */
  readonly text: string;
  /** Bytes of the decoded body. */
  readonly size: number;
  readonly content: Content;
  /** In how many pieces the body arrived. */
  readonly pieces: number;
}

/** Why no answer came. */
export interface Failure {
  /** `held-back`: it was not sent. */
  readonly reason:
    | 'refused'
    | 'unresolved'
    | 'tls'
    | 'reset'
    | 'timeout'
    | 'protocol'
    | 'held-back'
    | 'other';
  readonly detail: string;
}

export type Result =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'failure'; readonly failure: Failure };

/** One request with what came of it. */
export interface Exchange {
  /** The case and step, or the control, that sent it. */
  readonly id: string;
  readonly attributes: Attributes;
  /** The ID of the model that was asked for, where one was. */
  readonly model: string | undefined;
  readonly request: WireRequest;
  readonly result: Result;
  /** Start, in milliseconds since 1970. */
  readonly startedAt: number;
  readonly durationMs: number;
  /**
   * Results of the same request that do not count: retries after a 429, a 5xx, no response or an unavailable model. `result`
   * is the last response, so a failure among these may have come after it.
   */
  readonly earlier: readonly Result[];
  /** Whether the good calls sent to confirm a response that may be transient all succeeded; undefined if none was sent. */
  readonly controlAfter: 'succeeded' | 'failed' | undefined;
  /** Set where the request was drawn at random. */
  readonly drawn?: GeneratedRequest | undefined;
}

/** Which drawn request one is, and what is known of others like it. */
export interface GeneratedRequest extends GeneratedNumber {
  readonly shrunk?: Shrunk;
}

/** What came of the search for a smaller request that breaks the same in the same way. */
export type Shrunk =
  /** None of those that were tried is smaller. */
  | { readonly kind: 'smallest'; readonly tried: number }
  /** The same request, sent again, was answered as it should be. */
  | { readonly kind: 'unsteady' }
  /** Another case broke the same in the same way, and was shrunk. */
  | { readonly kind: 'like'; readonly case: string }
  /** Nothing was tried. */
  | { readonly kind: 'untried'; readonly reason: string };

/** The answer of an exchange; undefined where none came. */
export function answerOf(exchange: Exchange): Answer | undefined {
  return exchange.result.kind === 'answer' ? exchange.result.answer : undefined;
}

/** The exchange of a request that was sent again: the tries of both, judged by the last response. */
export function afterEarlier(before: Exchange, again: Exchange): Exchange {
  const tries = [...before.earlier, before.result, ...again.earlier, again.result];
  return { ...again, ...lastResponse(tries) };
}

/** The result of several tries: the last response that came, or the last failure if none did. */
export function lastResponse(tries: readonly Result[]): Pick<Exchange, 'result' | 'earlier'> {
  const last = tries.findLastIndex(({ kind }) => kind === 'answer');
  const index = last < 0 ? tries.length - 1 : last;
  const result = tries[index];
  if (!result) throw new Error('A request needs at least one try.');
  return { result, earlier: tries.filter((_, other) => other !== index) };
}

/** Whether a request was not sent, because it may be billed. */
export function isHeldBack({ result }: Pick<Exchange, 'result'>): boolean {
  return result.kind === 'failure' && result.failure.reason === 'held-back';
}

/** Whether the result is an answer of class 2xx. */
export function succeeded(result: Result): boolean {
  return result.kind === 'answer' && isSuccess(result.answer.status);
}

/** Whether a status is of class 2xx. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Whether an exchange shows its model to be a good one: a right call with the good key, which succeeded. */
export function showsGoodModel({ attributes: facts, result }: Exchange): boolean {
  const { model, request, key } = facts;
  return model === 'good' && request === 'valid' && key === 'good' && succeeded(result);
}

/** Whether the result may be different when the request is sent again: 429, 5xx, or no answer. */
export function isTransient(result: Result): boolean {
  return result.kind === 'failure' || result.answer.status === 429 || result.answer.status >= 500;
}

/** Whether a response is one of those that the plan expects; a request without a response has none. */
export function isExpectedResponse(result: Result, expected: readonly ExpectedResponse[]): boolean {
  if (result.kind === 'failure') return false;
  const { status } = result.answer;
  const isOneOf = (values: readonly string[] | undefined, place: string): boolean => {
    const value = values && errorMember(result, place);
    return !values || (typeof value === 'string' && values.includes(value));
  };
  return expected.some(
    ({ statuses, types, codes }) =>
      statuses.every((set) => isInStatusSet(set, status)) &&
      isOneOf(types, '/error/type') &&
      isOneOf(codes, '/error/code'),
  );
}

/** Whether the answer says that a model does not exist, or is unavailable for now. */
export function saysUnavailable(result: Result): boolean {
  return errorMember(result, '/error/type') === errorTypes.modelNotAvailable;
}

/**
 * Whether the answer may tell of what has changed since a call succeeded: a passing condition of the gateway, a model
 * that is unavailable for now, or an account that has no balance left.
 */
export function mayHaveChanged({
  attributes: facts,
  result,
}: Pick<Exchange, 'attributes' | 'result'>): boolean {
  if (isTransient(result)) return true;
  const { key, model, accepted } = facts;
  if (accepted !== 'true') return false;
  if (key === 'good' && saysDepleted(result)) return true;
  const isListed = model !== 'unlisted' && model !== 'none';
  return (key === 'good' || key === 'depleted') && isListed && saysUnavailable(result);
}

/** Whether the answer says that the account has no balance left. */
export function saysDepleted(result: Result): boolean {
  return errorMember(result, '/error/type') === errorTypes.insufficientBalance;
}

/** The value at a JSON pointer in a JSON response; undefined for any other response. */
export function errorMember(result: Result, place: string): unknown {
  if (result.kind !== 'answer' || result.answer.content.kind !== 'json') return undefined;
  return readMember(result.answer.content.value, place);
}
