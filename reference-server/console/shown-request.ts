import type { Column } from '../../common/page/column.ts';

/** The columns of the list of requests. */
export const requestColumns = [
  { name: 'Time' },
  { name: 'Request' },
  { name: 'Status' },
  { name: 'Error' },
  { name: 'Model' },
  { name: 'Key' },
  { name: 'Tokens', number: true },
  { name: 'Cost', number: true },
  { name: 'Duration', number: true },
] as const satisfies readonly Column[];

/** What `error` of a row says if the connection closed before the status line, which `status` repeats nevertheless. */
export const unanswered = 'no response';

/** What the console sends to its pages when something changes. */
export type ConsoleChange = {
  readonly rows: readonly RequestRow[];
  /** The number of requests so far, including those that are no longer stored. */
  readonly count: number;
};

/**
 * A row of the list of requests. `at` is in milliseconds since 1970-01-01 UTC, `durationMs` in milliseconds, and `cost`
 * in credits. `key` is the name of a known key, or else `unknown` or `none`, and `keyEnding` the last four characters of
 * a known key. A missing text is an empty string.
 */
export type RequestRow = {
  readonly number: number;
  readonly revision: number;
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly operation: string;
  readonly model: string;
  readonly status: number;
  /**
   * `error.type`, or `error.code` of a billing-type endpoint; `no response` if the gateway closed the connection before
   * it, and `connection broken` if it did so inside a response without an error.
   */
  readonly error: string;
  readonly traceId: string;
  readonly requestId: string;
  readonly key: string;
  readonly keyEnding: string;
  readonly tokens: number | null;
  readonly cost: number | null;
  readonly durationMs: number | null;
  readonly causes: readonly ShownCause[];
};

/** A situation, rule, fault or variant that changed a request or its response. */
export type ShownCause = {
  /** Such as `Switched on in Situations: pause of 2s`. */
  readonly title: string;
  /** The first 300 characters of the rule, or what a fault or variant does; empty if the title says it. */
  readonly about: string;
  /** The place in the console where it is shown; null for a fault or variant that the gateway was started with. */
  readonly href: string | null;
  /** Whether it, and not a clause, determines the response. A pause, for example, doesn't. */
  readonly determines: boolean;
};

/** A duty of clients that a request neglects: its ID in `specs/client-duties.yaml`, and its sentence. */
export type ClientMistake = { readonly duty: string; readonly says: string };

/** A request with its response. Keys are replaced by their roles. */
export type RequestDetail = RequestRow & {
  /** The clause that determines the response; null if none does, or if one of `causes` does instead. */
  readonly clause: string | null;
  /** The text of the clause in the specification. */
  readonly quote: string | null;
  /** Null if the server has no suite, which formats curl lines. */
  readonly curl: string | null;
  /** What the model answered, part by part; empty if the response is not the answer of a model. */
  readonly answer: readonly string[];
  /** What the client does wrong, whether or not the gateway minds. */
  readonly mistakes: readonly ClientMistake[];
  readonly request: { readonly headers: Readonly<Record<string, string>>; readonly body: unknown };
  readonly response: {
    readonly headers: readonly (readonly [string, string])[];
    /**
     * The body as one text, or one text for each of the first 200 chunks of a chunked body. Each text has at most
     * 65,536 characters.
     */
    readonly chunks: readonly string[];
    /** `finish`; or `cut` or `unanswered` if the gateway broke the connection. */
    readonly ending: string;
  };
};
