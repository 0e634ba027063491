import { type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';
import { decodeBody, readContent } from './decode.ts';
import type { Answer, Failure, Result, WireRequest } from './exchange.ts';
import { proxyRulesFor, type Reach, tlsOf } from './reach.ts';

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
  const pool = openPool(baseUrl, options);
  return {
    send: async (request, { patient }) => {
      const headersTimeout = patient ? limits.successFirstByteMs : limits.firstByteMs;
      try {
        const response = await pool.request({
          origin,
          // undici's type knows the common methods only; it sends any token.
          method: request.method as Dispatcher.HttpMethod,
          path: prefix + request.path,
          headers: { ...request.headers },
          headersTimeout,
          signal: ending(limits.totalMs, options.signal),
          ...(request.body !== undefined && { body: request.body }),
        });
        return { kind: 'answer', answer: await readAnswer(response, limits.bodyBytes) };
      } catch (cause) {
        return { kind: 'failure', failure: failureOf(cause) };
      }
    },
    close: () => pool.destroy(),
  };
}

/** Connections to the host of a URL, through a proxy where one is to be used. */
function openPool(
  baseUrl: string,
  {
    connections,
    limits,
    reach = {},
  }: { readonly connections: number; readonly limits: Limits; readonly reach?: Reach | undefined },
): Dispatcher {
  const tls = tlsOf(reach);
  const common = {
    connections,
    connect: { timeout: limits.connectMs, ...tls },
    bodyTimeout: limits.idleMs,
  };
  const proxy = proxyRulesFor(baseUrl, reach);
  if (!proxy) return new Pool(new URL(baseUrl).origin, common);
  return new EnvHttpProxyAgent({
    ...common,
    requestTls: { timeout: limits.connectMs, ...tls },
    // Given empty, so that nothing is taken from the environment behind the back of who reads it.
    httpProxy: proxy.http ?? '',
    httpsProxy: proxy.https ?? '',
    noProxy: proxy.except ?? '',
    // A request to a plain address goes to a proxy as it is; many let only TLS through a tunnel.
    proxyTunnel: false,
  });
}

async function readAnswer(response: Dispatcher.ResponseData, limit: number): Promise<Answer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of response.body) {
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

/** Ends a request when its time is over, or when the run is interrupted. */
function ending(milliseconds: number, signal: AbortSignal | undefined): AbortSignal {
  const timeout = AbortSignal.timeout(milliseconds);
  return signal ? AbortSignal.any([timeout, signal]) : timeout;
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
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  ETIMEDOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'protocol',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'protocol',
  UND_ERR_RESPONSE: 'protocol',
};

/** Why an exchange failed, of what Node or undici threw. */
export function failureOf(cause: unknown): Failure {
  const error = cause instanceof AggregateError && cause.errors[0] instanceof Error ? cause.errors[0] : cause;
  if (!(error instanceof Error)) return { reason: 'other', detail: String(error) };
  if (error.name === 'AbortError') return { reason: 'other', detail: 'the run ended before' };
  if (error.name === 'TimeoutError') return { reason: 'timeout', detail: 'the total time is over' };
  const code = 'code' in error ? String(error.code) : '';
  const reason =
    reasons[code] ?? (/^HPE_/.test(code) ? 'protocol' : /CERT|SSL|TLS/.test(code) ? 'tls' : 'other');
  return { reason, detail: error.message || code };
}
