import { createHash } from 'node:crypto';
import { encodeBody } from '../exchange/decode.ts';
import type { WireRequest } from '../exchange/exchange.ts';
import type { KeyVariables } from './curl/shell.ts';
import { type Redact, redactAll } from './redaction/redact.ts';
import type { Body, RequestReport } from './report.ts';

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
  const shown = redactAll(
    { method, url: baseUrl + path, headers, ...(user !== undefined && { user }) },
    redact,
  );
  const bytes = Buffer.byteLength(encodeBody(body ?? ''));
  return {
    ...shown,
    headers: { ...shown.headers, ...redactBasic(shown.user) },
    body: body === undefined ? null : describeBody(body, { bytes, of: 'request' }, redact),
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

/** Returns the header `authorization` if a key is the whole user name or password of `user`, which is redacted. */
function redactBasic(user = ''): { readonly authorization?: string } {
  const [, key] = /^(?:[^:{]*:)?(\{\{[\w.:-]+\}\}):?$/.exec(user) ?? [];
  return key === undefined ? {} : { authorization: `Basic ${key}` };
}

/** Returns the beginning of a body. Only what is shown is redacted, so that a large body costs no more than a small one. */
export function describeBody(
  text: string,
  { bytes, of }: { readonly bytes: number; readonly of: keyof typeof bodyLimits },
  redact: Redact,
): Body {
  const limit = bodyLimits[of];
  if (text.length <= limit) return { text: redact(text), bytes };
  return {
    text: redact(text, limit).toWellFormed(),
    bytes,
    sha256: createHash('sha256').update(text).digest('hex'),
  };
}
