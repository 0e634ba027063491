import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Outcome } from '../../runner/judge/outcome.ts';
import type { Misbehave } from './between.ts';

/** Something that no gateway should do, done to a request without a key, and what is to be said of it. */
export interface Behaviour {
  readonly id: string;
  readonly misbehave: Misbehave;
  /** The outcome of the case, whose due is 401 `missing_auth_credential`. */
  readonly outcome: Outcome;
  /** What the report tells of it. */
  readonly told: RegExp;
}

const id = '0d1c2b3a-4f5e-4a6b-8c7d-9e0f1a2b3c4d';
const due = JSON.stringify({
  error: { message: 'No key.', type: 'missing_auth_credential', code: 401, details: null },
  trace_id: id,
});
const head = (...lines: readonly string[]): string =>
  ['HTTP/1.1 401 Unauthorized', 'content-type: application/json', `x-trace-id: ${id}`, ...lines, '', ''].join(
    '\r\n',
  );
const whole = (body: string, ...lines: readonly string[]): string =>
  head(`content-length: ${Buffer.byteLength(body)}`, ...lines) + body;
const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

const say =
  (...pieces: readonly (string | Buffer)[]): Misbehave =>
  (socket) => {
    for (const piece of pieces) socket.write(piece);
  };
const sayAndEnd =
  (...pieces: readonly (string | Buffer)[]): Misbehave =>
  (socket) => {
    for (const piece of pieces) socket.write(piece);
    socket.end();
  };
/** Writes without end, at the pace at which it is read. */
const sayWithoutEnd =
  (first: string | Buffer, again: string | Buffer): Misbehave =>
  (socket) => {
    socket.write(first);
    const more = (): void => {
      while (!socket.destroyed && socket.write(again));
    };
    socket.on('drain', more);
    more();
  };
const drip =
  (text: string, everyMs: number): Misbehave =>
  (socket) => {
    let at = 0;
    const timer = setInterval(() => socket.write(text[at++ % text.length] ?? ''), everyMs);
    socket.on('close', () => clearInterval(timer));
  };
const withBody = (body: string | Buffer, ...lines: readonly string[]): Misbehave =>
  sayAndEnd(head(`content-length: ${Buffer.byteLength(body)}`, ...lines), body);
const megabyte = 'x'.repeat(1024 * 1024);
const deep = (open: string, close: string, levels: number): string =>
  open.repeat(levels) + close.repeat(levels);

