import type { Attributes } from '../catalog/condition.ts';
import type { Result } from '../transport/exchange.ts';

/** A header line as it was sent; the name is in lower case. */
export type HeaderLine = readonly [name: string, value: string];

/** One exchange of recorded or live traffic. */
export interface RecordedExchange {
  /** The place in the recording, such as `capture.har entry 3`. */
  readonly id: string;
  readonly request: {
    readonly method: string;
    /** An absolute URL, or a path with its query. */
    readonly url: string;
    readonly headers: readonly HeaderLine[];
    readonly headersLost?: true;
    /** The body of the request; undefined if the request had no body. */
    readonly body: string | undefined;
    /** Set if a body was sent that is not recorded completely. */
    readonly bodyLost?: true;
  };
  readonly result: Result;
  /** The start of the exchange, in milliseconds since 1970. */
  readonly startedAt: number;
  readonly durationMs: number;
  /** How the exchange ended; undefined if the recording does not contain it. */
  readonly ended?: ExchangeEnd;
  /** The notes of this suite in its own recording; undefined in recordings of other tools. */
  readonly notes: RecordedNotes | undefined;
}

/** The end of an exchange: the whole response, or a connection that the client, the gateway or the proxy closed early. */
export type ExchangeEnd = 'whole' | 'cut-by-client' | 'cut-by-gateway' | 'cut-by-proxy';

/** The notes of a recording of this suite about one of its own requests. */
export interface RecordedNotes {
  /** The case of the request; undefined for a request that belongs to no case, such as a control. */
  readonly case: string | undefined;
  readonly facts: Attributes;
  readonly model: string | undefined;
  readonly controlAfter: 'succeeded' | 'failed' | undefined;
}
