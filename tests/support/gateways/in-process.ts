import type { ReferenceGateway } from '../../../reference-server/gateway/create-gateway.ts';
import type { ServerRequest } from '../../../reference-server/wire/request.ts';
import type { Header, WireResponse } from '../../../reference-server/wire/response.ts';
import { encodeChunk } from '../../../reference-server/wire/wire-changes.ts';
import { encodeBody } from '../../../runner/exchange/decode.ts';
import type { Result, WireRequest } from '../../../runner/exchange/exchange.ts';
import { defaultLimits } from '../../../runner/send/deadline.ts';
import type { Transport } from '../../../runner/send/http.ts';
import { createLanes, type Lane } from '../../../runner/send/lanes.ts';
import { bufferBody, createAnswer } from '../../../runner/send/receive.ts';

/**
 * Sends a response over a real connection, and returns the result that the client gets, or undefined if the response
 * needs no connection.
 */
type SendOverHttp = (
  wire: WireResponse,
  request: WireRequest,
  how: { readonly mustSucceed: boolean },
) => Promise<Result | undefined>;

/**
 * Creates a transport to a gateway in the same process. The transport returns responses without HTTP, except the
 * responses for which `elsewhere` returns a result.
 */
export function createInProcessTransport(
  gateway: ReferenceGateway,
  elsewhere: SendOverHttp = async () => undefined,
): Transport {
  let connections = 0;
  const openLane = (): Lane => {
    let opened = 0;
    let connection: string | undefined;
    return {
      async send(request, how) {
        await yieldToEventLoop();
        if (connection === undefined) {
          opened += 1;
          connections += 1;
          connection = `in-process-${connections}`;
        }
        const { wire } = await gateway.handle(requestOf(request, connection));
        if (closesConnection(wire)) connection = undefined;
        return (await elsewhere(wire, request, how)) ?? resultOf(request, wire);
      },
      opened: () => opened,
      close: async () => {},
    };
  };
  return {
    ...createLanes(maxConnections, openLane),
    openConnection: () => createLanes(1, openLane),
  };
}

const maxConnections = 64;

function closesConnection({ headers, ending }: WireResponse): boolean {
  return (
    ending !== 'finish' ||
    headers.some(([name, value]) => name.toLowerCase() === 'connection' && value.toLowerCase() === 'close')
  );
}

const sentInARow = 32;
let sent = 0;
let turn: Promise<void> | undefined;

// A run in this process never waits for a socket. Without these pauses, the run would block all timers and connections.
function yieldToEventLoop(): Promise<void> | undefined {
  sent += 1;
  if (sent % sentInARow === 0) {
    turn ??= new Promise((resolve) => {
      setImmediate(() => {
        turn = undefined;
        resolve();
      });
    });
  }
  return turn;
}

/** Returns a request as the gateway would read it from the connection with this name. */
export function requestOf(
  { method, path, headers, body = '' }: WireRequest,
  connection = 'in-process',
): ServerRequest {
  const [pathname = '/', ...search] = path.split('?');
  const bytes = Buffer.from(encodeBody(body));
  // The headers that a server reads: names in lower case, trimmed values, and the length of the body.
  const trimmed = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value.trim()]);
  return {
    method,
    path: pathname,
    query: new URLSearchParams(search.join('?')),
    headers: { ...Object.fromEntries(trimmed), 'content-length': String(bytes.length) },
    connection,
    readBody: (limit) => (bytes.length > limit ? { kind: 'too-large', limit } : { kind: 'read', bytes }),
  };
}

/** Returns the result that a client would get for a response, without HTTP. */
export function resultOf(
  { method }: WireRequest,
  { status, headers, chunks, framing, ending }: WireResponse,
): Result {
  if (ending === 'unanswered')
    return { kind: 'failure', failure: { reason: 'reset', detail: 'other side closed', isUnanswered: true } };
  if (ending === 'cut')
    return { kind: 'failure', failure: { reason: 'reset', detail: 'other side closed', cutStatus: status } };
  const hasBody = method !== 'HEAD' && status !== 204 && status !== 304;
  const pieces = chunks.map(encodeChunk).filter((bytes) => bytes.length > 0);
  const length = pieces.reduce((sum, bytes) => sum + bytes.length, 0);
  const framed: readonly Header[] =
    framing === 'length' ? [...headers, ['content-length', String(length)]] : headers;
  const byName: Record<string, string> = {};
  for (const [name, value] of framed) {
    const before = byName[name.toLowerCase()];
    byName[name.toLowerCase()] = before === undefined ? value : `${before},${value}`;
  }
  const limit = defaultLimits.bodyBytes;
  const body = bufferBody(limit);
  if (hasBody) for (const piece of pieces) body.add(piece);
  return { kind: 'answer', answer: createAnswer(status, byName, body, limit) };
}
