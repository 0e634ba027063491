import type { Overrides } from '../decisions/index.ts';
import type { StreamEvent } from '../wire/answer.ts';
import { deciding, firstOfAll, message, onlyWhere, status, together } from './changes.ts';
import { all, inFamily, not, on, refused, refusedFor, streamed, type Where } from './conditions.ts';
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
const bodyFirst = firstOfAll('body');

/** Errors of streamed requests that are hidden, told inside of the stream, or answered in another way. */
export const streamErrorFaults: readonly Fault[] = [
  {
    id: 'stream/bad-key-told-inside',
    about: 'A streamed chat with a bad key starts with success and tells of it inside.',
    breaks: [
      'streams/malformed-credential',
      'streams/empty-api-key',
      'streams/bad-bearer-token',
      'streams/bad-api-key',
    ],
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
    breaks: [
      'streams/invalid-body',
      'streams/error-before-start',
      'streams/unlisted-model',
      'streams/unsupported-model',
      'streams/mismatched-model',
      'streams/image-to-text-only',
      'streams/balance-family-a',
      'streams/invalid-model',
    ],
    setup: swallowed(on('chat'), []),
  },
  {
    id: 'stream/errors-end-as-done',
    about: 'Whatever is wrong with a streamed call of responses, the stream just ends.',
    breaks: [
      'streams/unlisted-model',
      'streams/error-before-start',
      'streams/unsupported-model',
      'streams/mismatched-model',
      'streams/image-to-text-only',
      'streams/balance-family-a',
    ],
    setup: swallowed(on('responses'), [done]),
  },
  {
    id: 'stream/errors-end-family-b',
    about: 'Whatever is wrong with a streamed call of family B, a ping is all that comes.',
    breaks: [
      'streams/unlisted-model',
      'streams/error-before-start',
      'streams/unsupported-model',
      'streams/mismatched-model',
      'streams/image-to-text-only',
      'streams/balance-families-b-c',
    ],
    setup: swallowed(inFamily('B'), [{ name: 'ping', data: { type: 'ping' } }]),
  },
  {
    id: 'stream/errors-swallowed-in-family-c',
    about: 'Whatever is wrong with a streamed call of family C, an empty stream comes.',
    breaks: [
      'streams/body-json',
      'streams/error-before-start',
      'streams/unlisted-model',
      'streams/unsupported-model',
      'streams/mismatched-model',
      'streams/image-to-text-only',
      'streams/balance-families-b-c',
    ],
    setup: swallowed(all(inFamily('C'), not(refusedFor('missing-credential', 'bad-key'))), []),
  },
  {
    id: 'stream/model-not-needed',
    about: 'A streamed chat needs no model, and calls one of its choice.',
    breaks: ['streams/invalid-model', 'streams/error-before-start'],
    setup: deciding(
      onlyWhere(all(on('chat'), streamed), (base) => ({
        bodyFault: (body, ctx) => {
          const fault = base.bodyFault(body, ctx);
          return fault?.place === 'model' ? undefined : fault;
        },
        modelIdOf: (ctx) => base.modelIdOf(ctx) || 'gpt-reference',
      })),
    ),
  },
  {
    id: 'stream/message-names-nothing',
    about: 'A streamed chat says no more of a faulty body than that it is bad.',
    breaks: ['streams/message-names-fault'],
    setup: deciding(onlyWhere(all(on('chat'), streamed, refusedFor('invalid-body')), message('Bad Request'))),
  },
  {
    id: 'stream/message-tells-of-the-stream',
    about: 'A streamed chat without a member that must be there says that it could not be started.',
    breaks: ['streams/message-names-fault'],
    setup: deciding(
      onlyWhere(
        all(
          on('chat'),
          streamed,
          ({ failure }) => failure?.kind === 'invalid-body' && failure.expected.startsWith('present'),
        ),
        message('It could not be started.'),
      ),
    ),
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
    breaks: ['streams/invalid-body', 'streams/invalid-model'],
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
