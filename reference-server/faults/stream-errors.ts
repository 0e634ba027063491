import { withDecisions } from '../combine-setups.ts';
import type { Overrides } from '../decisions/index.ts';
import type { OutgoingEvent } from '../wire/response.ts';
import {
  allOf,
  inFamily,
  isRefused,
  isStreamed,
  not,
  onOperation,
  type RequestCondition,
  refusedFor,
} from './conditions.ts';
import type { Fault } from './fault.ts';
import {
  applyWhere,
  checkFirst,
  combineOverrides,
  replaceModelBody,
  setMessage,
  setStatus,
  setType,
} from './overrides.ts';

const done: OutgoingEvent = { name: undefined, data: '[DONE]' };
// Responds to a rejected streamed request with 200 and a stream of these events.
const replaceErrors = (where: RequestCondition, events: readonly OutgoingEvent[]) =>
  withDecisions(
    applyWhere(allOf(isStreamed, isRefused, where), () => ({
      finish: (response) => ({ ...response, status: 200, content: { kind: 'events', events } }),
    })),
  );
// Responds to a rejected streamed request with 200 and a stream that reports the error as an event.
const reportErrorsInStream =
  (where: RequestCondition): (() => { decisions: Overrides }) =>
  () => ({
    decisions: applyWhere(allOf(isStreamed, isRefused, where), () => ({
      finish: (response) => ({
        ...response,
        status: 200,
        content: {
          kind: 'events',
          events: [
            { name: 'error', data: response.content.kind === 'json' ? response.content.value : null },
            done,
          ],
        },
      }),
    })),
  });
const parseFirst = checkFirst('body');
// The requirements that a gateway violates with streams of model output instead of errors.
const outputInsteadOfErrors = [
  'streams/unlisted-model',
  'streams/unsupported-model',
  'streams/mismatched-model',
  'streams/image-to-text-only',
  'streams/error-before-start',
  'lifecycle/drained-account',
];

/**
 * Faults in which the gateway does not detect errors of streamed calls, hides the errors, reports the errors in the
 * stream, or sends the errors with the wrong status or message.
 */
