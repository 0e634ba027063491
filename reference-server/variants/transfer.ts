import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { withDecisions } from '../combine-setups.ts';
import type { Context } from '../gateway/context.ts';
import type { Overrides } from '../gateway/decisions.ts';
import type { WireResponse } from '../wire/response.ts';
import { joinChunks } from '../wire/wire-changes.ts';
import { createTextContent, isSuccessfulCall, withContent } from './responses.ts';
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

/** Variants of the transfer, status and content of responses that HTTP and the specification allow. */
export const transferVariants: readonly Variant[] = [
  {
    id: 'wire/two-codings',
    about: 'Compresses every body twice, with gzip and Brotli.',
    setup: withDecisions(compress('identity, gzip, br', (bytes) => brotli(gzipSync(bytes)))),
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
    id: 'wire/replies-as-text',
    about: 'Responds to non-streamed model calls with plain text.',
    setup: withDecisions(() => ({
      finish: (response, ctx) =>
        isSuccessfulCall(ctx) && !ctx.streamed && ctx.model
          ? withContent(response, createTextContent('text/plain', `This is ${ctx.model.id}.`))
          : response,
    })),
  },
];
