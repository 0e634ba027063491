import type { JournalEntry } from '../journal.ts';
import { isObject } from '../json.ts';
import { encodeChunk, joinChunks } from '../wire/wire-changes.ts';
import { clauseOf, quoteOf } from './clause-of.ts';
import type { ConsoleSuite } from './suite.ts';

/**
 * A row of the list of requests. `at` is in milliseconds since 1970-01-01 UTC, `durationMs` in milliseconds, and `cost`
 * in credits. `key` is the name of a known key, or else `unknown` or `none`. A missing text is an empty string.
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
   * `error.type`, or `error.code` of a billing-type endpoint; `connection broken` if the gateway broke the connection
   * of a response without an error.
   */
  readonly error: string;
  readonly traceId: string;
  readonly requestId: string;
  readonly key: string;
  readonly tokens: number | null;
  readonly cost: number | null;
  readonly durationMs: number | null;
};

/** A request with its response and the clause that determines the response. Keys are replaced by their roles. */
export type RequestDetail = RequestRow & {
  readonly clause: string | null;
  /** The text of the clause in the specification. */
  readonly quote: string | null;
  /** Null if the server has no suite, which formats curl lines. */
  readonly curl: string | null;
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

const [longestBody, mostChunks] = [64 * 1024, 200];

export function describeRow(entry: JournalEntry): RequestRow {
  const { call, durationMs, operation = '', model = '', keyName, key } = entry;
  return {
    number: entry.number,
    revision: entry.revision,
    at: entry.at,
    method: entry.method,
    path: entry.path,
    operation,
    model,
    status: entry.status,
    error: entry.status >= 400 ? readError(entry) : entry.wire.ending === 'finish' ? '' : 'connection broken',
    traceId: entry.traceId,
    requestId: call?.id ?? '',
    key: keyName ?? key,
    tokens: call ? call.usage.input + call.usage.output : null,
    cost: call?.cost ?? null,
    durationMs: durationMs ?? null,
  };
}

/** Returns a request with its response. `url` is the base URL of the gateway. */
export function describeDetail(
  entry: JournalEntry,
  url: string,
  curlLine: ConsoleSuite['curlLine'] | undefined,
): RequestDetail {
  const { headers, body, query } = entry.describe();
  const search = new URLSearchParams(query).toString();
  const address = `${url}${entry.path}${search === '' ? '' : `?${search}`}`;
  const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
  const sent = Object.entries(headers).filter(([name]) => !omittedHeaders.includes(name));
  const { wire, redact } = entry;
  const clause = clauseOf(entry);
  const show = (chunk: string): string => redact(chunk).slice(0, longestBody);
  return {
    ...describeRow(entry),
    clause: clause ?? null,
    quote: clause === undefined ? null : quoteOf(clause),
    curl:
      curlLine?.({
        method: entry.method,
        url: address,
        headers: Object.fromEntries(sent),
        body: text === undefined ? null : { text, bytes: Buffer.byteLength(text) },
      }) ?? null,
    request: { headers, body: body ?? null },
    response: {
      headers: wire.headers.map(([name, value]) => [name.toLowerCase(), redact(value)] as const),
      chunks:
        wire.framing === 'chunked'
          ? wire.chunks.slice(0, mostChunks).map((chunk) => show(Buffer.from(encodeChunk(chunk)).toString()))
          : [show(joinChunks(wire).toString())],
      ending: wire.ending,
    },
  };
}

/** Headers that the curl line omits, since curl sends its own headers or does not need these headers. */
const omittedHeaders = [
  'host',
  'connection',
  'content-length',
  'accept-encoding',
  'user-agent',
  'transfer-encoding',
];

function readError({ wire, redact }: JournalEntry): string {
  try {
    const body: unknown = JSON.parse(joinChunks(wire).toString());
    const error = isObject(body) && isObject(body.error) ? body.error : {};
    return redact(String(error.type ?? error.code ?? ''));
  } catch {
    return '';
  }
}
