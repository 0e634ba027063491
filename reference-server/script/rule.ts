import type { BillingCode, ErrorType } from '../../common/specification.ts';
import type { GatewayOperationId } from '../gateway/operations.ts';
import type { PresentedKey } from '../gateway/presented-key.ts';
import type { Json } from '../json.ts';

/** The errors that a script can send: the types of section 7.1 and the codes of section 7.2. */
export type ScriptError = ErrorType | BillingCode;

/**
 * Conditions on a request. A request must satisfy all conditions. In `path`, `model`, `headers` and the strings of
 * `body`, `*` matches any text.
 */
export type ScriptMatch = {
  readonly operation?: GatewayOperationId | readonly GatewayOperationId[];
  readonly method?: string;
  /** The path of the request, without the query. */
  readonly path?: string;
  readonly model?: string;
  readonly key?: PresentedKey;
  /** Whether the request asks for a stream. */
  readonly streamed?: boolean;
  /** Headers of the request. Names are case-insensitive. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * A JSON value that the body must match. Objects in the request can have more members, and arrays can have more
   * items in any order.
   */
  readonly body?: Json;
};

/** One event of a scripted stream. A string in `data` is sent as text, any other value as JSON. */
export type ScriptEvent = { readonly event?: string; readonly data: Json };

type ResponseOptions = {
  /** Headers to add. An added header replaces the header with the same name. */
  readonly headers?: Readonly<Record<string, string | number>>;
  /**
   * The value of `Retry-After`, in seconds. Default: 1 for the error `rate_limit_exceeded`, and no header for other
   * responses.
   */
  readonly retryAfter?: number;
  /** The pause before the response, such as `500ms` or `10s`. Default: `latencyMs` of the server. */
  readonly after?: string;
  /** The number of chunks of the body after which the connection breaks. Default: the connection does not break. */
  readonly cut?: number;
};

/**
 * One response: an error of the gateway (`error`), the reply of a model (`text`), a body, a stream of events or raw
 * chunks, or an empty body (only `status`). With only `headers`, `retryAfter`, `after` or `cut`, these options change
 * the normal response of the gateway.
 */
export type ScriptAnswer = ResponseOptions &
  (
    | { readonly error: ScriptError }
    | { readonly text: string }
    | { readonly status?: number; readonly body: Json }
    | { readonly status?: number; readonly events: readonly ScriptEvent[] }
    | { readonly status?: number; readonly chunks: readonly string[] }
    | { readonly status?: number }
  );

/** A rule of a script: conditions, and the responses to the requests that satisfy the conditions. */
export type ScriptRule = {
  /** The conditions of the rule. Default: every request. */
  readonly match?: ScriptMatch;
  /** One response, or a list of responses to consecutive requests. */
  readonly answer: ScriptAnswer | readonly ScriptAnswer[];
  /** How often the response or the whole list is used. Default: without limit for one response, once for a list. */
  readonly times?: number;
};
