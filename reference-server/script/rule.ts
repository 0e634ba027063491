import type { BillingCode, ErrorType } from '../../contract/specification.ts';
import type { OperationId } from '../gateway/operations.ts';
import type { PresentedKey } from '../gateway/presented-key.ts';
import type { Json } from '../json.ts';

/** The failures that a script can ask for: the types of section 7.1 and the codes of section 7.2. */
export type ScriptError = ErrorType | BillingCode;

/** Conditions on a request, all of which must hold. In texts, `*` matches any text. */
export type ScriptMatch = {
  readonly operation?: OperationId | readonly OperationId[];
  readonly method?: string;
  /** The path as sent, without the query. */
  readonly path?: string;
  /** The model ID that the request names. */
  readonly model?: string;
  /** The role of its key. */
  readonly key?: PresentedKey;
  /** Whether it asks for a stream. */
  readonly streamed?: boolean;
  /** Its headers, by name in any case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What the body contains among other things: members of an object, items of a list at any place. */
  readonly body?: Json;
};

/** One event of a scripted stream. A text in `data` is sent as it is, any other value as JSON. */
export type ScriptEvent = { readonly event?: string; readonly data: Json };

/** Members of every scripted answer. */
type Manner = {
  /** Headers to add, or to replace those of the same name. */
  readonly headers?: Readonly<Record<string, string | number>>;
  /** The value of `Retry-After`, in seconds. */
  readonly retryAfter?: number;
  /** The pause before the response, such as `500ms` or `10s`. Default: `latencyMs` of the server. */
  readonly after?: string;
  /** The number of chunks of the body after which the connection breaks. Default: it does not break. */
  readonly cut?: number;
};

/**
 * One response: a failure of the gateway (`error`), a model's reply (`text`), a body, a stream of events or of raw chunks,
 * or, with none of these, the normal response.
 */
export type ScriptAnswer = Manner &
  (
    | { readonly error: ScriptError }
    | { readonly text: string }
    | { readonly status?: number; readonly body: Json }
    | { readonly status?: number; readonly events: readonly ScriptEvent[] }
    | { readonly status?: number; readonly chunks: readonly string[] }
    | { readonly status?: number }
  );

/** A rule of a script: the requests that it matches, and their responses. */
export type ScriptRule = {
  /** Default: every request. */
  readonly match?: ScriptMatch;
  /** One response, or a list of responses to consecutive requests. */
  readonly answer: ScriptAnswer | readonly ScriptAnswer[];
  /** How often the answer, or the whole list, is used. Default: without limit for one answer, once for a list. */
  readonly times?: number;
};
