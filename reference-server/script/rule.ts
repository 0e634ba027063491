import type { Json } from '../json.ts';
import type { OperationId } from '../operations.ts';
import type { PresentedKey } from '../presented-key.ts';

/** The failures that a script can ask for: the types of section 7.1 and the codes of section 7.2. */
export type ScriptError =
  | 'missing_auth_credential'
  | 'invalid_api_key'
  | 'invalid_bearer_token'
  | 'model_not_available'
  | 'model_not_supported'
  | 'invalid_request_error'
  | 'insufficient_balance'
  | 'invalid_request'
  | 'not_found'
  | 'rate_limit_exceeded'
  | 'internal_error';

/** What holds of a request; all of it. In texts, `*` is any text. */
export type ScriptMatch = {
  readonly operation?: OperationId | readonly OperationId[];
  readonly method?: string;
  /** As it is sent, without the query. */
  readonly path?: string;
  readonly model?: string;
  readonly key?: PresentedKey;
  readonly streamed?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  /** What the body has, beside anything else. */
  readonly body?: Json;
};

/** One event of a scripted stream: a text goes out as it is, all else as JSON. */
export type ScriptEvent = { readonly event?: string; readonly data: Json };

/** What any scripted answer may have. */
type Manner = {
  readonly headers?: Readonly<Record<string, string | number>>;
  /** In seconds. */
  readonly retryAfter?: number;
  /** The pause before the answer, such as `500ms` or `10s`. */
  readonly after?: string;
  /** The connection breaks after so many chunks of the body. */
  readonly cut?: number;
};

/** A failure of the gateway, an answer in words of one's own, or the normal answer, with another text or without. */
export type ScriptAnswer = Manner &
  (
    | { readonly error: ScriptError }
    | { readonly text: string }
    | { readonly status?: number; readonly body: Json }
    | { readonly status?: number; readonly events: readonly ScriptEvent[] }
    | { readonly status?: number; readonly chunks: readonly string[] }
    | { readonly status?: number }
  );

/** Answers to the requests that match: one, or several that are given one after the other. */
export type ScriptRule = {
  readonly match?: ScriptMatch;
  readonly answer: ScriptAnswer | readonly ScriptAnswer[];
  /** How often the answer is given, or the list gone through; where nothing is said, an answer without end and a list once. */
  readonly times?: number;
};
