import type { Json } from '../json.ts';

/** A header to send. The name keeps its case. */
export type Header = readonly [name: string, value: string];

/** An event of a stream. A string in `data` is sent unchanged, any other value as JSON. */
export type OutgoingEvent = { readonly name: string | undefined; readonly data: Json };

/** The body of a response before the encoding. */
export type ResponseContent =
  | { readonly kind: 'json'; readonly value: Json }
  | { readonly kind: 'events'; readonly events: readonly OutgoingEvent[] }
  | { readonly kind: 'text'; readonly mediaType: string; readonly text: string }
  | { readonly kind: 'chunks'; readonly mediaType: string; readonly texts: readonly string[] }
  | { readonly kind: 'nothing' };

/** A response before the encoding. */
export type Reply = {
  readonly status: number;
  readonly headers: readonly Header[];
  readonly content: ResponseContent;
};

/** A part of the body, and the pause before this part in milliseconds. Text is sent as UTF-8. */
export type Chunk = { readonly after: number; readonly data: string | Uint8Array };

/**
 * An encoded response. The ending `cut` closes the connection before the end of the body, and `unanswered` closes the
 * connection before the status line, and `closed` after the body, without announcing that.
 */
export type WireResponse = {
  readonly status: number;
  readonly reason: string;
  readonly headers: readonly Header[];
  /** The pause before the first byte, in milliseconds. */
  readonly after: number;
  /** Resolves when a response that waits for its release may be sent. */
  readonly released?: Promise<void>;
  readonly chunks: readonly Chunk[];
  readonly framing: 'length' | 'chunked';
  readonly ending: 'finish' | 'cut' | 'unanswered' | 'closed';
};
