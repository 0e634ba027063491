import { Ended } from './deadline.ts';
import type { Failure } from './exchange.ts';

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
