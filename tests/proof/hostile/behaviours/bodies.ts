import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { all, type Behaviour } from '../behaviour.ts';
import { chunk, due, head, sayOften, withBody } from '../wire.ts';

const megabyte = 1024 * 1024;

/** Many megabytes of zeros in a few kilobytes. */
const bomb = gzipSync(Buffer.alloc(64 * megabyte));

/** Bodies without end, and codings that can't be undone, or that unpack to more than anyone has. */
export const bodies: readonly Behaviour[] = all('inconclusive', {
  'a body of 300 MB': [
    sayOften(head(`content-length: ${300 * megabyte}`), 'x'.repeat(megabyte), 300),
    /longer than/,
  ],
  'a body without end': [
    sayOften(head('transfer-encoding: chunked'), chunk('x'.repeat(16_384))),
    /longer than/,
  ],
  'a body in chunks of a byte': [
    sayOften(head('transfer-encoding: chunked'), chunk('x').repeat(1000)),
    /longer than/,
  ],
  'an event stream without end': [
    sayOften(
      'HTTP/1.1 401 Unauthorized\r\ncontent-type: text/event-stream\r\n\r\n',
      'data: {}\n\n'.repeat(1000),
    ),
    /longer than/,
  ],
  'gzip that unpacks to 64 MB': [withBody(bomb, 'content-encoding: gzip'), /can't be decoded/],
  'gzip in gzip in gzip': [
    withBody(gzipSync(gzipSync(bomb)), 'content-encoding: gzip, gzip, gzip'),
    /can't be decoded/,
  ],
  'brotli that unpacks to 64 MB': [
    withBody(brotliCompressSync(Buffer.alloc(64 * megabyte)), 'content-encoding: br'),
    /can't be decoded/,
  ],
  'deflate that unpacks to 64 MB': [
    withBody(deflateSync(Buffer.alloc(64 * megabyte)), 'content-encoding: deflate'),
    /can't be decoded/,
  ],
  'gzip that is none': [withBody('not gzip', 'content-encoding: gzip'), /can't be decoded/],
  'gzip that breaks off': [
    withBody(gzipSync(due).subarray(0, 20), 'content-encoding: gzip'),
    /can't be decoded/,
  ],
  'brotli that breaks off': [
    withBody(brotliCompressSync(due).subarray(0, 9), 'content-encoding: br'),
    /can't be decoded/,
  ],
  'a coding that nobody knows': [withBody(due, 'content-encoding: strange'), /is not known/],
  'fifty codings': [
    withBody(due, `content-encoding: ${Array.from({ length: 50 }, () => 'gzip').join(', ')}`),
    /the body has 50 content codings, but at most 5 are decoded/,
  ],
});
