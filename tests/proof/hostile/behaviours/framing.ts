import { all, type Behaviour } from '../behaviour.ts';
import { chunk, due, head, say, sayAndEnd, sayOften, whole } from '../wire.ts';

/** Bytes that are no HTTP, or that say two things of where an answer ends. */
export const framing: readonly Behaviour[] = [
  ...all('inconclusive', {
    'a body shorter than its length': [sayAndEnd(head('content-length: 1000'), due), /closed|EOF|aborted/i],
    'a length that is no number': [sayAndEnd(head('content-length: many'), due), /Content-Length/i],
    'a length below zero': [sayAndEnd(head('content-length: -5'), due), /Content-Length/i],
    'two different lengths': [
      sayAndEnd(head('content-length: 5', `content-length: ${due.length}`), due),
      /Content-Length/i,
    ],
    'length and chunks together': [
      sayAndEnd(head('content-length: 5', 'transfer-encoding: chunked'), chunk(due), '0\r\n\r\n'),
      /Content-Length|Transfer-Encoding/i,
    ],
    'chunks whose sizes are no numbers': [
      sayAndEnd(head('transfer-encoding: chunked'), 'zz\r\nno\r\n'),
      /chunk/i,
    ],
    'chunks that break off': [
      sayAndEnd(head('transfer-encoding: chunked'), 'ff\r\n{"er'),
      /closed|EOF|aborted/i,
    ],
    'a chunk of any size': [
      sayAndEnd(head('transfer-encoding: chunked'), 'ffffffffffffffffff\r\nx'),
      /chunk|closed|overflow/i,
    ],
    'a chunk extension without end': [
      sayOften(`${head('transfer-encoding: chunked')}5;x=`, 'y'.repeat(16_384)),
      /no further part of the body|total time|chunk|overflow/i,
    ],
    'trailers without end': [
      sayOften(`${head('transfer-encoding: chunked')}${chunk(due)}0\r\n`, `x-more: ${'y'.repeat(1000)}\r\n`),
      /Overflow|no further part of the body|total time/i,
    ],
    'bytes that are no HTTP': [
      sayAndEnd(Buffer.from([0, 255, 1, 254, 13, 10, 13, 10])),
      /Expected HTTP|closed|Invalid/i,
    ],
    'HTTP/0.9': [sayAndEnd(due), /Expected HTTP/],
    'HTTP/2 in clear': [sayAndEnd('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), /Expected HTTP|closed/],
    'a status of no number': [sayAndEnd(whole(due).replace('401', 'abc')), /status|Expected/i],
    '101 switching protocols': [
      say('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
      /upgrade|101|no response began|closed/i,
    ],
    'interim answers without end': [
      sayOften('', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100)),
      /more than 10000 interim responses/,
    ],
  }),
  ...all('violates', {
    'a body longer than its length': [sayAndEnd(head('content-length: 20'), due), /JSON/],
    'a status that there is not': [sayAndEnd(whole(due).replace('401 Unauthorized', '999 Strange')), /999/],
  }),
  ...all('conforms', {
    'HTTP/1.0, ended by the connection': [sayAndEnd(head().replace('HTTP/1.1', 'HTTP/1.0'), due)],
    'thousands of interim answers': [sayAndEnd('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(5_000), whole(due))],
    '100 Continue that nobody asked for': [sayAndEnd('HTTP/1.1 100 Continue\r\n\r\n', whole(due))],
    'an answer, then another that nobody asked for': [sayAndEnd(whole(due), whole(due))],
  }),
];
