import { toMapping } from '../../common/mapping.ts';
import { readMember } from '../../common/pointer.ts';
import type { ErrorRow, ErrorRows, ErrorSubject } from '../catalog/errors.ts';
import { hasOnlyError, isErrorBody } from './decode.ts';
import { reportsError } from './events.ts';
import { type Exchange, isSuccess, type Result, readErrorMember } from './exchange.ts';

/**
 * - `success`: a 2xx without any sign of an error
 * - `unclear`: a 2xx with a sign of an error in some form, perhaps next to model output
 * - `error-in-success`: a 2xx whose body is only an error, in the form of section 2.2 or 2.3
 * - `transient`: a 429, a 5xx, or no response
 * - `refusal`: another 4xx with an object `error`
 * - `page`: another 4xx without `error`, which a proxy, a firewall or a web server may have sent
 * - `unreadable`: another 4xx whose body could not be decoded
 * - `other`: an interim response or a redirect
 */
export type ReadingKind =
  | 'success'
  | 'unclear'
  | 'error-in-success'
  | 'transient'
  | 'refusal'
  | 'page'
  | 'unreadable'
  | 'other';

/**
 * What a response says: a fact, which decides whether to send a request again or which control to send. It excuses
 * nothing: a requirement is judged by the raw members of the response.
 */
export interface Reading {
  readonly kind: ReadingKind;
  /** The error of `specs/errors.yaml` that the body names; undefined for a body that names none. */
  readonly error: ErrorRow | undefined;
  /** What an error is about, according to its name or its status; undefined if neither says so. */
  readonly about: ErrorSubject | undefined;
}

/** Whether the response refuses the request for good: a 4xx except 429. */
export function isRefused({ kind }: Pick<Reading, 'kind'>): boolean {
  return kind === 'refusal' || kind === 'page' || kind === 'unreadable';
}

/** A response and the attributes of its request. */
export type ReadableExchange = Pick<Exchange, 'attributes' | 'result'>;

/** Reads the response of an exchange. */
export function readAnswer(exchange: ReadableExchange, errors: ErrorRows): Reading {
  const error = findError(exchange, errors);
  const status = exchange.result.kind === 'answer' ? exchange.result.answer.status : undefined;
  return { kind: readKind(exchange), error, about: subjectOf(status, error) };
}

/** Returns the kind of the reading, which needs no knowledge of errors. */
export function readKind({ attributes, result }: ReadableExchange): ReadingKind {
  if (result.kind === 'failure' || isTransientResult(result)) return 'transient';
  const { status, text, content } = result.answer;
  if (isSuccess(status)) {
    if (containsOnlyError(attributes, result)) return 'error-in-success';
    return reportsError(text) ? 'unclear' : 'success';
  }
  if (status < 400) return 'other';
  if (content.kind === 'unreadable') return 'unreadable';
  const error = content.kind === 'json' ? toMapping(readMember(content.value, '/error')) : {};
  return Object.keys(error).length > 0 ? 'refusal' : 'page';
}

/** Whether a result may be transient: a 429, a 5xx, or no response. */
export function isTransientResult(result: Result): boolean {
  return result.kind === 'failure' || result.answer.status === 429 || result.answer.status >= 500;
}

/**
 * The model calls of all protocols and the requests for the balance and the usage never respond with an error alone. A
 * request record may have any members, and a model list any form.
 */
function containsOnlyError({ surface, operation }: Exchange['attributes'], result: Result): boolean {
  if (result.kind === 'failure') return false;
  const { text, content } = result.answer;
  if (surface === 'model') return hasOnlyError(text);
  return (
    (operation === 'balance' || operation === 'usage') &&
    content.kind === 'json' &&
    isErrorBody(content.value)
  );
}

/**
 * Returns the error that a JSON body names: in `error.type`, on any endpoint, since section 5 applies to all; in
 * `error.code`, unless the request is known to belong to an endpoint of another type.
 */
function findError(
  { attributes, result }: ReadableExchange,
  { types, codes }: ErrorRows,
): ErrorRow | undefined {
  const type = readErrorMember(result, '/error/type');
  const named = typeof type === 'string' ? types.get(type) : undefined;
  const { surface = 'billing' } = attributes;
  if (named || surface !== 'billing') return named;
  const code = readErrorMember(result, '/error/code');
  return typeof code === 'string' ? codes.get(code) : undefined;
}

/**
 * 401 is the status of a refused key (5 rule 2), whichever error stands in the body, except an account without a
 * balance. For all other statuses, a named error says more than the status. An invalid request is what gateways report
 * if no other name fits, so it says less.
 */
function subjectOf(status: number | undefined, error: ErrorRow | undefined): ErrorSubject | undefined {
  if (status === 401) return error?.about === 'account' ? 'account' : 'key';
  if (error && error.about !== 'request') return error.about;
  return subjectOfStatus(status) ?? error?.about;
}

function subjectOfStatus(status = 0): ErrorSubject | undefined {
  if (status === 402) return 'account';
  if (status === 403) return 'key';
  if (status === 429) return 'rate';
  return status >= 500 ? 'gateway' : undefined;
}
