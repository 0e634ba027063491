import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A request as its bytes arrived. Names and values of headers are Latin-1 text. */
export interface ReceivedRequest {
  readonly method: string;
  readonly target: string;
  /** The headers in the order of arrival, without the header `x-number`. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The bytes of the body, without the framing of chunks. */
  readonly body: Buffer;
  /** The value of the header `x-number`; empty if the request has no such header. */
  readonly number: string;
}

/** A server on a raw socket that records each request. */
export interface RecordingServer {
  readonly url: string;
  /** The requests in the order of arrival. */
  readonly received: ReceivedRequest[];
  /** From now on, answers each request of a new connection with 200, and passes nothing on. */
  readonly answerAll: () => void;
  readonly close: () => Promise<void>;
}

/** Starts a recording server that passes all bytes on to the server with the URL `upstream`. */
export async function startRecordingServer(upstream: string): Promise<RecordingServer> {
  const received: ReceivedRequest[] = [];
  const sockets = new Set<Socket>();
  let passesOn = true;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    const next = passesOn ? connect(Number(new URL(upstream).port), '127.0.0.1') : undefined;
    next?.on('error', () => socket.destroy());
    next?.on('close', () => socket.end());
    socket.on('close', () => next?.destroy());
    next?.pipe(socket);
    let bytes = Buffer.alloc(0);
    socket.on('data', (piece) => {
      bytes = Buffer.concat([bytes, piece]);
      for (;;) {
        const read = readRequest(bytes);
        if (!read) break;
        bytes = bytes.subarray(read.length);
        received.push(read.request);
        if (!next) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
      }
      next?.write(piece);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    received,
    answerAll: () => {
      passesOn = false;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Reads the first request of the bytes. Returns undefined if the request is not complete. */
function readRequest(bytes: Buffer): { request: ReceivedRequest; length: number } | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [line = '', ...fields] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const [method = '', target = ''] = line.split(' ');
  const headers = fields.map((field) => {
    const colon = field.indexOf(':');
    return [field.slice(0, colon), field.slice(colon + 1).replace(/^[ \t]+/, '')] as const;
  });
  const readHeader = (name: string): string =>
    headers.find(([other]) => other.toLowerCase() === name)?.[1] ?? '';
  const rest = bytes.subarray(end + 4);
  const read =
    readHeader('transfer-encoding') === 'chunked'
      ? readChunks(rest)
      : readLength(rest, readHeader('content-length'));
  if (!read) return undefined;
  return {
    length: end + 4 + read.length,
    request: {
      method,
      target,
      headers: headers.filter(([name]) => name.toLowerCase() !== 'x-number'),
      body: read.body,
      number: readHeader('x-number'),
    },
  };
}

type ReadBody = { readonly body: Buffer; readonly length: number } | undefined;

function readLength(bytes: Buffer, stated: string): ReadBody {
  const length = Number(stated);
  return bytes.length < length ? undefined : { body: bytes.subarray(0, length), length };
}

function readChunks(bytes: Buffer): ReadBody {
  const pieces: Buffer[] = [];
  for (let at = 0; ; ) {
    const end = bytes.indexOf('\r\n', at);
    if (end < 0) return undefined;
    const size = Number.parseInt(bytes.subarray(at, end).toString('latin1'), 16);
    const next = end + 2 + size + 2;
    if (bytes.length < next) return undefined;
    if (size === 0) return { body: Buffer.concat(pieces), length: next };
    pieces.push(bytes.subarray(end + 2, end + 2 + size));
    at = next;
  }
}
