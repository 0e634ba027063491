import { placeholderOf, readPieces } from '../redaction/placeholders.ts';
import type { ExchangeReport } from '../report.ts';
import { type KeyVariables, quoteWord, shellKey, type WordPart } from './shell.ts';

/** What curl sends by itself, what it can't undo, and what changes no answer. */
const needless =
  /^(user-agent|accept|accept-encoding|connection|content-length|transfer-encoding|sec-(ch|fetch)-.*|x-stainless-.*)$/;

/** A token of RFC 9110. curl reads a file where another text follows `-H`, such as `@name`. */
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/**
 * A curl line that sends a request of a report again, with the keys from environment variables. Everything in the request
 * but its placeholders is foreign text, which no shell and no option of curl interprets.
 */
export function curlLine(request: ExchangeReport['request'], variables: KeyVariables): string {
  const { method, url, headers, body, user } = request;
  const word = (text: string): string => shellWord(text, variables);
  const parts = ['curl', '-sS', '-i'];
  // Brackets and braces in a URL are patterns to curl otherwise.
  if (/[[\]{}]/.test(url)) parts.push('-g');
  if (method === 'HEAD') parts.push('--head');
  else if (method !== (body ? 'POST' : 'GET')) parts.push('-X', token.test(method) ? word(method) : "'GET'");
  if (/^https?:\/\//.test(url)) parts.push(word(url));
  // What is no web address can only come from a recording or a report: no file is read or written for it.
  else parts.push('--proto', '=http,https', '--url', word(url.replace(/^[^a-z0-9]+/i, encodeURIComponent)));
  for (const [name, value] of Object.entries(headers)) {
    if (needless.test(name) || (name === 'host' && url.includes(`//${value}/`))) continue;
    if (!token.test(name) || !isFieldValue(value)) continue;
    if (name === 'authorization' && user !== undefined) parts.push('--user', word(user));
    else parts.push('-H', word(value === '' ? `${name};` : `${name}: ${value}`));
  }
  // Not --data-binary, which reads a file where the body begins with @.
  if (body) parts.push('--data-raw', word(body.text));
  return parts.join(' ');
}

/** A redacted text as one word of a shell, its placeholders replaced by what makes their keys. */
function shellWord(redacted: string, variables: KeyVariables): string {
  const parts: WordPart[] = [];
  for (const piece of readPieces(redacted)) {
    const expansion = piece.kind === 'secret' ? shellKey(piece.role, variables) : undefined;
    const text = piece.kind === 'text' ? piece.text : placeholderOf(piece.role);
    parts.push(expansion === undefined ? { kind: 'text', text } : { kind: 'expansion', expansion });
  }
  return quoteWord(parts);
}

/** Whether a text can be the value of a header: a line break in it would begin another header. */
function isFieldValue(text: string): boolean {
  return !['\0', '\r', '\n'].some((control) => text.includes(control));
}

/** An exchange whose curl line is made of its request, whatever line it had. */
export function remakeCurl(exchange: ExchangeReport, variables: KeyVariables): ExchangeReport {
  return { ...exchange, curl: curlLine(exchange.request, variables) };
}
