import { type Behaviour, createBehaviours } from '../behaviour.ts';
import { chunk, expectedBody, head, response, send, sendAndEnd, sendRepeatedly } from '../wire.ts';

/** Invalid or contradictory framing, bytes that are not HTTP, and unusual status lines and interim responses. */
export const framing: readonly Behaviour[] = [
  ...createBehaviours('violates', {
    'a body shorter than its length': [
      sendAndEnd(head('content-length: 1000'), expectedBody),
      /closed before its end each time/,
    ],
    'an incomplete chunk': [
      sendAndEnd(head('transfer-encoding: chunked'), 'ff\r\n{"er'),
      /closed before its end each time/,
    ],
  }),
  ...createBehaviours('inconclusive', {
    'a length that is not a number': [
      sendAndEnd(head('content-length: many'), expectedBody),
      /Content-Length/i,
    ],
    'a negative length': [sendAndEnd(head('content-length: -5'), expectedBody), /Content-Length/i],
    'two different lengths': [
      sendAndEnd(head('content-length: 5', `content-length: ${expectedBody.length}`), expectedBody),
      /Content-Length/i,
    ],
    'a length and chunked coding': [
      sendAndEnd(head('content-length: 5', 'transfer-encoding: chunked'), chunk(expectedBody), '0\r\n\r\n'),
      /Content-Length|Transfer-Encoding/i,
    ],
    'chunk sizes that are not numbers': [
      sendAndEnd(head('transfer-encoding: chunked'), 'zz\r\nno\r\n'),
      /chunk/i,
    ],
    'a chunk size that is too large': [
      sendAndEnd(head('transfer-encoding: chunked'), 'ffffffffffffffffff\r\nx'),
      /chunk|closed|overflow/i,
    ],
    'an endless chunk extension': [
      sendRepeatedly(`${head('transfer-encoding: chunked')}5;x=`, 'y'.repeat(16_384)),
      /no further part of the body|total time|chunk|overflow/i,
    ],
    'endless trailers': [
      sendRepeatedly(
        `${head('transfer-encoding: chunked')}${chunk(expectedBody)}0\r\n`,
        `x-more: ${'y'.repeat(1000)}\r\n`,
      ),
      /Overflow|no further part of the body|total time/i,
    ],
    'bytes that are not HTTP': [
      sendAndEnd(Buffer.from([0, 255, 1, 254, 13, 10, 13, 10])),
      /Expected HTTP|closed|Invalid/i,
    ],
    'HTTP/0.9': [sendAndEnd(expectedBody), /Expected HTTP/],
    'HTTP/2 without TLS': [sendAndEnd('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), /Expected HTTP|closed/],
    'a status that is not a number': [
      sendAndEnd(response(expectedBody).replace('401', 'abc')),
      /status|Expected/i,
    ],
    '101 switching protocols': [
      send('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
      /upgrade|101|no response began|closed/i,
    ],
    'endless interim responses': [
      sendRepeatedly('', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100)),
      /more than 10000 interim responses/,
    ],
  }),
  ...createBehaviours('violates', {
    'a body longer than its length': [sendAndEnd(head('content-length: 20'), expectedBody), /JSON/],
    'an unassigned status': [
      sendAndEnd(response(expectedBody).replace('401 Unauthorized', '999 Strange')),
      /999/,
    ],
  }),
  ...createBehaviours('conforms', {
    'HTTP/1.0, with a body that ends with the connection': [
      sendAndEnd(head().replace('HTTP/1.1', 'HTTP/1.0'), expectedBody),
    ],
    'thousands of interim responses': [
      sendAndEnd('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(5_000), response(expectedBody)),
    ],
    'an unrequested 100 Continue': [sendAndEnd('HTTP/1.1 100 Continue\r\n\r\n', response(expectedBody))],
    'two responses to one request': [sendAndEnd(response(expectedBody), response(expectedBody))],
  }),
];
