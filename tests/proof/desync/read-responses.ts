/** A response that a strict client parsed. */
export interface RawResponse {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/**
 * Parses the complete final responses at the start of raw bytes. A body without framing ends with the connection.
 * Throws an error if two clients could parse the bytes differently.
 */
export function readResponses(
  text: string,
  { isEnded, isFirstToHead = false }: { readonly isEnded: boolean; readonly isFirstToHead?: boolean },
): RawResponse[] {
  const responses: RawResponse[] = [];
  let rest = text;
  while (rest !== '') {
    const [whole, head = ''] =
      /^(HTTP\/1\.1 \d{3} [\t -~\x80-\xff]*\r\n(?:[!#$%&'*+.^_`|~\w-]+:[\t -~\x80-\xff]*\r\n)*)\r\n/.exec(
        rest,
      ) ?? [];
    if (whole === undefined) {
      if (/\r\n\r\n/.test(rest) || !'HTTP/1.1 '.startsWith(rest.slice(0, 9)))
        throw new Error(`Not a response: ${rest}`);
      break;
    }
    const body = readBody(rest.slice(whole.length), head, {
      isEnded,
      toHead: isFirstToHead && responses.length === 0,
    });
    if (body === undefined) break;
    rest = rest.slice(whole.length + body.length);
    const status = Number(head.slice(9, 12));
    if (status >= 200) responses.push({ status, head, body: body.text });
  }
  return responses;
}

/** Returns the body at the start of `rest` and its length in the raw text, or undefined if the body is incomplete. */
function readBody(
  rest: string,
  head: string,
  { isEnded, toHead }: { readonly isEnded: boolean; readonly toHead: boolean },
): { text: string; length: number } | undefined {
  const lengths = [...head.matchAll(/^content-length:(.*)\r$/gim)].map(([, value = '']) => value.trim());
  const codings = [...head.matchAll(/^transfer-encoding:(.*)\r$/gim)].map(([, value = '']) => value.trim());
  const status = Number(head.slice(9, 12));
  const isBodyless = status < 200 || status === 204 || status === 304 || toHead;
  if (lengths.length + codings.length > 1) throw new Error(`Ambiguous framing: ${head}`);
  if ((status < 200 || status === 204) && lengths.length + codings.length > 0)
    throw new Error(`A response without a body has framing: ${head}`);
  if (isBodyless) return { text: '', length: 0 };
  const [length] = lengths;
  if (length !== undefined) {
    if (!/^\d+$/.test(length)) throw new Error(`Ambiguous framing: ${head}`);
    const text = rest.slice(0, Number(length));
    return text.length === Number(length) ? { text, length: text.length } : undefined;
  }
  if (codings.length === 0) return isEnded ? { text: rest, length: rest.length } : undefined;
  if (codings[0]?.toLowerCase() !== 'chunked') throw new Error(`Ambiguous framing: ${head}`);
  return readChunks(rest);
}

function readChunks(rest: string): { text: string; length: number } | undefined {
  let [text, at] = ['', 0];
  for (;;) {
    const [line, size = ''] = /^([\da-f]+)\r\n/i.exec(rest.slice(at)) ?? [];
    if (line === undefined) return undefined;
    at += line.length;
    const bytes = Number.parseInt(size, 16);
    if (bytes === 0) break;
    text += rest.slice(at, at + bytes);
    at += bytes + 2;
    if (at > rest.length) return undefined;
  }
  const [trailers] = /^(?:[^\r\n]+\r\n)*\r\n/.exec(rest.slice(at)) ?? [];
  return trailers === undefined ? undefined : { text, length: at + trailers.length };
}
