import { placeholderOf, readPieces } from '../redaction/redact.ts';
import type { ExchangeReport } from '../report.ts';
import { formatShellKey, type KeyVariables, quoteWord, type WordPart } from './shell.ts';

/**
 * Matches headers that a curl line omits: headers that curl sends itself, accepted encodings that curl cannot
 * decode, and headers that do not change the response.
 */
const needless =
  /^(user-agent|accept-encoding|connection|content-length|transfer-encoding|sec-(ch|fetch)-.*|x-stainless-.*)$/;

/** Matches a token of RFC 9110. Other text after `-H`, such as `@name`, could make curl read a file. */
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/**
 * Returns a curl line that repeats a request of a report, with keys from environment variables. A body that the
 * report truncates is sent truncated. Except for the keys, the request is untrusted text, which neither the shell nor
 * curl may interpret.
 */
export function formatCurlLine(request: ExchangeReport['request'], variables: KeyVariables): string {
  const { method, url, headers, body, user } = request;
  const word = (text: string): string => shellWord(text, variables);
  const parts = ['curl', '-sS', '-i'];
  // Without -g, curl treats brackets and braces in a URL as patterns.
  if (/[[\]{}]/.test(url)) parts.push('-g');
  if (method === 'HEAD') parts.push('--head');
  else if (method !== (body ? 'POST' : 'GET')) parts.push('-X', token.test(method) ? word(method) : "'GET'");
  if (/^https?:\/\//.test(url)) parts.push(word(url));
  // Only a recording or a report can contain another URL. Such a URL must not make curl read or write a file.
  else parts.push('--proto', '=http,https', '--url', word(url.replace(/^[^a-z0-9]+/i, encodeURIComponent)));
  for (const [name, value] of Object.entries(headers)) {
    // Only the `accept` value of a browser could change the response.
    if (name === 'accept' && !value.includes('text/html')) continue;
    if (needless.test(name) || (name === 'host' && url.includes(`//${value}/`))) continue;
    if (!token.test(name) || !isFieldValue(value)) continue;
    if (name === 'authorization' && user !== undefined) parts.push('--user', word(user));
    else parts.push('-H', word(value === '' ? `${name};` : `${name}: ${value}`));
  }
  // With --data-binary, curl would read a file if the body begins with @.
  if (body) parts.push('--data-raw', word(body.text));
  return parts.join(' ');
}

function shellWord(redacted: string, variables: KeyVariables): string {
  const parts: WordPart[] = [];
  for (const piece of readPieces(redacted)) {
    const expansion = piece.kind === 'secret' ? formatShellKey(piece.role, variables) : undefined;
    const text = piece.kind === 'text' ? piece.text : placeholderOf(piece.role);
    parts.push(expansion === undefined ? { kind: 'text', text } : { kind: 'expansion', expansion });
  }
  return quoteWord(parts);
}

/** Whether a text can be a header value. A line break would begin another header. */
function isFieldValue(text: string): boolean {
  return !['\0', '\r', '\n'].some((control) => text.includes(control));
}

/** Returns a curl line that sends `previous`, if present, and then the request over the same connection. */
export function formatCurlLines(
  { request, previous }: Pick<ExchangeReport, 'request' | 'previous'>,
  variables: KeyVariables,
): string {
  const line = formatCurlLine(request, variables);
  return previous ? `${formatCurlLine(previous, variables)} ${line.replace(/^curl/, '--next')}` : line;
}

/** Returns the exchange with a curl line that is created from its request and these variables. */
export function remakeCurl(exchange: ExchangeReport, variables: KeyVariables): ExchangeReport {
  return { ...exchange, curl: formatCurlLines(exchange, variables) };
}
