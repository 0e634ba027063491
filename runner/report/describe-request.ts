import { createHash } from 'node:crypto';
import { encodeBody } from '../transport/decode.ts';
import type { WireRequest } from '../transport/exchange.ts';
import type { KeyVariables } from './curl/shell.ts';
import { type Redact, redactAll } from './redaction/redact.ts';
import type { Body, RequestReport } from './report.ts';

/** The settings with which exchanges are described. */
export interface DescribeContext {
  readonly baseUrl: string;
  readonly redact: Redact;
  readonly keyVariables: KeyVariables;
}

/**
 * The maximum number of characters of a body in a report. Every request of the suites fits, so that its curl line sends
 * the whole body.
 */
const bodyLimits = { request: 128 * 1024, response: 64 * 1024 };

/** Returns a request for a report, with keys redacted. */
export function describeWireRequest(
  { method, path, headers, body }: WireRequest,
  { baseUrl, redact }: Pick<DescribeContext, 'baseUrl' | 'redact'>,
): RequestReport {
  const user = userOf(headers.authorization ?? '');
  return {
    ...redactAll({ method, url: baseUrl + path, headers, ...(user !== undefined && { user }) }, redact),
    body:
      body === undefined ? null : truncateBody(redact(body), Buffer.byteLength(encodeBody(body)), 'request'),
  };
}

/**
 * Decodes `name:password` of the scheme `Basic`. Returns undefined for any other value, or if the text has characters
 * outside printable ASCII.
 */
function userOf(authorization: string): string | undefined {
  const [, credentials] = /^Basic ([A-Za-z0-9+/]+=*)$/i.exec(authorization) ?? [];
  const text = credentials === undefined ? '' : Buffer.from(credentials, 'base64').toString('utf8');
  return text.includes(':') && /^[\x20-\x7e]*$/.test(text) ? text : undefined;
}

/**
 * Truncates a body for a report. The text must already be redacted, so that no part of a key remains at the end of the
 * truncated text.
 */
export function truncateBody(text: string, bytes: number, of: keyof typeof bodyLimits): Body {
  const limit = bodyLimits[of];
  if (text.length <= limit) return { text, bytes };
  return {
    text: text.slice(0, limit).toWellFormed(),
    bytes,
    sha256: createHash('sha256').update(text).digest('hex'),
  };
}
