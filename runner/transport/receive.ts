import { Ended, startDeadline, type Times } from './deadline.ts';
import { decodeBody, readContent } from './decode.ts';
import type { Answer, Failure, Result } from './exchange.ts';
import { brokeReusedConnection, type Dispatcher } from './pool.ts';

/** An answer that is waited for. */
export interface Receiving {
  /** Told by the pool of what comes. */
  readonly handler: Dispatcher.DispatchHandler;
  /** Ends the request, where it is not over, for a reason. */
  readonly end: (cause: unknown) => void;
}

/** What the pool is told where the result is known before all of the answer came. */
const notReadOn = new Ended('other', 'the rest of the answer is not read');

/**
 * Waits, as long as the times allow, for the response to one request, and reports it, or why none came; reads up to
 * `limit` bytes of its body. Only the first result that is reported counts. It is stale if a reused connection broke
 * before any byte of the response, which says nothing about this request.
 */
export function receive(
  times: Times,
  limit: number,
  onResult: (result: Result, isStale: boolean) => void,
): Receiving {
  const body = bufferBody(limit);
  let controller: Dispatcher.DispatchController | undefined;
  let ended = false;
  let [status, interim] = [0, 0];
  let headers: Answer['headers'] = {};
  const fail = (cause: unknown): void => {
    deadline.release();
    const failure = failureOf(cause);
    const isStale = failure.reason === 'reset' && status + interim === 0 && brokeReusedConnection(cause);
    onResult({ kind: 'failure', failure }, isStale);
  };
  const finish = (): void => {
    deadline.release();
    onResult({ kind: 'answer', answer: makeAnswer(status, headers, body, limit) }, false);
  };
  const end = (cause: unknown): void => {
    ended = true;
    fail(cause);
    controller?.abort(notReadOn);
  };
  const deadline = startDeadline(times, end);
  return {
    end,
    handler: {
      onRequestStart: (own) => {
        controller = own;
        // It was ended while it waited for a connection.
        if (ended) own.abort(notReadOn);
      },
      onResponseStart: (own, received, fields) => {
        if (received < 200) {
          interim += 1;
          if (interim > mostInterim) own.abort(new Ended('protocol', tooManyInterim));
          return;
        }
        deadline.progress();
        status = received;
        headers = flatten(fields);
      },
      onResponseData: (own, piece) => {
        deadline.progress();
        body.add(piece);
        if (body.isWhole()) return;
        finish();
        own.abort(notReadOn);
      },
      onResponseEnd: finish,
      onResponseError: (_, error) => fail(error),
    },
  };
}

/** A header that was sent twice with the same value says it once. Blanks around a value are none of it (RFC 9110, 5.5). */
function flatten(fields: Readonly<Record<string, string | string[] | undefined>>): Answer['headers'] {
  const headers: Record<string, string> = {};
  for (const [name, value = ''] of Object.entries(fields))
    headers[name] = [...new Set([value].flat().map(withoutBlanks))].join(', ');
  return headers;
}

/** Without blanks around it; not by an expression, which would take quadratic time for blanks inside of the value. */
function withoutBlanks(value: string): string {
  const isBlank = (index: number): boolean => value[index] === ' ' || value[index] === '\t';
  let [start, end] = [0, value.length];
  while (start < end && isBlank(start)) start++;
  while (end > start && isBlank(end - 1)) end--;
  return value.slice(start, end);
}

/** The answer with this body, of which at most `limit` bytes were kept; names of headers in lower case. */
export function makeAnswer(
  status: number,
  headers: Answer['headers'],
  body: Omit<BodyBuffer, 'add'>,
  limit: number,
): Answer {
  const common = { status, headers, pieces: body.seen().pieces };
  const raw = body.kept();
  const unreadable = (reason: string): Answer => ({
    ...common,
    text: raw.toString('utf8'),
    size: raw.length,
    content: { kind: 'unreadable', reason },
  });
  if (!body.isWhole()) return unreadable(`it is longer than ${limit} bytes, the limit of --max-body`);
  const decoded = decodeBody(raw, headers['content-encoding'] ?? '', limit);
  if (decoded.kind === 'unreadable') return unreadable(decoded.reason);
  const text = decoded.bytes.toString('utf8');
  return { ...common, text, size: decoded.bytes.length, content: readContent(text) };
}

const reasons: Readonly<Record<string, Failure['reason']>> = {
  ECONNREFUSED: 'refused',
  ENOTFOUND: 'unresolved',
  EAI_AGAIN: 'unresolved',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  ETIMEDOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'protocol',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'protocol',
  UND_ERR_RESPONSE: 'protocol',
};

/** Why an exchange failed, of what Node or undici threw. */
export function failureOf(cause: unknown): Failure {
  const error = cause instanceof AggregateError && cause.errors[0] instanceof Error ? cause.errors[0] : cause;
  if (!(error instanceof Error)) return { reason: 'other', detail: String(error) };
  if (error instanceof Ended) return { reason: error.reason, detail: error.message };
  const code = 'code' in error ? String(error.code) : '';
  const reason =
    reasons[code] ??
    (/^HPE_/.test(code) ? 'protocol' : /CERT|SSL|TLS|UNABLE_TO_VERIFY/.test(code) ? 'tls' : 'other');
  return { reason, detail: error.message || code };
}

/** The most interim responses (1xx) to one request: no server has that much to say before it answers. */
export const mostInterim = 10_000;

/** What is wrong with more of them. */
export const tooManyInterim = `more than ${mostInterim} interim answers (1xx) came before an answer`;

/** The beginning of a body, never more than its limit. */
export interface BodyBuffer {
  /** Takes the next piece; keeps it where there is room. */
  readonly add: (piece: Uint8Array) => void;
  /** What was kept, in one. */
  readonly kept: () => Buffer;
  /** How many pieces, and bytes, came in all. */
  readonly seen: () => { readonly pieces: number; readonly bytes: number };
  readonly isWhole: () => boolean;
}

/** A piece of a byte takes a hundred times that, so pieces become one as soon as there are so many. */
const mostApart = 1024;

/** Keeps the pieces of a body up to `limit` bytes, and counts the others. */
export function bufferBody(limit: number): BodyBuffer {
  const joined: Buffer[] = [];
  let apart: Uint8Array[] = [];
  let count = 0;
  let bytes = 0;
  let kept = 0;
  return {
    add: (piece) => {
      count += 1;
      bytes += piece.length;
      if (kept === limit) return;
      const part = piece.subarray(0, limit - kept);
      kept += part.length;
      apart.push(part);
      if (apart.length < mostApart) return;
      joined.push(Buffer.concat(apart));
      apart = [];
    },
    kept: () => Buffer.concat([...joined, ...apart]),
    seen: () => ({ pieces: count, bytes }),
    isWhole: () => kept === bytes,
  };
}
