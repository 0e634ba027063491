import type { Call } from '../gateway/context.ts';
import type { Failure } from '../gateway/failure.ts';
import type { Json } from '../json.ts';

/** A header as it goes out; the case of the name is kept. */
export type Header = readonly [name: string, value: string];

/** One event of a stream: an object goes out as JSON, a string as it is. */
export type StreamEvent = { readonly name: string | undefined; readonly data: Json };

/** What an answer says, before anything is turned into bytes. */
export type Content =
  | { readonly kind: 'json'; readonly value: Json }
  | { readonly kind: 'events'; readonly events: readonly StreamEvent[] }
  | { readonly kind: 'text'; readonly mediaType: string; readonly text: string }
  | { readonly kind: 'chunks'; readonly mediaType: string; readonly texts: readonly string[] }
  | { readonly kind: 'nothing' };

/** An answer as the contract sees it. */
export type Answer = {
  readonly status: number;
  readonly headers: readonly Header[];
  readonly content: Content;
};

/** A piece of the body, a text as UTF-8, and the pause before it, in milliseconds. */
export type Chunk = { readonly after: number; readonly data: string | Uint8Array };

/** An answer as it travels; `cut` closes the connection in the middle of the body. */
export type Wire = {
  readonly status: number;
  readonly reason: string;
  readonly headers: readonly Header[];
  /** The pause before the first byte of the head, in milliseconds. */
  readonly after: number;
  readonly chunks: readonly Chunk[];
  readonly framing: 'length' | 'chunked';
  readonly ending: 'finish' | 'cut';
};

/** A request that passed its checks is answered, or refused for a reason that only the answer could find. */
export type Response =
  | { readonly kind: 'answered'; readonly answer: Answer; readonly call: Call | undefined }
  | { readonly kind: 'refused'; readonly failure: Failure };
