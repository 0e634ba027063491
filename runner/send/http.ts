import { type Deadline, Ended, startDeadline } from './deadline.ts';
import { decodeBody, readContent } from './decode.ts';
import type { Answer, Failure, Result, WireRequest } from './exchange.ts';
import { type Dispatcher, openPool } from './pool.ts';
import type { Reach } from './reach.ts';

/** Limits of every request: milliseconds, and bytes of a body. */
export interface Limits {
  readonly connectMs: number;
  readonly firstByteMs: number;
  /** Where a success is due, since models think. */
  readonly successFirstByteMs: number;
  readonly idleMs: number;
  readonly totalMs: number;
  readonly bodyBytes: number;
}

export const defaultLimits: Limits = {
  connectMs: 5_000,
  firstByteMs: 10_000,
  successFirstByteMs: 60_000,
  idleMs: 30_000,
  totalMs: 120_000,
  bodyBytes: 1024 * 1024,
};

/** Sends single requests to one base URL. */
export interface Transport {
  /** The answer, or why none came; `patient` where a success is due. Never rejects. */
  readonly send: (request: WireRequest, how: { readonly patient: boolean }) => Promise<Result>;
  readonly close: () => Promise<void>;
}

/** Opens a pool of connections to a base URL; redirects are never followed, so a key stays with its host. */
export function openTransport(
  baseUrl: string,
  options: {
    readonly connections: number;
    readonly limits: Limits;
    readonly reach?: Reach | undefined;
    readonly signal?: AbortSignal | undefined;
  },
): Transport {
  const { limits } = options;
  const { origin, pathname } = new URL(baseUrl);
  const prefix = pathname.replace(/\/+$/, '');
  const pool = openPool(baseUrl, { ...options, connectMs: limits.connectMs });
  return {
    send: async (request, { patient }) => {
      const firstByteMs = patient ? limits.successFirstByteMs : limits.firstByteMs;
      const deadline = startDeadline({ ...limits, firstByteMs }, options.signal);
      try {
        const response = await pool.request({
          origin,
          // undici's type knows the common methods only; it sends any token.
          method: request.method as Dispatcher.HttpMethod,
          path: prefix + request.path,
          headers: { ...request.headers },
          signal: deadline.signal,
          onInfo: boundedInterim(),
          ...(request.body !== undefined && { body: request.body }),
        });
        return { kind: 'answer', answer: await readAnswer(response, limits.bodyBytes, deadline) };
      } catch (cause) {
        return { kind: 'failure', failure: failureOf(cause) };
      } finally {
        deadline.release();
      }
    },
    close: () => pool.destroy(),
  };
}

/** The most interim answers (1xx) to one request: no server has that much to say before it answers. */
const mostInterim = 10_000;

/** Ends a request to which interim answers come without end. */
function boundedInterim(): () => void {
  let interim = 0;
  return () => {
    interim += 1;
    if (interim > mostInterim)
      throw new Ended('protocol', `more than ${mostInterim} interim answers (1xx) came before an answer`);
  };
}

async function readAnswer(
  response: Dispatcher.ResponseData,
  limit: number,
  deadline: Deadline,
): Promise<Answer> {
  const pieces: Buffer[] = [];
  let size = 0;
  deadline.progress();
  for await (const piece of response.body) {
    deadline.progress();
    const bytes: Buffer = Buffer.from(piece);
    pieces.push(bytes);
    size += bytes.length;
    if (size > limit) break;
  }
  return makeAnswer(response.statusCode, flatten(response.headers), pieces, limit);
}

/** The answer that these bytes are; names of headers in lower case, `limit` in bytes. */
export function makeAnswer(
  status: number,
  headers: Answer['headers'],
  pieces: readonly Uint8Array[],
  limit: number,
): Answer {
  const common = { status, headers, pieces: pieces.length };
  const text = (bytes: Buffer): string => bytes.toString('utf8');
  const unreadable = (reason: string, bytes: Buffer): Answer => ({
    ...common,
    text: text(bytes),
    size: bytes.length,
    content: { kind: 'unreadable', reason },
  });
  const raw = Buffer.concat(pieces);
  if (raw.length > limit)
    return unreadable(`it is longer than ${limit} bytes, the limit of --max-body`, raw.subarray(0, limit));
  const decoded = decodeBody(raw, headers['content-encoding'] ?? '', limit);
  if (decoded.kind === 'unreadable') return unreadable(decoded.reason, raw);
  const body = text(decoded.bytes);
  return { ...common, text: body, size: decoded.bytes.length, content: readContent(body) };
}

function flatten(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  const entries = Object.entries(headers).map(
    ([name, value]) => [name.toLowerCase(), oneValue(value)] as const,
  );
  return Object.fromEntries(entries);
}

/** A header that was sent twice with the same value says it once. */
function oneValue(value: string | string[] | undefined): string {
  return Array.isArray(value) ? [...new Set(value)].join(', ') : (value ?? '');
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
    reasons[code] ?? (/^HPE_/.test(code) ? 'protocol' : /CERT|SSL|TLS/.test(code) ? 'tls' : 'other');
  return { reason, detail: error.message || code };
}
