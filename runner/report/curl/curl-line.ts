import { placeholderOf, readPieces } from '../redaction/redact.ts';
import type { ExchangeReport, RequestReport } from '../report.ts';
import { formatRuns } from './runs.ts';
import { formatSequence } from './sequence.ts';
import {
  formatPrintf,
  formatShellKey,
  isVisibleWord,
  type KeyVariables,
  quoteWord,
  type WordPart,
} from './shell.ts';

/**
 * Matches headers that a curl line omits: headers that curl sends itself, and headers that do not change the response.
 */
const needless = /^(user-agent|connection|content-length|sec-(ch-.*|fetch-(dest|mode|user))|x-stainless-.*)$/;

interface CurlOptions {
  readonly show?: 'response' | 'body';
  /** Whether the accepted encodings are what the request tests. */
  readonly isAboutEncodings?: boolean;
}

/** Matches a token of RFC 9110. Other text after `-H`, such as `@name`, could make curl read a file. */
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/**
 * Returns a curl line that sends a request of a report, with keys from environment variables: the same method, target,
 * body and headers, except the headers that `needless` matches. A body that the report truncates is sent truncated, and
 * the line says so. Accepted encodings are omitted unless the test is about them, since curl may not decode them.
 * Except for the keys, the request is untrusted text, which neither the shell nor curl may interpret. `show` says what
 * curl prints: the head and the body of the response, or only the body.
 */
export function formatCurlLine(
  request: RequestReport,
  variables: KeyVariables,
  { show = 'response', isAboutEncodings = false }: CurlOptions = {},
): string {
  const { method, url, body, user } = request;
  const headers = Object.entries(request.headers);
  const has = (name: string): boolean => headers.some(([other]) => other.toLowerCase() === name);
  const word = (text: string): string => quoteWord(partsOf(text, variables));
  const header = (text: string): void => void parts.push('-H', word(text));
  const parts = ['curl', show === 'response' ? '-sS -i' : '-sS'];
  if (isAboutEncodings) parts.push('--compressed');
  // Without -g, curl treats brackets and braces in a URL as patterns.
  if (partsOf(url, variables).some((part) => part.kind === 'text' && /[[\]{}]/.test(part.text)))
    parts.push('-g');
  // Without this option, curl removes segments such as `..`.
  if (/\/(\.|%2e){1,2}([/?#]|$)/i.test(url)) parts.push('--path-as-is');
  if (method === 'HEAD') parts.push('--head');
  else if (method !== (body ? 'POST' : 'GET')) parts.push('-X', methodWord(method));
  if (/^https?:\/\//.test(url)) parts.push(word(encodeControls(url)));
  // Only a recording or a report can contain another URL. Such a URL must not make curl read or write a file.
  else
    parts.push(
      '--proto',
      '=http,https',
      '--url',
      word(encodeControls(url).replace(/^[^a-z0-9]+/i, encodeURIComponent)),
    );
  // Without a value after the colon, curl omits a header that it would otherwise send itself.
  if (!has('accept')) header('accept:');
  for (const [name, value] of headers) {
    // curl sends this value itself.
    if (name === 'accept' && value === '*/*') continue;
    if (needless.test(name) || (name === 'host' && url.includes(`//${value}/`))) continue;
    if (name === 'accept-encoding' && !isAboutEncodings) continue;
    // curl sends a body in chunks if it finds this value.
    if (name === 'transfer-encoding' && !(body && value.toLowerCase() === 'chunked')) continue;
    if (!token.test(name) || !isFieldValue(value)) continue;
    if (name === 'authorization' && user !== undefined) parts.push('--user', word(user));
    else header(value === '' ? `${name};` : `${name}: ${toBytes(value)}`);
  }
  if (!body) {
    if (/^(POST|PUT|PATCH)$/.test(method)) header('content-length: 0');
    return parts.join(' ');
  }
  if (!has('content-type')) header('content-type:');
  const content = formatRuns(partsOf(body.text, variables));
  const note = body.sha256 === undefined ? '' : `: ${word(truncationOf(body))}; `;
  // With --data-binary, curl would read a file if the body begins with @.
  if (isVisibleWord(content)) return `${note}${parts.join(' ')} --data-raw ${quoteWord(content)}`;
  return `${note}${formatPrintf(content)} | ${parts.join(' ')} --data-binary @-`;
}

function truncationOf({ text, bytes }: { readonly text: string; readonly bytes: number }): string {
  return `The report has only the first ${text.length} characters of this body of ${bytes} bytes`;
}

function methodWord(method: string): string {
  if (/^[A-Za-z]+$/.test(method)) return method;
  return token.test(method) ? quoteWord([{ kind: 'text', text: method }]) : 'GET';
}

function partsOf(redacted: string, variables: KeyVariables): WordPart[] {
  return readPieces(redacted).map((piece) => {
    const expansion = piece.kind === 'secret' ? formatShellKey(piece.role, variables) : undefined;
    const text = piece.kind === 'text' ? piece.text : placeholderOf(piece.role);
    return expansion === undefined ? { kind: 'text', text } : { kind: 'expansion', expansion };
  });
}

/** Whether a text can be a header value. A line break would begin another header. */
function isFieldValue(text: string): boolean {
  return !['\0', '\r', '\n'].some((control) => text.includes(control));
}

/** Percent-encodes spaces and control characters, which curl refuses in a URL. */
function encodeControls(url: string): string {
  return url.replace(/[\0-\x20\x7f]/g, encodeURIComponent);
}

/**
 * Returns a header value in which lone surrogates stand for the bytes of Latin-1 letters, as the run sends them. A
 * value with other letters can only come from a recording, and is sent as UTF-8.
 */
function toBytes(value: string): string {
  if (/[^\0-\xff]/.test(value)) return value;
  return value.replace(/[\x80-\xff]/g, (letter) => String.fromCharCode(0xdc00 + letter.charCodeAt(0)));
}

/**
 * Returns the shell commands that repeat an exchange, one a line: a curl line, and before it the requests on which the
 * exchange depends, such as the creation of its key.
 */
export function formatCurl(
  {
    request,
    attributes,
    before = [],
  }: Pick<ExchangeReport, 'request' | 'before'> & Partial<Pick<ExchangeReport, 'attributes'>>,
  variables: KeyVariables,
): string {
  const own = formatCurlLine(request, variables, { isAboutEncodings: attributes?.added === 'encodings' });
  const lines = formatSequence(before, (item, show) => formatCurlLine(item, variables, { show }));
  const last = before.at(-1);
  const previous = lines.at(-1);
  // With --next, curl sends both requests over one connection.
  if (last?.kind === 'request' && last.sameConnection && previous !== undefined)
    return [...lines.slice(0, -1), `${previous} ${own.replace(/^curl/, '--next')}`].join('\n');
  return [...lines, own].join('\n');
}

/** Returns the exchange with curl lines that are created from its requests and these variables. */
export function remakeCurl(exchange: ExchangeReport, variables: KeyVariables): ExchangeReport {
  return { ...exchange, curl: formatCurl(exchange, variables) };
}

/** Returns the commands of `formatCurl` in one line. */
export function joinCurlLines(curl: string): string {
  return curl.replaceAll('\n', '; ');
}
