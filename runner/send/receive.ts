import { decodeBody, readContent, readResponse } from '../exchange/decode.ts';
import type { Answer, Result, TransportFailure } from '../exchange/exchange.ts';
import { type ExchangeTimeouts, RequestAbortedError, startDeadline } from './deadline.ts';
import { brokeReusedConnection, type Dispatcher } from './pool.ts';

export interface PendingResponse {
  readonly handler: Dispatcher.DispatchHandler;
  /** Aborts the request. `cause` is reported as the failure. */
  readonly end: (cause: unknown) => void;
}

const bodyNotRead = new RequestAbortedError('other', 'the rest of the response is not read');

/**
 * Receives the response to one request, with up to `limit` bytes of the body. Calls `onResult` with the response or
 * the failure. The caller must ignore all calls after the first. `isStale` is true if the connection broke before any
 * response began, and may have been a reused connection. The gateway may then not have received the request.
 */
export function receiveResponse(
  times: ExchangeTimeouts,
  limit: number,
  onResult: (result: Result, isStale: boolean) => void,
): PendingResponse {
  const body = bufferBody(limit);
  let controller: Dispatcher.DispatchController | undefined;
  let ended = false;
  let [status, interim] = [0, 0];
  let headers: Answer['headers'] = {};
  const fail = (cause: unknown): void => {
    deadline.release();
    const failure = toTransportFailure(cause);
    const isUnanswered = failure.reason === 'reset' && status + interim === 0;
    const isCut = status > 0 && (failure.reason === 'reset' || endsInChunks(cause));
    onResult(
      {
        kind: 'failure',
        failure: { ...failure, ...(isUnanswered && { isUnanswered }), ...(isCut && { cutStatus: status }) },
      },
      isUnanswered && brokeReusedConnection(cause),
    );
  };
  const finish = (): void => {
    deadline.release();
    onResult({ kind: 'answer', answer: createAnswer(status, headers, body, limit) }, false);
  };
  const end = (cause: unknown): void => {
    ended = true;
    fail(cause);
    controller?.abort(bodyNotRead);
  };
  const deadline = startDeadline(times, end);
  return {
    end,
    handler: {
      onRequestStart: (own) => {
        controller = own;
        // The request was aborted while waiting for a connection.
        if (ended) own.abort(bodyNotRead);
      },
      onResponseStart: (own, received, fields) => {
        if (received < 200) {
          interim += 1;
          if (interim > maxInterimResponses)
            own.abort(new RequestAbortedError('protocol', tooManyInterimResponses));
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
        own.abort(bodyNotRead);
      },
      onResponseEnd: finish,
      onResponseError: (_, error) => fail(error),
    },
  };
}

/** Whether the connection was closed in the middle of a body in chunks. */
function endsInChunks(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'HPE_INVALID_EOF_STATE';
}

/** Joins the different values of repeated headers. Removes the white space around each value (RFC 9110, 5.5). */
function flatten(fields: Readonly<Record<string, string | string[] | undefined>>): Answer['headers'] {
  const headers: Record<string, string> = {};
  for (const [name, value = ''] of Object.entries(fields))
    headers[name] =
      typeof value === 'string' ? trimBlanks(value) : [...new Set(value.map(trimBlanks))].join(', ');
  return headers;
}

/** Removes spaces and tabs at both ends. A regular expression would take quadratic time for spaces inside the value. */
function trimBlanks(value: string): string {
  const isBlank = (index: number): boolean => value[index] === ' ' || value[index] === '\t';
  let [start, end] = [0, value.length];
  while (start < end && isBlank(start)) start++;
  while (end > start && isBlank(end - 1)) end--;
  return value.slice(start, end);
}

/**
 * Creates a response from its parts. Header names must be in lower case. `limit` is the limit of `body`, and also the
 * limit of the decoded body, in bytes.
 */
export function createAnswer(
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
  if (!body.isWhole()) return unreadable(`the body is longer than ${limit} bytes, the limit of --max-body`);
  const decoded = decodeBody(raw, headers['content-encoding'] ?? '', limit);
  if (decoded.kind === 'unreadable') {
    const { reason, hasDecoderFailed } = decoded;
    const text = raw.toString('utf8');
    // No client can read the JSON of an error that is not compressed although its headers say so.
    if (status < 400 || !hasDecoderFailed || readContent(text).kind !== 'json') return unreadable(reason);
    return { ...common, text, size: raw.length, content: { kind: 'text', reason } };
  }
  return { ...common, size: decoded.bytes.length, ...readResponse(status, decoded.bytes) };
}

const reasons: Readonly<Record<string, TransportFailure['reason']>> = {
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

/** Converts an error of Node.js or undici to the failure that a report shows. */
export function toTransportFailure(cause: unknown): TransportFailure {
  const error = cause instanceof AggregateError && cause.errors[0] instanceof Error ? cause.errors[0] : cause;
  if (!(error instanceof Error)) return { reason: 'other', detail: String(error) };
  if (error instanceof RequestAbortedError) return { reason: error.reason, detail: error.message };
  const code = 'code' in error ? String(error.code) : '';
  const reason =
    reasons[code] ??
    (/^HPE_/.test(code) ? 'protocol' : /CERT|SSL|TLS|UNABLE_TO|EPROTO/.test(code) ? 'tls' : 'other');
  return { reason, detail: shortenTlsError(error.message) || code };
}

/** Returns the reason in an error of OpenSSL, such as `wrong version number`; any other text unchanged. */
function shortenTlsError(message: string): string {
  return /:SSL routines:[^:]*:([^:]+):/.exec(message)?.[1] ?? message;
}

/** The maximum number of interim responses (1xx) to one request. */
export const maxInterimResponses = 10_000;

export const tooManyInterimResponses = `more than ${maxInterimResponses} interim responses (1xx) arrived before the response`;

/** The beginning of a body, up to a limit. */
export interface BodyBuffer {
  /** Adds the next chunk. Bytes beyond the limit are only counted. */
  readonly add: (piece: Uint8Array) => void;
  /** Returns the bytes up to the limit. */
  readonly kept: () => Buffer;
  /** Returns the numbers of chunks and bytes, including the chunks and bytes beyond the limit. */
  readonly seen: () => { readonly pieces: number; readonly bytes: number };
  /** Returns whether all bytes so far are within the limit. */
  readonly isWhole: () => boolean;
}

/**
 * The number of chunks after which the chunks are joined, to save memory: a chunk of one byte takes about a hundred
 * bytes of memory.
 */
const maxLoosePieces = 1024;

/** Creates a buffer that keeps the first `limit` bytes of a body, and counts all bytes and chunks. */
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
      if (apart.length < maxLoosePieces) return;
      joined.push(Buffer.concat(apart));
      apart = [];
    },
    kept: () => Buffer.concat([...joined, ...apart]),
    seen: () => ({ pieces: count, bytes }),
    isWhole: () => kept === bytes,
  };
}
