import type { Overrides } from '../decisions/index.ts';
import { bodyOf } from '../wire/wire-changes.ts';
import { deciding, firstOfAll, onlyWhere, together } from './changes.ts';
import { all, inFamily, not, ofKey, on, presentsAnything, refused, streamed } from './conditions.ts';
import type { Fault } from './fault.ts';

const anonymous: Overrides = (base) => ({
  credentialOf: (_, ctx) => ({ header: 'bearer', value: ctx.profile.keys.valid }),
  findKey: base.findKey,
});
const served = all(streamed, not(refused));
const bodyFirst = firstOfAll('body');

/** Streams that do not come, come in one part, or come to anyone. */
export const streamFaults: readonly Fault[] = [
  {
    id: 'stream/refused-by-responses',
    about: 'Refuses streaming calls on responses.',
    breaks: ['streams/succeeds'],
    setup: deciding(
      onlyWhere(all(on('responses'), streamed), () => ({
        bodyFault: () => ({ place: 'stream', expected: 'false' }),
      })),
    ),
  },
  {
    id: 'stream/not-allowed-on-chat',
    about: 'Answers streaming chat calls of the valid key with 403.',
    breaks: ['streams/succeeds'],
    setup: deciding(
      onlyWhere(all(on('chat'), streamed, ofKey('valid')), (base) => ({
        canPay: () => false,
        typeOf: () => 'permission_denied',
        statusOf: () => 403,
        detailsOf: base.detailsOf,
      })),
    ),
  },
  {
    id: 'stream/crashes-family-b',
    about: 'Answers every streaming call of family B with 500.',
    breaks: ['streams/succeeds'],
    setup: deciding(
      onlyWhere(all(inFamily('B'), streamed), () => ({
        bodyFault: () => {
          throw new Error('no stream');
        },
      })),
    ),
  },
  {
    id: 'stream/absent-in-family-c',
    about: 'Answers every streaming call of family C with 404.',
    breaks: ['streams/succeeds'],
    setup: deciding(
      onlyWhere(on('streamGenerate'), (base) => ({
        bodyFault: () => ({ place: 'path', expected: 'another' }),
        statusOf: (failure, ctx) => (failure.kind === 'invalid-body' ? 404 : base.statusOf(failure, ctx)),
      })),
    ),
  },
  {
    id: 'stream/one-json',
    about: 'Answers a streaming chat call with one JSON body.',
    breaks: ['streams/in-parts'],
    setup: deciding(onlyWhere(on('chat'), () => ({ wantsStream: () => false }))),
  },
  {
    id: 'stream/held-back',
    about: 'Buffers a stream of family C and sends it in one part.',
    breaks: ['streams/in-parts'],
    setup: deciding(
      onlyWhere(all(inFamily('C'), served), () => ({
        transmit: (wire) => ({
          ...wire,
          framing: 'length',
          chunks: [{ after: 0, data: bodyOf(wire) }],
        }),
      })),
    ),
  },
  {
    id: 'stream/one-event',
    about: 'Sends only one event in a stream of family B.',
    breaks: ['streams/in-parts'],
    setup: deciding(
      onlyWhere(all(on('messages'), served), (base) => ({
        finish: (answer, ctx) =>
          base.finish(
            answer.content.kind === 'events'
              ? { ...answer, content: { kind: 'events', events: answer.content.events.slice(-1) } }
              : answer,
            ctx,
          ),
      })),
    ),
  },
  {
    id: 'stream/public',
    about: 'Answers streaming chat calls without a credential.',
    breaks: ['streams/missing-credential'],
    setup: deciding(
      together(bodyFirst, onlyWhere(all(on('chat'), streamed, not(presentsAnything)), anonymous)),
    ),
  },
  {
    id: 'stream/x-goog-api-key-taken',
    about: 'Accepts a key in `x-goog-api-key` on streaming responses calls.',
    breaks: ['streams/goog-header-outside-family-c'],
    setup: deciding(
      together(
        bodyFirst,
        onlyWhere(all(on('responses'), streamed), (base) => ({
          acceptedHeaders: (ctx) => [...base.acceptedHeaders(ctx), 'x-goog-api-key'],
        })),
      ),
    ),
  },
];
