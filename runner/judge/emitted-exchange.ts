import type { Exchange } from '../exchange/exchange.ts';

/** An exchange that a source emits, and what the source knows about it. */
export interface EmittedExchange {
  readonly exchange: Exchange;
  /** The part of the URL before the path, which identifies the gateway. */
  readonly base: string;
  /** The position of the exchange in the traffic. */
  readonly position: number;
  /** The case whose request this is, if it has one; undefined if no run of this suite sent the request. */
  readonly run: { readonly case: string | undefined } | undefined;
  /** Whether the request has only members that the specification defines. */
  readonly isPlain: boolean;
  /** Whether the whole body of the request is known, so that it can be compared with others. */
  readonly isWhole: boolean;
  /** Whether the gateway offers the operation, as far as known. */
  readonly isOffered: boolean;
}
