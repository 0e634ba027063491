import { type Behaviour, createBehaviours } from '../behaviour.ts';
import { expectedBody, response, sendAndEnd, sendRepeatedly } from '../wire.ts';

const redirects = [
  'http://127.0.0.1:1/elsewhere',
  'http://other.invalid/',
  'file:///etc/passwd',
  '/v1/responses',
  '//other.invalid',
  'javascript:alert(1)',
];

/**
 * Responses with redirects, with too many headers, or with headers that are too long, duplicate, invalid or unusual.
 */
export const headers: readonly Behaviour[] = [
  ...createBehaviours('inconclusive', {
    'a header of 100 KB': [
      sendAndEnd(response(expectedBody, `x-long: ${'x'.repeat(100_000)}`)),
      /Headers Overflow/i,
    ],
    'endless headers': [
      sendRepeatedly('HTTP/1.1 401 Unauthorized\r\n', `x-more: ${'x'.repeat(1000)}\r\n`),
      /Headers Overflow/i,
    ],
    'a header with a bare CR': [
      sendAndEnd(response(expectedBody, 'x-bare: a\rb')),
      /header|Missing expected|Invalid/i,
    ],
  }),
  ...createBehaviours('conforms', {
    '300 headers with the same name': [
      sendAndEnd(response(expectedBody, ...Array.from({ length: 300 }, () => 'x-same: y'))),
    ],
    'two different trace ids': [sendAndEnd(response(expectedBody, 'x-trace-id: other')), /x-trace-id/],
    'a header named __proto__': [sendAndEnd(response(expectedBody, '__proto__: x', 'constructor: y'))],
    'a date in the past': [
      sendAndEnd(
        response(
          expectedBody,
          'date: Thu, 01 Jan 1970 00:00:00 GMT',
          'retry-after: Thu, 01 Jan 1970 00:00:00 GMT',
        ),
      ),
    ],
    'an invalid date': [sendAndEnd(response(expectedBody, 'date: yesterday', 'retry-after: -1e999'))],
    'headers that are not ASCII': [
      sendAndEnd(Buffer.from(response(expectedBody, 'x-name: \u00fc\u00ff'), 'latin1')),
    ],
    'a connection closed in spite of keep-alive': [
      sendAndEnd(response(expectedBody, 'connection: keep-alive', 'keep-alive: timeout=600')),
    ],
  }),
  ...redirects.flatMap((location) =>
    createBehaviours('violates', {
      [`a redirect to ${location}`]: [
        sendAndEnd(`HTTP/1.1 307 Temporary Redirect\r\nlocation: ${location}\r\ncontent-length: 0\r\n\r\n`),
        /307/,
      ],
    }),
  ),
];
