import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { type Behaviour, createBehaviours } from '../behaviour.ts';
import { chunk, expectedBody, head, sendRepeatedly, withBody } from '../wire.ts';

const mebibyte = 1024 * 1024;

/** 64 MiB of zeros, compressed to 64 KiB. */
const bomb = gzipSync(Buffer.alloc(64 * mebibyte));

/** Endless or very long bodies, invalid or unknown content codings, and bodies that decode to very long bodies. */
export const bodies: readonly Behaviour[] = createBehaviours('inconclusive', {
  'a body of 300 MB': [
    sendRepeatedly(head(`content-length: ${300 * mebibyte}`), 'x'.repeat(mebibyte), 300),
    /longer than/,
  ],
  'an endless body': [
    sendRepeatedly(head('transfer-encoding: chunked'), chunk('x'.repeat(16_384))),
    /longer than/,
  ],
  'an endless body in chunks of one byte': [
    sendRepeatedly(head('transfer-encoding: chunked'), chunk('x').repeat(1000)),
    /longer than/,
  ],
  'an endless event stream': [
    sendRepeatedly(
      'HTTP/1.1 401 Unauthorized\r\ncontent-type: text/event-stream\r\n\r\n',
      'data: {}\n\n'.repeat(1000),
    ),
    /longer than/,
  ],
  'gzip that unpacks to 64 MB': [withBody(bomb, 'content-encoding: gzip'), /cannot be decoded/],
  'gzip three times': [
    withBody(gzipSync(gzipSync(bomb)), 'content-encoding: gzip, gzip, gzip'),
    /cannot be decoded/,
  ],
  'brotli that unpacks to 64 MB': [
    withBody(brotliCompressSync(Buffer.alloc(64 * mebibyte)), 'content-encoding: br'),
    /cannot be decoded/,
  ],
  'deflate that unpacks to 64 MB': [
    withBody(deflateSync(Buffer.alloc(64 * mebibyte)), 'content-encoding: deflate'),
    /cannot be decoded/,
  ],
  'invalid gzip': [withBody('not gzip', 'content-encoding: gzip'), /cannot be decoded/],
  'incomplete gzip': [
    withBody(gzipSync(expectedBody).subarray(0, 20), 'content-encoding: gzip'),
    /cannot be decoded/,
  ],
  'incomplete brotli': [
    withBody(brotliCompressSync(expectedBody).subarray(0, 9), 'content-encoding: br'),
    /cannot be decoded/,
  ],
  'an unknown content coding': [withBody(expectedBody, 'content-encoding: strange'), /is not supported/],
  'fifty content codings': [
    withBody(expectedBody, `content-encoding: ${Array.from({ length: 50 }, () => 'gzip').join(', ')}`),
    /the body has 50 content codings, but at most 5 are decoded/,
  ],
});
