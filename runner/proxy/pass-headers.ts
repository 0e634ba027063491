import { imitatesFraming, isEndToEnd, removedFrom } from './connection-headers.ts';
import type { Framing } from './framing.ts';
import { headerLines, type RawHeaders } from './raw-headers.ts';

/** Methods for which Node does not announce a body on its own. */
const withoutBody: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);

/**
 * The headers of a request for the gateway, in order and in their case, without those of the connection. `Host` is that
 * of the gateway, and the framing is written anew, each in the position in which the client had it.
 */
export function requestHeaders(
  raw: RawHeaders,
  { method, host, framing }: { readonly method: string; readonly host: string; readonly framing: Framing },
): string[] {
  const passed = withFraming(raw, framing, (name, value, lower) => {
    if (lower === 'host') return [name, host];
    // Transfer codings are agreed on with the next server only; the proxy decodes none but chunks.
    if (lower === 'te') return /\btrailers\b/i.test(value) ? [name, 'trailers'] : [];
    return [name, value];
  });
  if (!headerLines(passed).some(([name]) => name.toLowerCase() === 'host')) passed.unshift('Host', host);
  // Node would announce a body in chunks for a POST that states none.
  if (framing === 'none' && !withoutBody.has(method)) passed.push('Content-Length', '0');
  return passed;
}

/** The headers of a response for the client; one that speaks HTTP/1.0 can't read chunks. */
export function answerHeaders(
  raw: RawHeaders,
  { framing, chunks }: { readonly framing: Framing; readonly chunks: boolean },
): string[] {
  return withFraming(raw, framing === 'chunked' && !chunks ? 'none' : framing, (name, value) => [
    name,
    value,
  ]);
}

/** The headers of an interim response (1xx), which has no body. */
export function interimHeaders(raw: RawHeaders): string[] {
  return withFraming(raw, 'none', (name, value) => [name, value]);
}

/** The trailers that are passed on: those that may stand in a trailer section (RFC 9110, section 6.5.1). */
export function trailerLines(raw: RawHeaders): [name: string, value: string][] {
  const isRemoved = removedFrom([]);
  return headerLines(raw).filter(([name]) => {
    const lower = name.toLowerCase();
    return !isEndToEnd(lower) && !isRemoved(lower) && !imitatesFraming(lower);
  });
}

/** The lines that stay, as `pass` writes them, with one header for the framing instead of those of the sender. */
function withFraming(
  raw: RawHeaders,
  framing: Framing,
  pass: (name: string, value: string, lower: string) => readonly string[],
): string[] {
  const passed: string[] = [];
  const isRemoved = removedFrom(raw);
  const wanted = framing === 'chunked' ? 'transfer-encoding' : 'content-length';
  for (const [name, value] of headerLines(raw)) {
    const lower = name.toLowerCase();
    if (lower === 'content-length' || lower === 'transfer-encoding') {
      if (framing !== 'none' && lower === wanted) passed.push(name, String(framing));
    } else if (!isRemoved(lower)) passed.push(...pass(name, value, lower));
  }
  return passed;
}
