import type { Column } from '../../../common/page/column.ts';
import type { Outcome } from '../../judge/outcome.ts';
import { type Look, outcomeLooks } from '../../view/signs.ts';

/** The columns of the list of exchanges. */
export const liveColumns = [
  { name: 'Time' },
  { name: 'Outcome' },
  { name: 'Request' },
  { name: 'Status' },
  { name: 'Error' },
  { name: 'Model' },
  { name: 'Client' },
  { name: 'Duration', number: true },
] as const satisfies readonly Column[];

/** How outcomes are shown. No requirement is judged in an exchange whose outcome is `not-applicable`. */
export const liveLooks: Readonly<Record<Outcome, Look>> = {
  ...outcomeLooks,
  'not-applicable': { ...outcomeLooks['not-applicable'], word: 'not judged' },
};

/** The early ends of an exchange, in words. `refused`: the proxy did not forward the request. */
export const earlyEnds = [
  { end: 'cut-by-gateway', words: 'broken off by the gateway' },
  { end: 'cut-by-client', words: 'broken off by the client' },
  { end: 'cut-by-proxy', words: 'proxy stopped' },
  { end: 'no-response', words: 'no response' },
  { end: 'refused', words: 'refused by the proxy' },
] as const;

/** What a client did, in words: the worst outcome of the duties that it violated in an exchange. */
export const clientWords = { violates: 'client failed', warns: 'client warned' } as const;

/** The name of the filter for responses whose status is 500 or more, and of their number. */
export const serverErrors = { value: 'server-error', words: 'server errors (5xx)' } as const;

export type LiveEnd = 'whole' | (typeof earlyEnds)[number]['end'];

/** One row of the live page: an exchange that the proxy forwarded, or a request that the proxy refused. */
export interface LiveEntry {
  /** The number of the entry, from 1, in the order in which entries are added. */
  readonly number: number;
  /** The revision of the last change of the entry. The revision increases with each change of any entry. */
  readonly revision: number;
  /** The start of the exchange, in milliseconds since 1970-01-01 UTC. */
  readonly at: number;
  readonly durationMs: number;
  readonly method: string;
  /** The path without host and query, which may contain a key. For a refused request, the reason for the refusal. */
  readonly path: string;
  /** The ID of the operation; `none` if the request calls none. */
  readonly operation: string;
  /** The status of the response; undefined if no response was received. */
  readonly status: number | undefined;
  /** `error.type` or, if missing, `error.code`; empty if the status is below 400 or the response has neither. */
  readonly type: string;
  /** The response header `x-trace-id`; empty if the header is missing. */
  readonly traceId: string;
  /** The request header `user-agent`; `unknown client` if the header is missing or the request was refused. */
  readonly client: string;
  /** The ID of the requested model; empty if no ID is known. */
  readonly model: string;
  /** The worst outcome of the requirements of the gateway. */
  readonly outcome: Outcome;
  /** The worst outcome of the duties that the client violated; undefined if it violated none. */
  readonly byClient: keyof typeof clientWords | undefined;
  readonly ended: LiveEnd;
  /** The IDs of the requirements that failed, including warnings, and of the duties that the client violated. */
  readonly broken: readonly string[];
}

/**
 * A requirement that failed, including warnings, or a duty that clients violated, and the number of entries with its ID
 * in `broken`.
 */
export interface LiveFinding {
  readonly by: 'gateway' | 'client';
  readonly id: string;
  readonly clause: readonly string[];
  readonly says: string;
  readonly outcome: Outcome;
  readonly count: number;
}

/** The counts of all entries, including entries that are no longer stored. */
export interface LiveTotals {
  readonly entries: number;
  readonly outcomes: Readonly<Record<Outcome, number>>;
  readonly byClient: Readonly<Record<keyof typeof clientWords, number>>;
  readonly serverErrors: number;
  readonly ends: Readonly<Partial<Record<LiveEnd, number>>>;
  readonly findings: readonly LiveFinding[];
}

/** What the proxy sends to its pages when something changes. */
export interface LiveChange {
  readonly entries: readonly LiveEntry[];
  readonly totals: LiveTotals;
}
