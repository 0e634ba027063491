import { readMember } from '../../common/pointer.ts';
import type { SetupAction } from '../../common/profile-values.ts';
import type { Attributes } from '../catalog/condition.ts';
import { isInStatusSet } from '../catalog/status-set.ts';
import type { SetupCall } from '../profile/setup.ts';
import type { BodyContent } from './decode.ts';
import type { ExpectedResponse } from './expected-responses.ts';
import type { GeneratedNumber } from './generation.ts';

export type { BodyContent } from './decode.ts';

/**
 * A request in the form that is sent. Header names are in lower case, except in cases that test mixed case and in
 * requests of `setup`.
 */
export interface WireRequest {
  readonly method: string;
  /** The path and the query, relative to the base URL. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** A response, read to its end or to the size limit. */
export interface Answer {
  readonly status: number;
  /** The headers, by name in lower case. The different values of a repeated header are joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text; the undecoded bytes within the size limit if the body is too long or cannot be decoded. */
  readonly text: string;
  /** The size of the body from which `text` was created, in bytes. */
  readonly size: number;
  readonly content: BodyContent;
  /** The number of chunks in which the body arrived. */
  readonly pieces: number;
  /** Whether the gateway closed the connection before the end of the response, as the proxy saw it. */
  readonly isCut?: true;
}

/**
 * The `reason` of a request that was not sent because the limit of billable calls was reached. Reports contain this
 * value.
 */
export const notSentReason = 'held-back';

/** The failure of a request that got no complete response. */
export interface TransportFailure {
  readonly reason:
    | 'refused'
    | 'unresolved'
    | 'tls'
    | 'reset'
    | 'timeout'
    | 'protocol'
    | typeof notSentReason
    | 'other';
  readonly detail: string;
  /** Set if the gateway closed the connection before any response began, including interim responses (1xx). */
  readonly isUnanswered?: true;
  /** The status of the response, if the gateway closed the connection after its headers and before its end. */
  readonly cutStatus?: number;
  /** Set if the request was sent over a new connection because a connection broke before any response began. */
  readonly brokeFirst?: true;
}

export type Result =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'failure'; readonly failure: TransportFailure };

/** A result of a transport that knows which requests a connection carried. */
export type SentResult = Result & {
  /**
   * The last refused request with a body that the same connection carried before, without a success since. A gateway
   * that did not read this body may have taken it for the beginning of the request.
   */
  readonly after?: WireRequest;
  /** The request that the same connection carried just before; absent for the first request of a connection. */
  readonly previous?: WireRequest;
};

export interface Exchange {
  /** Identifies the step of a case, such as `CASE#1`, or a request without a case, such as a repeated control. */
  readonly id: string;
  readonly attributes: Attributes;
  /** The ID of the requested model; undefined if no ID is known. */
  readonly model: string | undefined;
  readonly request: WireRequest;
  readonly result: Result;
  /**
   * The start, in milliseconds since 1970-01-01 UTC. If the request was sent again later to confirm its result, the
   * start and the duration are usually those of the last exchange.
   */
  readonly startedAt: number;
  /** The duration of the exchange that began at `startedAt`, in milliseconds. */
  readonly durationMs: number;
  /**
   * The results of all other attempts of the same request. Responses in this list are judged only in pooled cases. A
   * request is sent again after a result that may be transient. A result in this list may have occurred later than
   * `result`.
   */
  readonly earlier: readonly Result[];
  /**
   * Whether the response was confirmed by a control, or, for a rejected valid key, by a later success of the same
   * key. `failed` also if no control could be sent; undefined if no confirmation was attempted.
   */
  readonly controlAfter: 'succeeded' | 'failed' | undefined;
  /** The changes and requests on which the request depends, in order; undefined if it depends on none. */
  readonly before?: readonly Preparation[] | undefined;
  /** The request that the same connection carried just before; undefined for the first, and if it is not known. */
  readonly previous?: WireRequest | undefined;
  /** The identity of a generated request; undefined for any other request. */
  readonly generatedRequest?: GeneratedRequest | undefined;
}

