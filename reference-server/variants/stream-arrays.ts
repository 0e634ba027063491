import type { Context } from '../gateway/context.ts';
import type { Reply } from '../wire/response.ts';
import { encodeChunk } from '../wire/wire-changes.ts';
import { isAuthFailure, withContent, withStatus } from './responses.ts';
import type { Variant, VariantSetup } from './variant.ts';

/** Sends a stream of family C as one JSON array, which is the form of these streams without `alt=sse`. */
const streamAsArray = (errors: (response: Reply, ctx: Context) => Reply) => (): VariantSetup => ({
  profile: { operations: { streamGenerate: 'POST /v1beta/models/{model}:streamGenerateContent' } },
  decisions: (base) => ({
    frameEvent: (event, data, ctx) =>
      ctx.operation?.id === 'streamGenerate' ? `${data},\r\n` : base.frameEvent(event, data, ctx),
    contentTypeOf: (kind, ctx) =>
      ctx.operation?.id === 'streamGenerate' ? 'application/json' : base.contentTypeOf(kind, ctx),
    finish: (response, ctx) =>
      ctx.operation?.id === 'streamGenerate' && ctx.failure ? errors(response, ctx) : response,
    transmit: (wire, ctx) => {
      if (ctx.operation?.id !== 'streamGenerate' || ctx.failure) return wire;
      const chunks = wire.chunks.map((chunk, index) => {
        const text = Buffer.from(encodeChunk(chunk)).toString();
        const open = index === 0 ? '[' : '';
        return {
          after: chunk.after,
          data: open + (index === wire.chunks.length - 1 ? text.replace(/,\r\n$/, ']') : text),
        };
      });
      return { ...wire, chunks };
    },
  }),
});

/** Variants in which the gateway sends streams of family C as JSON arrays, a form that 4 rule 6 leaves open. */
export const streamArrayVariants: readonly Variant[] = [
  {
    id: 'streams/array',
    about: 'Sends streams of family C as JSON arrays, and errors as responses that are not streamed.',
    setup: streamAsArray((response) => response),
  },
  {
    id: 'streams/array-of-errors',
    about: 'Sends streams of family C as JSON arrays, and each error also in an array.',
    warns: ['model-error/streamed'],
    setup: streamAsArray((response) =>
      response.content.kind === 'json'
        ? withContent(response, { kind: 'json', value: [response.content.value] })
        : response,
    ),
  },
  {
    id: 'streams/array-that-ends-in-an-error',
    about:
      'Sends streams of family C as JSON arrays, and an error, except for authentication errors, as the last item of an array with status 200.',
    warns: ['streams/error-before-start'],
    setup: streamAsArray((response, ctx) => {
      if (isAuthFailure(ctx) || response.content.kind !== 'json') return response;
      const items = [{ candidates: [] }, response.content.value];
      return withStatus(withContent(response, { kind: 'json', value: items }), 200);
    }),
  },
];
