import { all, type Behaviour } from '../behaviour.ts';
import { due, sayAndEnd, sayOften, whole } from '../wire.ts';

const redirects = [
  'http://127.0.0.1:1/elsewhere',
  'http://other.invalid/',
  'file:///etc/passwd',
  '/v1/responses',
  '//other.invalid',
  'javascript:alert(1)',
];

/** Headers that are too long, too many, sent twice, or that lead elsewhere. */
export const headers: readonly Behaviour[] = [
  ...all('inconclusive', {
    'a header of 100 KB': [sayAndEnd(whole(due, `x-long: ${'x'.repeat(100_000)}`)), /Headers Overflow/i],
    'headers without end': [
      sayOften('HTTP/1.1 401 Unauthorized\r\n', `x-more: ${'x'.repeat(1000)}\r\n`),
      /Headers Overflow/i,
    ],
    'a header with a line break of its own': [
      sayAndEnd(whole(due, 'x-bare: a\rb')),
      /header|Missing expected|Invalid/i,
    ],
  }),
  ...all('conforms', {
    '300 headers of one name': [sayAndEnd(whole(due, ...Array.from({ length: 300 }, () => 'x-same: y')))],
    'the trace id twice, differently': [sayAndEnd(whole(due, 'x-trace-id: other')), /x-trace-id/],
    'a header named __proto__': [sayAndEnd(whole(due, '__proto__: x', 'constructor: y'))],
    'a date in the past': [
      sayAndEnd(
        whole(due, 'date: Thu, 01 Jan 1970 00:00:00 GMT', 'retry-after: Thu, 01 Jan 1970 00:00:00 GMT'),
      ),
    ],
    'a date that is none': [sayAndEnd(whole(due, 'date: yesterday', 'retry-after: -1e999'))],
    'headers in bytes that are no ASCII': [
      sayAndEnd(Buffer.from(whole(due, 'x-name: \u00fc\u00ff'), 'latin1')),
    ],
    'keep-alive that it does not keep': [
      sayAndEnd(whole(due, 'connection: keep-alive', 'keep-alive: timeout=600')),
    ],
  }),
  ...redirects.flatMap((location) =>
    all('violates', {
      [`a redirect to ${location}`]: [
        sayAndEnd(`HTTP/1.1 307 Temporary Redirect\r\nlocation: ${location}\r\ncontent-length: 0\r\n\r\n`),
        /307/,
      ],
    }),
  ),
];
