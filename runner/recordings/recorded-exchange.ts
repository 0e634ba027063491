import type { Attributes } from '../catalog/condition.ts';
import type { Result } from '../transport/exchange.ts';

/** A header line as it was sent; the name is in lower case. */
export type HeaderLine = readonly [name: string, value: string];

/** One exchange of recorded or live traffic. */
export interface RecordedExchange {
  /** Its place, such as `capture.har entry 3`. */
  readonly id: string;
  readonly request: {
    readonly method: string;
    /** Absolute, or a path with its query. */
    readonly url: string;
    readonly headers: readonly HeaderLine[];
    readonly headersLost?: true;
    /** Undefined if the request had no body. */
    readonly body: string | undefined;
    /** Set if a body was sent that is not recorded completely. */
    readonly bodyLost?: true;
  };
  readonly result: Result;
  /** Start, in milliseconds since 1970. */
  readonly startedAt: number;
  readonly durationMs: number;
  /** How the exchange ended; undefined if the recorder does not know. */
  readonly ended?: ExchangeEnd;
  /** What this suite wrote into its own recording; undefined in recordings of other tools. */
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
