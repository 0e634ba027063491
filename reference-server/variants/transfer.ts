import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { withDecisions } from '../combine-setups.ts';
import type { Context } from '../gateway/context.ts';
import type { Overrides } from '../gateway/decisions.ts';
import type { WireResponse } from '../wire/response.ts';
import { joinChunks } from '../wire/wire-changes.ts';
import { createTextContent, isSuccessfulCall, withContent, withStatus } from './responses.ts';
import type { Variant } from './variant.ts';

const changeTransfer =
  (change: (wire: WireResponse, ctx: Context) => WireResponse): Overrides =>
  () => ({ transmit: change });

const compress = (coding: string, code: (bytes: Buffer) => Buffer): Overrides =>
  changeTransfer((wire) => ({
    ...wire,
    headers: [...wire.headers, ['content-encoding', coding], ['vary', 'accept-encoding']],
    chunks: [{ after: 0, data: code(joinChunks(wire)) }],
  }));

// Servers that compress responses on the fly use a low quality. The highest quality takes a hundred times as long.
const brotli = (bytes: Buffer): Buffer =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });

const isRefusedWithBody = ({ failure, request: { headers } }: Context): boolean =>
  failure !== undefined && Number(headers['content-length'] ?? 0) > 0;

const changeCalls =
  (change: (wire: WireResponse) => WireResponse): Overrides =>
  () => ({ transmit: (wire, ctx) => (isSuccessfulCall(ctx) ? change(wire) : wire) });

/** Variants of the transfer, status and content of responses that HTTP and the specification allow. */
export const transferVariants: readonly Variant[] = [
  {
    id: 'wire/gzip',
    about: 'Compresses every body with gzip.',
    setup: withDecisions(compress('gzip', gzipSync)),
  },
  {
    id: 'wire/x-gzip',
    about: 'Compresses every body with gzip under its old name `x-gzip`.',
    setup: withDecisions(compress('X-GZIP', gzipSync)),
  },
  {
    id: 'wire/deflate',
    about: 'Compresses every body with deflate.',
    setup: withDecisions(compress('deflate', deflateSync)),
  },
  {
    id: 'wire/raw-deflate',
    about: 'Compresses every body with deflate without the zlib header.',
    setup: withDecisions(compress('deflate', deflateRawSync)),
  },
  {
    id: 'wire/brotli',
    about: 'Compresses every body with Brotli.',
    setup: withDecisions(compress('br', brotli)),
  },
  {
    id: 'wire/two-codings',
    about: 'Compresses every body twice, with gzip and Brotli.',
    setup: withDecisions(compress('identity, gzip, br', (bytes) => brotli(gzipSync(bytes)))),
  },
  {
    id: 'wire/compressed-stream',
    about: 'Compresses every body and sends the compressed body in chunks without a content length.',
    setup: withDecisions((base) => ({
      transmit: (wire, ctx) => ({
        ...(compress('gzip', gzipSync)(base).transmit?.(wire, ctx) ?? wire),
        framing: 'chunked',
      }),
    })),
  },
  {
    id: 'wire/chunked',
    about: 'Sends every body in chunks of 200 bytes.',
    setup: withDecisions(
      changeTransfer((wire) => {
        const bytes = joinChunks(wire);
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
    setup: withDecisions(
      changeTransfer((wire) => ({ ...wire, headers: [...wire.headers, ['Connection', 'close']] })),
    ),
  },
  {
    id: 'wire/closed-after-refusal',
    about:
      'Closes the connection after it refuses a request with a body, as a gateway may that does not read the body.',
    setup: withDecisions(
      changeTransfer((wire, ctx) =>
        isRefusedWithBody(ctx) ? { ...wire, headers: [...wire.headers, ['Connection', 'close']] } : wire,
      ),
    ),
  },
  {
    id: 'wire/closed-silently-after-refusal',
    about:
      'Closes the connection after it refuses a request with a body, without announcing that in the response.',
    setup: withDecisions(
      changeTransfer((wire, ctx) => (isRefusedWithBody(ctx) ? { ...wire, ending: 'closed' } : wire)),
    ),
  },
  {
    id: 'wire/slow-start',
    about: 'Delays one response in twenty by 300 ms.',
    setup: withDecisions(
      changeTransfer((wire, ctx) => (ctx.number % 20 === 0 ? { ...wire, after: 300 } : wire)),
    ),
  },
  {
    id: 'wire/slow-bodies',
    about: 'Sends every body in two halves with a pause of 15 ms between the halves.',
    setup: withDecisions(
      changeTransfer((wire) => {
        const bytes = joinChunks(wire);
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
    about: 'Adds the headers of proxies, cookies and a policy of more than 7,000 characters.',
    setup: withDecisions(
      changeTransfer((wire) => ({
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
    setup: withDecisions(
      changeTransfer((wire) => ({
        ...wire,
        headers: wire.headers.map(([name, value]) => [name, ` ${value} \t`]),
      })),
    ),
  },
  {
    id: 'wire/other-reasons',
    about: 'Sends unusual or empty reason phrases.',
    setup: withDecisions(
      changeTransfer((wire) => ({ ...wire, reason: wire.status === 200 ? '' : 'Whatever It Is' })),
    ),
  },
  {
    id: 'wire/padded',
    about: 'Writes whitespace before and after JSON.',
    setup: withDecisions((base) => ({
      serializeJson: (value, ctx) =>
        ctx.streamed
          ? base.serializeJson(value, ctx)
          : `\n\n  ${base.serializeJson(value, ctx)}${' '.repeat(3000)}\n`,
    })),
  },
  {
    id: 'wire/calls-are-201',
    about: 'Responds to successful model calls with 201.',
    setup: withDecisions(changeCalls((wire) => ({ ...wire, status: 201, reason: 'Created' }))),
  },
  {
    id: 'wire/lists-are-206',
    about: 'Responds to model-list requests with 206.',
    setup: withDecisions(() => ({
      finish: (response, ctx) =>
        ctx.surface === 'list' && !ctx.failure ? withStatus(response, 206) : response,
    })),
  },
  {
    id: 'wire/replies-as-text',
    about: 'Responds to non-streamed model calls with plain text.',
    setup: withDecisions((base) => ({
      finish: (response, ctx) =>
        isSuccessfulCall(ctx) && !ctx.streamed && ctx.model
          ? withContent(response, createTextContent('text/plain', base.createReplyText(ctx.model, ctx)))
          : response,
    })),
  },
  {
    id: 'wire/replies-without-content',
    about: 'Responds to non-streamed model calls with 204 and no body.',
    setup: withDecisions(() => ({
      finish: (response, ctx) =>
        isSuccessfulCall(ctx) && !ctx.streamed
          ? { ...response, status: 204, content: { kind: 'nothing' } }
          : response,
    })),
  },
  {
    id: 'wire/replies-speak-of-errors',
    about:
      'Sends `error: null` in non-streamed responses, and model output that contains the text of an error.',
    setup: withDecisions((base) => ({
      createReplyText: () => 'data: {"error": {"message": "model_not_available"}}',
      callBody: (call, ctx) => {
        const body = base.callBody(call, ctx);
        return { ...(typeof body === 'object' ? body : {}), error: null, code: 0, type: 'result' };
      },
    })),
  },
];
