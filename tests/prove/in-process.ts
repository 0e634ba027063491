import type { Header, Wire } from '../../reference-server/answer.ts';
import type { GatewayRequest } from '../../reference-server/context.ts';
import type { Gateway } from '../../reference-server/gateway.ts';
import type { Result, WireRequest } from '../../runner/send/exchange.ts';
import { defaultLimits, makeAnswer, type Transport } from '../../runner/send/http.ts';

/** A way to a gateway in the same process, for what does not change the bytes on the wire. */
export function transportTo(gateway: Gateway): Transport {
  return {
    send: async (request) => resultOf(request, (await gateway.handle(requestOf(request))).wire),
    close: async () => {},
  };
}

function requestOf({ method, path, headers, body = '' }: WireRequest): GatewayRequest {
  const [pathname = '/', ...search] = path.split('?');
  const bytes = Buffer.from(body);
  // As HTTP hands them on: names in lower case, values without blanks at their ends, and the length of the body.
  const trimmed = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value.trim()]);
  return {
    method,
    path: pathname,
    query: new URLSearchParams(search.join('?')),
    headers: { ...Object.fromEntries(trimmed), 'content-length': String(bytes.length) },
    readBody: async (limit) =>
      bytes.length > limit ? { kind: 'too-large', limit } : { kind: 'read', bytes },
  };
}

function resultOf({ method }: WireRequest, { status, headers, chunks, framing }: Wire): Result {
  const hasBody = method !== 'HEAD' && status !== 204 && status !== 304;
  const pieces = chunks.map(({ bytes }) => bytes).filter((bytes) => bytes.length > 0);
  const length = pieces.reduce((sum, bytes) => sum + bytes.length, 0);
  const framed: readonly Header[] =
    framing === 'length' ? [...headers, ['content-length', String(length)]] : headers;
  const byName: Record<string, string> = {};
  for (const [name, value] of framed) {
    const before = byName[name.toLowerCase()];
    byName[name.toLowerCase()] = before === undefined ? value : `${before},${value}`;
  }
  return {
    kind: 'answer',
    answer: makeAnswer(status, byName, hasBody ? pieces : [], defaultLimits.bodyBytes),
  };
}
