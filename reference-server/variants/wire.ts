import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import type { Overrides } from '../decisions/index.ts';
import type { Context } from '../gateway/context.ts';
import type { Wire } from '../wire/answer.ts';
import { bodyOf } from '../wire/wire-changes.ts';
import { isCall, textContent, withContent, withStatus } from './answers.ts';
import { deciding, type Variant } from './variant.ts';

const transmitting =
  (change: (wire: Wire, ctx: Context) => Wire): Overrides =>
  () => ({ transmit: change });

/** A gateway that codes every body it sends. */
const coded = (coding: string, code: (bytes: Buffer) => Buffer): Overrides =>
  transmitting((wire) => ({
    ...wire,
    headers: [...wire.headers, ['content-encoding', coding], ['vary', 'accept-encoding']],
    chunks: [{ after: 0, data: code(bodyOf(wire)) }],
  }));

// As servers do that compress while a client waits: the best that brotli can takes a hundred times as long.
const brotli = (bytes: Buffer): Buffer =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });

const answering =
  (change: (wire: Wire) => Wire): Overrides =>
  () => ({ transmit: (wire, ctx) => (isCall(ctx) ? change(wire) : wire) });

/** What HTTP leaves open about how an answer travels. */
export const wireVariants: readonly Variant[] = [
  { id: 'wire/gzip', about: 'Compresses every body with gzip.', setup: deciding(coded('gzip', gzipSync)) },
  {
    id: 'wire/x-gzip',
    about: 'Compresses every body with gzip under its old name `x-gzip`.',
    setup: deciding(coded('X-GZIP', gzipSync)),
  },
  {
    id: 'wire/deflate',
    about: 'Compresses every body with deflate.',
    setup: deciding(coded('deflate', deflateSync)),
  },
  {
    id: 'wire/raw-deflate',
    about: 'Compresses every body with deflate without the zlib header.',
    setup: deciding(coded('deflate', deflateRawSync)),
  },
  {
    id: 'wire/brotli',
    about: 'Compresses every body with Brotli.',
    setup: deciding(coded('br', brotli)),
  },
  {
    id: 'wire/two-codings',
    about: 'Compresses every body twice, with gzip and Brotli.',
    setup: deciding(coded('identity, gzip, br', (bytes) => brotli(gzipSync(bytes)))),
  },
  {
    id: 'wire/compressed-stream',
    about: 'Compresses every body and sends it in chunks without a content length.',
    setup: deciding((base) => ({
      transmit: (wire, ctx) => ({
        ...(coded('gzip', gzipSync)(base).transmit?.(wire, ctx) ?? wire),
        framing: 'chunked',
      }),
    })),
  },
  {
    id: 'wire/chunked',
    about: 'Sends every body in small chunks.',
    setup: deciding(
      transmitting((wire) => {
        const bytes = bodyOf(wire);
        const pieces = Array.from({ length: Math.ceil(bytes.length / 200) }, (_, index) => ({
          after: 0,
          data: bytes.subarray(index * 200, index * 200 + 200),
        }));
        return { ...wire, framing: 'chunked', chunks: pieces };
      }),
    ),
  },
  {
    id: 'wire/closed-connections',
    about: 'Closes the connection after each response.',
    setup: deciding(
      transmitting((wire) => ({ ...wire, headers: [...wire.headers, ['Connection', 'close']] })),
    ),
  },
  {
    id: 'wire/slow-start',
    about: 'Delays one response in twenty.',
    setup: deciding(transmitting((wire, ctx) => (ctx.number % 20 === 0 ? { ...wire, after: 300 } : wire))),
  },
  {
    id: 'wire/slow-bodies',
    about: 'Sends every body in two halves with a pause between them.',
    setup: deciding(
      transmitting((wire) => {
        const bytes = bodyOf(wire);
        const middle = Math.floor(bytes.length / 2);
        return {
          ...wire,
          framing: 'chunked',
          chunks: [
            { after: 0, data: bytes.subarray(0, middle) },
            { after: 15, data: bytes.subarray(middle) },
          ],
        };
      }),
    ),
  },
  {
    id: 'wire/many-headers',
    about: 'Adds the headers of proxies, cookies and a policy of eight thousand characters.',
    setup: deciding(
      transmitting((wire) => ({
        ...wire,
        headers: [
          ...wire.headers,
          ['Server', 'nginx'],
          ['Via', '1.1 varnish'],
          ['Set-Cookie', 'a=1; Path=/'],
          ['Set-Cookie', 'b=2; Path=/'],
          ['Strict-Transport-Security', 'max-age=1'],
          ['X-RateLimit-Remaining', '0'],
          ['Content-Security-Policy', `default-src 'none' ${'https://gateway.example '.repeat(320)}`],
        ],
      })),
    ),
  },
  {
    id: 'wire/blanks-around-headers',
    about: 'Writes spaces and tabs around header values.',
    setup: deciding(
      transmitting((wire) => ({
        ...wire,
        headers: wire.headers.map(([name, value]) => [name, ` ${value} \t`]),
      })),
    ),
  },
  {
    id: 'wire/other-reasons',
    about: 'Sends other reason phrases, or none, with the status.',
    setup: deciding(
      transmitting((wire) => ({ ...wire, reason: wire.status === 200 ? '' : 'Whatever It Is' })),
    ),
  },
  {
    id: 'wire/padded',
    about: 'Writes whitespace before and after JSON.',
    setup: deciding((base) => ({
      serialise: (value, ctx) =>
        ctx.streamed
          ? base.serialise(value, ctx)
          : `\n\n  ${base.serialise(value, ctx)}${' '.repeat(3000)}\n`,
    })),
  },
  {
    id: 'wire/calls-are-201',
    about: 'Answers successful model calls with 201.',
    setup: deciding(answering((wire) => ({ ...wire, status: 201, reason: 'Created' }))),
  },
  {
    id: 'wire/lists-are-206',
    about: 'Answers the model list with 206.',
    setup: deciding(() => ({
      finish: (answer, ctx) => (ctx.surface === 'list' && !ctx.failure ? withStatus(answer, 206) : answer),
    })),
  },
  {
    id: 'wire/replies-as-text',
    about: 'Answers plain model calls with plain text.',
    setup: deciding((base) => ({
      finish: (answer, ctx) =>
        isCall(ctx) && !ctx.streamed && ctx.model
          ? withContent(answer, textContent('text/plain', base.replyText(ctx.model, ctx)))
          : answer,
    })),
  },
  {
    id: 'wire/replies-without-content',
    about: 'Answers plain model calls with 204 and no body.',
    setup: deciding(() => ({
      finish: (answer, ctx) =>
        isCall(ctx) && !ctx.streamed ? { ...answer, status: 204, content: { kind: 'nothing' } } : answer,
    })),
  },
  {
    id: 'wire/replies-speak-of-errors',
    about: 'Sends an empty error in successful responses, with a reply that contains an error.',
    setup: deciding((base) => ({
      replyText: () => 'data: {"error": {"message": "model_not_available"}}',
      callBody: (call, ctx) => {
        const body = base.callBody(call, ctx);
        return { ...(typeof body === 'object' ? body : {}), error: null, code: 0, type: 'result' };
      },
    })),
  },
];
