import type { StreamEvent } from '../answer.ts';
import type { Overrides } from '../decisions.ts';
import { deciding, firstOfAll, onlyWhere, status, together } from './changes.ts';
import {
  all,
  inFamily,
  not,
  on,
  presentsAnything,
  refused,
  refusedFor,
  streamed,
  type Where,
} from './conditions.ts';
import type { Fault } from './fault.ts';

const done: StreamEvent = { name: undefined, data: '[DONE]' };
// A refusal becomes a stream of these events.
const swallowed = (where: Where, events: readonly StreamEvent[]) =>
  deciding(
    onlyWhere(all(streamed, refused, where), () => ({
      finish: (answer) => ({ ...answer, status: 200, content: { kind: 'events', events } }),
    })),
  );
// A refusal becomes an event of a stream that began with success.
const inside =
  (where: Where): (() => { decisions: Overrides }) =>
  () => ({
    decisions: onlyWhere(all(streamed, refused, where), () => ({
      finish: (answer) => ({
        ...answer,
        status: 200,
        content: {
          kind: 'events',
          events: [
            { name: 'error', data: answer.content.kind === 'json' ? answer.content.value : null },
            done,
          ],
        },
      }),
    })),
  });
const anonymous: Overrides = (base) => ({
  credentialOf: (_, ctx) => ({ header: 'bearer', value: ctx.profile.keys.valid }),
  findKey: base.findKey,
});
const served = all(streamed, not(refused));
const bodyFirst = firstOfAll('body');

/** Streams that do not come, come in one part, or hide an error. */
export const streamFaults: readonly Fault[] = [
  {
    id: 'stream/refused-by-responses',
    about: 'Responses refuses to stream.',
    breaks: ['streams/succeeds'],
    setup: deciding(
      onlyWhere(all(on('responses'), streamed), () => ({
        bodyFault: () => ({ place: 'stream', expected: 'false' }),
      })),
    ),
  },
  {
    id: 'stream/absent-in-family-c',
    about: 'The streaming operation of family C is not found.',
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
    about: 'A streamed chat is answered with one JSON body.',
    breaks: ['streams/in-parts'],
    setup: deciding(onlyWhere(on('chat'), () => ({ wantsStream: () => false }))),
  },
  {
    id: 'stream/held-back',
    about: 'A stream of family C is held back until it is complete.',
    breaks: ['streams/in-parts'],
    setup: deciding(
      onlyWhere(all(inFamily('C'), served), () => ({
        transmit: (wire) => ({
          ...wire,
          framing: 'length',
          chunks: [{ after: 0, bytes: Buffer.concat(wire.chunks.map(({ bytes }) => bytes)) }],
        }),
      })),
    ),
  },
  {
    id: 'stream/one-event',
    about: 'A stream of family B is one event.',
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
    about: 'Chat streams to anyone who sends no credential.',
    breaks: ['streams/missing-credential'],
    setup: deciding(
      together(bodyFirst, onlyWhere(all(on('chat'), streamed, not(presentsAnything)), anonymous)),
    ),
  },
  {
    id: 'stream/x-goog-api-key-taken',
    about: 'A streamed call of responses takes its key from x-goog-api-key.',
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
  {
    id: 'stream/bad-key-told-inside',
    about: 'A streamed chat with a bad key starts with success and tells of it inside.',
    breaks: ['streams/malformed-credential', 'streams/empty-api-key', 'streams/bad-bearer-token', 'streams/bad-api-key'],
    setup: () => ({
      decisions: together(bodyFirst, inside(all(on('chat'), refusedFor('bad-key')))().decisions),
    }),
  },
  {
    id: 'stream/missing-key-told-inside',
    about: 'Family C starts a stream without a key, and tells of it inside.',
    breaks: ['streams/missing-credential', 'streams/malformed-credential'],
    setup: inside(all(inFamily('C'), refusedFor('missing-credential'))),
  },
  {
    id: 'stream/errors-swallowed',
    about: 'Whatever is wrong with a streamed chat, an empty stream comes.',
    breaks: ['streams/invalid-body', 'streams/error-before-start', 'streams/unlisted-model', 'streams/unsupported-model', 'streams/mismatched-model', 'streams/image-to-text-only', 'streams/balance-family-a'],
    setup: swallowed(on('chat'), []),
  },
  {
    id: 'stream/errors-end-as-done',
    about: 'Whatever is wrong with a streamed call of responses, the stream just ends.',
    breaks: ['streams/unlisted-model', 'streams/error-before-start', 'streams/unsupported-model', 'streams/mismatched-model', 'streams/image-to-text-only', 'streams/balance-family-a'],
    setup: swallowed(on('responses'), [done]),
  },
  {
    id: 'stream/errors-end-family-b',
    about: 'Whatever is wrong with a streamed call of family B, a ping is all that comes.',
    breaks: ['streams/unlisted-model', 'streams/error-before-start', 'streams/unsupported-model', 'streams/mismatched-model', 'streams/image-to-text-only', 'streams/balance-families-b-c'],
    setup: swallowed(inFamily('B'), [{ name: 'ping', data: { type: 'ping' } }]),
  },
  {
    id: 'stream/errors-swallowed-in-family-c',
    about: 'Whatever is wrong with a streamed call of family C, an empty stream comes.',
    breaks: ['streams/body-json', 'streams/error-before-start', 'streams/unlisted-model', 'streams/unsupported-model', 'streams/mismatched-model', 'streams/image-to-text-only', 'streams/balance-families-b-c'],
    setup: swallowed(all(inFamily('C'), not(refusedFor('missing-credential', 'bad-key'))), []),
  },
  {
    id: 'stream/errors-told-inside',
    about: 'An error that is known before a stream starts is told inside of it.',
    breaks: ['streams/error-before-start'],
    setup: inside(not(refusedFor('missing-credential', 'bad-key'))),
  },
  {
    id: 'stream/balance-told-inside',
    about: 'Family B tells a depleted account of its balance inside of a stream.',
    breaks: ['streams/error-before-start'],
    setup: inside(all(inFamily('B'), refusedFor('low-balance'))),
  },
  {
    id: 'stream/bodies-unchecked',
    about: 'Chat does not look into the body of a streamed call.',
    breaks: ['streams/invalid-body', 'streams/error-before-start'],
    setup: deciding(onlyWhere(all(on('chat'), streamed), () => ({ bodyFault: () => undefined }))),
  },
  {
    id: 'stream/invalid-bodies-500',
    about: 'Chat answers an invalid body 500 where a stream is asked for.',
    breaks: ['streams/invalid-body'],
    setup: deciding(onlyWhere(all(on('chat'), streamed, refusedFor('invalid-body')), status(500))),
  },
  {
    id: 'stream/malformed-bodies-422',
    about: 'The streaming operation of family C answers a malformed body 422.',
    breaks: ['streams/body-json'],
    setup: deciding(onlyWhere(all(on('streamGenerate'), refusedFor('unparseable-body')), status(422))),
  },
  {
    id: 'stream/malformed-bodies-swallowed',
    about: 'The streaming operation of family C answers a malformed body with an empty stream.',
    breaks: ['streams/body-json', 'streams/error-before-start'],
    setup: swallowed(all(on('streamGenerate'), refusedFor('unparseable-body')), []),
  },
];