/** At least what the specification of this suite's own robustness names, each by one table row. */
export const behaviours: readonly Behaviour[] = [
  { id: 'accepts and never answers', misbehave: () => {}, outcome: 'inconclusive', told: /Headers Timeout/ },
  {
    id: 'headers that never end',
    misbehave: say('HTTP/1.1 401 Unauthorized\r\nx-a: b\r\n'),
    outcome: 'inconclusive',
    told: /Headers Timeout/,
  },
  {
    id: 'headers, then nothing',
    misbehave: say(head('content-length: 10')),
    outcome: 'inconclusive',
    told: /Body Timeout/,
  },
  {
    id: 'headers a byte at a time',
    misbehave: drip(whole(due), 100),
    outcome: 'inconclusive',
    told: /Timeout|total time/,
  },
  {
    id: 'a body a byte at a time',
    misbehave: (socket, request) => {
      socket.write(head('content-length: 100000'));
      drip('x', 50)(socket, request);
    },
    outcome: 'inconclusive',
    told: /the total time is over/,
  },
  {
    id: 'reset at once',
    misbehave: (socket) => socket.resetAndDestroy(),
    outcome: 'inconclusive',
    told: /ECONNRESET|closed|reset/i,
  },
  { id: 'closed at once', misbehave: (socket) => socket.end(), outcome: 'inconclusive', told: /closed/ },
  {
    id: 'closed in the status line',
    misbehave: sayAndEnd('HTTP/1.1 40'),
    outcome: 'inconclusive',
    told: /closed|EOF/i,
  },
  {
    id: 'closed in the headers',
    misbehave: sayAndEnd('HTTP/1.1 401 Unauthorized\r\nx-a'),
    outcome: 'inconclusive',
    told: /closed|EOF/i,
  },
  {
    id: 'reset in the body',
    misbehave: (socket) => {
      socket.write(head('content-length: 1000'));
      setTimeout(() => socket.resetAndDestroy(), 20);
    },
    outcome: 'inconclusive',
    told: /ECONNRESET|terminated|closed|aborted/i,
  },
  {
    id: 'a body shorter than its length',
    misbehave: sayAndEnd(head('content-length: 1000'), due),
    outcome: 'inconclusive',
    told: /closed|EOF|aborted/i,
  },
  {
    id: 'a body longer than its length',
    misbehave: sayAndEnd(head('content-length: 20'), due),
    outcome: 'violates',
    told: /JSON/,
  },
  {
    id: 'a length that is no number',
    misbehave: sayAndEnd(head('content-length: many'), due),
    outcome: 'inconclusive',
    told: /Content-Length/i,
  },
  {
    id: 'two different lengths',
    misbehave: sayAndEnd(head('content-length: 5', `content-length: ${due.length}`), due),
    outcome: 'inconclusive',
    told: /Content-Length/i,
  },
  {
    id: 'length and chunks together',
    misbehave: sayAndEnd(head('content-length: 5', 'transfer-encoding: chunked'), chunk(due), '0\r\n\r\n'),
    outcome: 'inconclusive',
    told: /Content-Length|Transfer-Encoding/i,
  },
  {
    id: 'chunks whose sizes are no numbers',
    misbehave: sayAndEnd(head('transfer-encoding: chunked'), 'zz\r\nno\r\n'),
    outcome: 'inconclusive',
    told: /chunk/i,
  },
  {
    id: 'chunks that break off',
    misbehave: sayAndEnd(head('transfer-encoding: chunked'), 'ff\r\n{"er'),
    outcome: 'inconclusive',
    told: /closed|EOF|aborted/i,
  },
  {
    id: 'chunks without a last one',
    misbehave: say(head('transfer-encoding: chunked'), chunk(due)),
    outcome: 'inconclusive',
    told: /Body Timeout/,
  },
  {
    id: 'a chunk of any size',
    misbehave: sayAndEnd(head('transfer-encoding: chunked'), 'ffffffffffffffffff\r\nx'),
    outcome: 'inconclusive',
    told: /chunk|closed|overflow/i,
  },
  {
    id: 'bytes that are no HTTP',
    misbehave: sayAndEnd(Buffer.from([0, 255, 1, 254, 13, 10, 13, 10])),
    outcome: 'inconclusive',
    told: /Expected HTTP|closed|Invalid/i,
  },
  { id: 'HTTP/0.9', misbehave: sayAndEnd(due), outcome: 'inconclusive', told: /Expected HTTP/ },
  {
    id: 'HTTP/1.0, ended by the connection',
    misbehave: sayAndEnd(head().replace('HTTP/1.1', 'HTTP/1.0'), due),
    outcome: 'conforms',
    told: /./,
  },
  {
    id: 'HTTP/2 in clear',
    misbehave: sayAndEnd('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    outcome: 'inconclusive',
    told: /Expected HTTP|closed/,
  },
  {
    id: 'a status that there is not',
    misbehave: sayAndEnd(whole(due).replace('401 Unauthorized', '999 Strange')),
    outcome: 'violates',
    told: /999/,
  },
  {
    id: 'a status of no number',
    misbehave: sayAndEnd(whole(due).replace('401', 'abc')),
    outcome: 'inconclusive',
    told: /status|Expected/i,
  },
  {
    id: 'a header of 100 KB',
    misbehave: sayAndEnd(whole(due, `x-long: ${'x'.repeat(100_000)}`)),
    outcome: 'inconclusive',
    told: /Headers Overflow/i,
  },
  {
    id: 'headers without end',
    misbehave: sayWithoutEnd('HTTP/1.1 401 Unauthorized\r\n', `x-more: ${'x'.repeat(1000)}\r\n`),
    outcome: 'inconclusive',
    told: /Headers Overflow/i,
  },
  {
    id: '300 headers of one name',
    misbehave: sayAndEnd(whole(due, ...Array.from({ length: 300 }, () => 'x-same: y'))),
    outcome: 'conforms',
    told: /./,
  },
  {
    id: 'the trace id twice, differently',
    misbehave: sayAndEnd(whole(due, 'x-trace-id: other')),
    outcome: 'conforms',
    told: /x-trace-id/,
  },
  {
    id: 'ten thousand interim answers',
    misbehave: sayAndEnd('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(10_000), whole(due)),
    outcome: 'conforms',
    told: /./,
  },
  {
    id: 'interim answers without end',
    misbehave: sayWithoutEnd('', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100)),
    outcome: 'inconclusive',
    told: /Timeout|total time/,
  },
  {
    id: '101 switching protocols',
    misbehave: say('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
    outcome: 'inconclusive',
    told: /upgrade|101|Timeout|closed/i,
  },
  {
    id: 'a body of 300 MB',
    misbehave: (socket) => {
      socket.write(head(`content-length: ${300 * megabyte.length}`));
      let left = 300;
      const more = (): void => {
        while (left > 0 && !socket.destroyed) {
          left -= 1;
          if (!socket.write(megabyte)) return;
        }
      };
      socket.on('drain', more);
      more();
    },
    outcome: 'inconclusive',
    told: /longer than/,
  },
  {
    id: 'a body without end',
    misbehave: sayWithoutEnd(head('transfer-encoding: chunked'), chunk('x'.repeat(16_384))),
    outcome: 'inconclusive',
    told: /longer than/,
  },
  {
    id: 'an event stream without end',
    misbehave: sayWithoutEnd(
      'HTTP/1.1 401 Unauthorized\r\ncontent-type: text/event-stream\r\n\r\n',
      'data: {}\n\n'.repeat(1000),
    ),
    outcome: 'inconclusive',
    told: /longer than/,
  },
  {
    id: 'gzip that unpacks to 1 GB',
    misbehave: withBody(bomb(), 'content-encoding: gzip'),
    outcome: 'inconclusive',
    told: /can't be decoded/,
  },
  {
    id: 'gzip in gzip in gzip',
    misbehave: withBody(gzipSync(gzipSync(bomb())), 'content-encoding: gzip, gzip, gzip'),
    outcome: 'inconclusive',
    told: /can't be decoded/,
  },
  {
    id: 'gzip that is none',
    misbehave: withBody('not gzip', 'content-encoding: gzip'),
    outcome: 'inconclusive',
    told: /can't be decoded/,
  },
  {
    id: 'gzip that breaks off',
    misbehave: withBody(gzipSync(due).subarray(0, 20), 'content-encoding: gzip'),
    outcome: 'inconclusive',
    told: /can't be decoded/,
  },
  {
    id: 'brotli that breaks off',
    misbehave: withBody(brotliCompressSync(due).subarray(0, 9), 'content-encoding: br'),
    outcome: 'inconclusive',
    told: /can't be decoded/,
  },
  {
    id: 'a coding that nobody knows',
    misbehave: withBody(due, 'content-encoding: strange'),
    outcome: 'inconclusive',
    told: /is not known/,
  },
  {
    id: 'fifty codings',
    misbehave: withBody(due, `content-encoding: ${Array.from({ length: 50 }, () => 'gzip').join(', ')}`),
    outcome: 'inconclusive',
    told: /can't be decoded/,
  },
  { id: 'a BOM before JSON', misbehave: withBody(`\uFEFF${due}`), outcome: 'conforms', told: /./ },
  {
    id: 'UTF-16',
    misbehave: withBody(Buffer.from(due, 'utf16le'), 'x-a: b'),
    outcome: 'violates',
    told: /JSON/,
  },
  {
    id: 'bytes that are no UTF-8',
    misbehave: withBody(
      Buffer.concat([Buffer.from(due.slice(0, 22)), Buffer.from([0xff, 0xfe]), Buffer.from(due.slice(22))]),
    ),
    outcome: 'conforms',
    told: /./,
  },
  {
    id: 'NUL in JSON',
    misbehave: withBody(due.replace('No key.', 'No\u0000key.')),
    outcome: 'violates',
    told: /JSON/,
  },
  {
    id: 'lone surrogates',
    misbehave: withBody(due.replace('No key.', '\\ud800 no key')),
    outcome: 'conforms',
    told: /./,
  },
  {
    id: 'JSON a million levels deep',
    misbehave: withBody(deep('[', ']', 500_000)),
    outcome: 'violates',
    told: /./,
  },
  {
    id: 'an object a hundred thousand levels deep',
    misbehave: withBody(`{"error":${deep('{"a":', '', 100_000)}1${'}'.repeat(100_001)}`),
    outcome: 'violates',
    told: /./,
  },
  {
    id: '__proto__ in JSON',
    misbehave: withBody(due.replace('{', '{"__proto__":{"error":{}},"constructor":{"prototype":1},')),
    outcome: 'conforms',
    told: /./,
  },
  {
    id: 'members twice',
    misbehave: withBody(due.replace('"type"', '"type":"first","type"')),
    outcome: 'conforms',
    told: /./,
  },
  {
    id: 'numbers beyond all bounds',
    misbehave: withBody(due.replace('401', '1e999')),
    outcome: 'conforms',
    told: /code/,
  },
  {
    id: 'a hundred thousand members',
    misbehave: withBody(
      due.replace('{', `{${Array.from({ length: 50_000 }, (_, n) => `"m${n}":${n},`).join('')}`),
    ),
    outcome: 'conforms',
    told: /./,
  },
  ...[
    'http://127.0.0.1:1/elsewhere',
    'http://other.invalid/',
    'file:///etc/passwd',
    '/v1/responses',
    '//other.invalid',
    'javascript:alert(1)',
  ].map(
    (location): Behaviour => ({
      id: `a redirect to ${location}`,
      misbehave: sayAndEnd(
        `HTTP/1.1 307 Temporary Redirect\r\nlocation: ${location}\r\ncontent-length: 0\r\n\r\n`,
      ),
      outcome: 'violates',
      told: /307/,
    }),
  ),
];

/** A gigabyte of zeros in a megabyte. */
function bomb(): Buffer {
  return gzipSync(Buffer.alloc(64 * 1024 * 1024));
}