/** A change of the gateway, or a request, on which a later request depends. */
export type Preparation =
  | {
      readonly kind: 'setup';
      readonly action: SetupAction;
      readonly call: SetupCall;
      /** The values of the created key, by name. */
      readonly values: Readonly<Record<string, string>>;
    }
  /**
   * `underWay` is the number of such requests that were under way during the next change. `sameConnection`: the result
   * depends on the connection, which carried this request just before.
   */
  | {
      readonly kind: 'request';
      readonly request: WireRequest;
      readonly underWay?: number;
      readonly sameConnection?: true;
    };

/** The identity of a generated request, and the result of the search for a smaller request. */
export interface GeneratedRequest extends GeneratedNumber {
  readonly shrunk?: ShrinkResult;
}

/** The result of the search for a smaller request that fails in the same way. */
export type ShrinkResult =
  /** The request is the smallest request that failed in the same way, out of `tried` requests. */
  | { readonly kind: 'smallest'; readonly tried: number }
  /** The same request did not fail in the same way when the request was sent again. */
  | { readonly kind: 'unsteady' }
  /** Another case failed in the same way and was shrunk instead. */
  | { readonly kind: 'like'; readonly case: string }
  /** No smaller request was tried. */
  | { readonly kind: 'untried'; readonly reason: string };

export function answerOf(exchange: Exchange): Answer | undefined {
  return exchange.result.kind === 'answer' ? exchange.result.answer : undefined;
}

/**
 * Merges two exchanges of the same request. The result is chosen from the attempts of both exchanges. The start and
 * the duration are those of the second exchange.
 */
export function mergeTries(before: Exchange, again: Exchange): Exchange {
  const tries = [...before.earlier, before.result, ...again.earlier, again.result];
  return { ...again, ...chooseResult(tries) };
}

/**
 * Chooses the result of several attempts: the last response, or the last failure if no response was received. Throws
 * an `Error` for an empty list.
 */
export function chooseResult<Tried extends Result>(
  tries: readonly Tried[],
): { readonly result: Tried; readonly earlier: readonly Tried[] } {
  const last = tries.findLastIndex(({ kind }) => kind === 'answer');
  const index = last < 0 ? tries.length - 1 : last;
  const result = tries[index];
  if (!result) throw new Error('The list of attempts is empty. Pass at least one attempt.');
  return { result, earlier: tries.filter((_, other) => other !== index) };
}

/** Whether a request was not sent because the limit of billable calls was reached. */
export function wasNotSent({ result }: Pick<Exchange, 'result'>): boolean {
  return result.kind === 'failure' && result.failure.reason === notSentReason;
}

/** Whether the result is a response with a 2xx status. */
export function succeeded(result: Result): boolean {
  return result.kind === 'answer' && isSuccess(result.answer.status);
}

/** Whether a status is 2xx. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Whether an exchange shows that its model works: a valid call with the valid key succeeded. */
export function showsGoodModel({ attributes, result }: Exchange): boolean {
  const { model, request, key } = attributes;
  return model === 'good' && request === 'valid' && key === 'good' && succeeded(result);
}

/** Whether the result is one of the expected responses. Returns false if no response was received. */
export function isExpectedResponse(result: Result, expected: readonly ExpectedResponse[]): boolean {
  if (result.kind === 'failure') return false;
  const { status } = result.answer;
  const isOneOf = (values: readonly string[] | undefined, place: string): boolean => {
    const value = values && readErrorMember(result, place);
    return !values || (typeof value === 'string' && values.includes(value));
  };
  return expected.some(
    ({ statuses, types, codes }) =>
      statuses.every((set) => isInStatusSet(set, status)) &&
      isOneOf(types, '/error/type') &&
      isOneOf(codes, '/error/code'),
  );
}

/**
 * Whether the model list contains, or may contain, a model with this value of the attribute `model`. A listed model
 * may be available later. Returns true for undefined.
 */
export function isListedModel(model: string | undefined): boolean {
  return model !== 'unlisted' && model !== 'alias' && model !== 'none';
}

/** Returns the value at a JSON pointer in a JSON response; undefined for an absent value and for other results. */
export function readErrorMember(result: Result, place: string): unknown {
  if (result.kind !== 'answer' || result.answer.content.kind !== 'json') return undefined;
  return readMember(result.answer.content.value, place);
}
