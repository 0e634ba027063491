import type { Attributes } from '../../catalog/condition.ts';
import type { Result } from '../../exchange/exchange.ts';

export type HeaderLine = readonly [name: string, value: string];

/** One exchange of recorded or live traffic. */
export interface RecordedExchange {
  /** The place in the recording, such as `capture.har entry 3`, or the ID that the run or the proxy assigned. */
  readonly id: string;
  readonly request: {
    readonly method: string;
    /** An absolute URL, or a path with its query. */
    readonly url: string;
    /** The header lines, with names in lower case. */
    readonly headers: readonly HeaderLine[];
    /** Set if the recording does not contain the headers. */
    readonly headersLost?: true;
    /** The recorded body; undefined if the request had no body, or if no part of the body was recorded. */
    readonly body: string | undefined;
    /** Set if `body` may not be the complete, decoded body of the request. */
    readonly bodyLost?: true;
  };
  readonly result: Result;
  /** The start of the exchange, in milliseconds since 1970-01-01 UTC; 0 if not recorded. */
  readonly startedAt: number;
  /** The duration in milliseconds; 0 if not recorded. */
  readonly durationMs: number;
  /** How the exchange ended; undefined if the recording does not show the end. */
  readonly ended?: ExchangeEnd;
  /** The notes of the run that sent the request; undefined if another client sent the request. */
  readonly notes: RecordedNotes | undefined;
}

/**
 * How an exchange ended: with the whole response, or with a connection that the client, gateway or proxy closed early.
 */
export type ExchangeEnd = 'whole' | 'cut-by-client' | 'cut-by-gateway' | 'cut-by-proxy';

/** The notes of a run about one of its requests. */
export interface RecordedNotes {
  /** The case of the request; undefined for a control, and if the recording states no case. */
  readonly case: string | undefined;
  readonly attributes: Attributes;
  readonly model: string | undefined;
  /** The result of the controls that confirm the response; undefined if the run attempted no confirmation. */
  readonly controlAfter: 'succeeded' | 'failed' | undefined;
}
