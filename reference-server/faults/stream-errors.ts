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
    about: 'Answers a streaming chat call with a bad key with 200 and reports the error in the stream.',
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
    about: 'Answers a streaming call of family C without a key with 200 and reports the error in the stream.',
    breaks: ['streams/missing-credential', 'streams/malformed-credential'],
    setup: inside(all(inFamily('C'), refusedFor('missing-credential'))),
  },
  {
    id: 'stream/errors-swallowed',
    about: 'Answers every invalid streaming chat call with an empty stream.',
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
    about: 'Answers every invalid streaming responses call with a stream that contains only `[DONE]`.',
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
    about: 'Answers every invalid streaming call of family B with a stream that contains only a ping.',
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
    about: 'Answers every invalid streaming call of family C with an empty stream.',
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
    about: 'Calls a default model if a streaming chat call has no valid model.',
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
    about: 'Sends the message `Bad Request` for every invalid body of a streaming chat call.',
    breaks: ['streams/message-names-fault'],
    setup: deciding(onlyWhere(all(on('chat'), streamed, refusedFor('invalid-body')), message('Bad Request'))),
  },
  {
    id: 'stream/message-tells-of-the-stream',
    about: 'Sends a message that does not name the missing member of a streaming chat call.',
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
    about: 'Starts the stream with 200 and reports every error other than authentication in the stream.',
    breaks: ['streams/error-before-start'],
    setup: inside(not(refusedFor('missing-credential', 'bad-key'))),
  },
  {
    id: 'stream/balance-told-inside',
    about: 'Starts the stream with 200 and reports a balance that is too low in the stream in family B.',
    breaks: ['streams/error-before-start'],
    setup: inside(all(inFamily('B'), refusedFor('low-balance'))),
  },
  {
    id: 'stream/bodies-unchecked',
    about: 'Does not validate the body of a streaming chat call.',
    breaks: ['streams/invalid-body', 'streams/error-before-start'],
    setup: deciding(onlyWhere(all(on('chat'), streamed), () => ({ bodyFault: () => undefined }))),
  },
  {
    id: 'stream/invalid-bodies-500',
    about: 'Answers an invalid body of a streaming chat call with 500.',
    breaks: ['streams/invalid-body', 'streams/invalid-model'],
    setup: deciding(onlyWhere(all(on('chat'), streamed, refusedFor('invalid-body')), status(500))),
  },
  {
    id: 'stream/malformed-bodies-422',
    about: 'Answers a malformed body of a streaming call of family C with 422.',
    breaks: ['streams/body-json'],
    setup: deciding(onlyWhere(all(on('streamGenerate'), refusedFor('unparseable-body')), status(422))),
  },
  {
    id: 'stream/malformed-bodies-swallowed',
    about: 'Answers a malformed body of a streaming call of family C with an empty stream.',
    breaks: ['streams/body-json', 'streams/error-before-start'],
    setup: swallowed(all(on('streamGenerate'), refusedFor('unparseable-body')), []),
  },
];