export const streamErrorFaults: readonly Fault[] = [
  {
    id: 'stream/bad-key-told-inside',
    about: 'Responds with 200 to streamed chat calls with a bad key, and reports the error in the stream.',
    violates: [
      'streams/malformed-credential',
      'streams/empty-api-key',
      'streams/bad-bearer-token',
      'streams/bad-api-key',
      'lifecycle/deleted-key',
    ],
    setup: () => ({
      decisions: combineOverrides(
        parseFirst,
        reportErrorsInStream(allOf(onOperation('chat'), refusedFor('bad-key')))().decisions,
      ),
    }),
  },
  {
    id: 'stream/missing-key-told-inside',
    about:
      'Responds with 200 to streamed calls of family C without a key, and reports the error in the stream.',
    violates: ['streams/missing-credential', 'streams/malformed-credential'],
    setup: reportErrorsInStream(allOf(inFamily('C'), refusedFor('missing-credential'))),
  },
  {
    id: 'stream/errors-swallowed',
    about:
      'Responds with an empty stream to every streamed chat call that is rejected after its body is parsed.',
    violates: ['streams/error-before-start'],
    setup: replaceErrors(onOperation('chat'), []),
  },
  {
    id: 'stream/errors-end-as-done',
    about:
      'Responds with a stream that contains only `[DONE]` to every streamed `responses` call that is rejected after its body is parsed.',
    violates: ['streams/error-before-start'],
    setup: replaceErrors(onOperation('responses'), [done]),
  },
  {
    id: 'stream/errors-end-family-b',
    about:
      'Responds with a stream that contains only a ping to every streamed call of family B that is rejected after its body is parsed.',
    violates: ['streams/error-before-start'],
    setup: replaceErrors(inFamily('B'), [{ name: 'ping', data: { type: 'ping' } }]),
  },
  {
    id: 'stream/errors-swallowed-in-family-c',
    about:
      'Responds with an empty stream to every streamed call of family C that is rejected after the check of the key.',
    violates: ['streams/error-before-start'],
    setup: replaceErrors(allOf(inFamily('C'), not(refusedFor('missing-credential', 'bad-key'))), []),
  },
  {
    id: 'stream/errors-as-output',
    about:
      'Responds with an apology as model output to every streamed chat call that is rejected after its body is parsed.',
    violates: [
      ...outputInsteadOfErrors,
      'streams/invalid-body',
      'streams/invalid-model',
      'streams/balance-family-a',
    ],
    setup: replaceErrors(onOperation('chat'), [
      { name: undefined, data: { choices: [{ index: 0, delta: { content: 'I am sorry.' } }] } },
      done,
    ]),
  },
  {
    id: 'stream/errors-as-output-of-responses',
    about:
      'Responds with model output and `error: {}` in one event to every streamed `responses` call that is rejected after its body is parsed.',
    violates: [...outputInsteadOfErrors, 'streams/balance-family-a'],
    setup: replaceErrors(onOperation('responses'), [
      { name: undefined, data: { type: 'response.output_text.delta', delta: 'I am sorry.', error: {} } },
    ]),
  },
  {
    id: 'stream/errors-as-output-of-family-b',
    about:
      'Responds with model output, and then with an error, to every streamed call of family B that is rejected after its body is parsed.',
    violates: [...outputInsteadOfErrors, 'streams/balance-families-b-c'],
    setup: replaceErrors(inFamily('B'), [
      { name: undefined, data: { type: 'content_block_delta', delta: { type: 'text_delta', text: '1' } } },
      { name: 'error', data: { type: 'error', error: { type: 'invalid_request_error', message: 'No.' } } },
    ]),
  },
  {
    id: 'stream/errors-as-output-of-family-c',
    about:
      'Responds with model output and `error: {}` in one event to every streamed call of family C that is rejected after the check of the key.',
    violates: [
      ...outputInsteadOfErrors,
      'streams/body-json',
      'streams/balance-families-b-c',
      'streams/large-body-json',
    ],
    setup: replaceErrors(allOf(inFamily('C'), not(refusedFor('missing-credential', 'bad-key'))), [
      { name: undefined, data: { candidates: [{ content: { parts: [{ text: '1' }] } }], error: {} } },
    ]),
  },
  {
    id: 'stream/model-not-needed',
    about: 'Calls a default model if the `model` of a streamed chat call is missing, empty or not a string.',
    violates: ['streams/invalid-model', 'streams/error-before-start'],
    setup: withDecisions(
      applyWhere(allOf(onOperation('chat'), isStreamed), (base) => ({
        findBodyProblem: (body, ctx) => {
          const problem = base.findBodyProblem(body, ctx);
          return problem?.place === 'model' ? undefined : problem;
        },
        modelIdOf: (ctx) => base.modelIdOf(ctx) || 'gpt-reference',
      })),
    ),
  },
  {
    id: 'stream/message-names-nothing',
    about: 'Sends the message `Bad Request` for a streamed chat call whose body is JSON but invalid.',
    violates: ['streams/message-names-fault'],
    setup: withDecisions(
      applyWhere(
        allOf(onOperation('chat'), isStreamed, refusedFor('invalid-body')),
        setMessage('Bad Request'),
      ),
    ),
  },
  {
    id: 'stream/message-tells-of-the-stream',
    about: 'Sends the message `It could not be started.` if a streamed chat call lacks a member.',
    violates: ['streams/message-names-fault'],
    setup: withDecisions(
      applyWhere(
        allOf(
          onOperation('chat'),
          isStreamed,
          ({ failure }) => failure?.kind === 'invalid-body' && failure.expected.startsWith('present'),
        ),
        setMessage('It could not be started.'),
      ),
    ),
  },
  {
    id: 'stream/type-of-another-api',
    about: 'Sends the type `not_found_error` if the model of a streamed chat call does not exist.',
    violates: ['model-error/streamed-type'],
    setup: withDecisions(
      applyWhere(
        allOf(onOperation('chat'), isStreamed, refusedFor('unknown-model')),
        setType('not_found_error'),
      ),
    ),
  },
  {
    id: 'stream/another-type-as-a-code',
    about:
      'Sends the type `invalid_request_error` as the top-level member `code` if the model of a streamed call does not exist.',
    violates: ['streams/unlisted-model', 'model-error/streamed'],
    setup: withDecisions(
      applyWhere(
        allOf(isStreamed, refusedFor('unknown-model')),
        replaceModelBody(({ message }) => ({ code: 'invalid_request_error', message })),
      ),
    ),
  },
  {
    id: 'stream/errors-told-inside',
    about:
      'Starts the stream with 200 and reports every error in the stream, except authentication errors and, outside family C, errors about malformed bodies.',
    violates: ['streams/error-before-start'],
    setup: reportErrorsInStream(not(refusedFor('missing-credential', 'bad-key'))),
  },
  {
    id: 'stream/balance-told-inside',
    about: 'Starts streams of family B with 200, and reports a balance that is too low in the stream.',
    violates: ['streams/error-before-start'],
    setup: reportErrorsInStream(allOf(inFamily('B'), refusedFor('low-balance'))),
  },
  {
    id: 'stream/bodies-unchecked',
    about: 'Does not validate the body of a streamed chat call.',
    violates: ['streams/invalid-body'],
    setup: withDecisions(
      applyWhere(allOf(onOperation('chat'), isStreamed), () => ({ findBodyProblem: () => undefined })),
    ),
  },
  {
    id: 'stream/invalid-bodies-500',
    about: 'Responds to an invalid body of a streamed chat call with 500.',
    violates: ['streams/invalid-body', 'streams/invalid-model'],
    setup: withDecisions(
      applyWhere(allOf(onOperation('chat'), isStreamed, refusedFor('invalid-body')), setStatus(500)),
    ),
  },
  {
    id: 'stream/malformed-bodies-422',
    about: 'Responds to a malformed or empty body of a streamed call of family C with 422.',
    violates: ['streams/body-json', 'streams/large-body-json', 'streams/lenient-json'],
    setup: withDecisions(
      applyWhere(allOf(onOperation('streamGenerate'), refusedFor('unparseable-body')), setStatus(422)),
    ),
  },
  {
    id: 'stream/malformed-bodies-swallowed',
    about: 'Responds to a malformed or empty body of a streamed call of family C with an empty stream.',
    violates: ['streams/error-before-start'],
    setup: replaceErrors(allOf(onOperation('streamGenerate'), refusedFor('unparseable-body')), []),
  },
];
