import type { Overrides } from '../decisions/index.ts';
import { claude, malformed, noObjectTaken, replacing } from './body-changes.ts';
import { deciding, onlyWhere, status, together, type } from './changes.ts';
import { all, inFamily, on, refusedFor, type Where } from './conditions.ts';
import type { Fault } from './fault.ts';

const empty: Where = ({ failure }) =>
  failure?.kind === 'unparseable-body' && failure.reason.includes('empty');
const noObject: Where = ({ failure }) => failure?.kind === 'invalid-body' && failure.place === 'body';
const invalid = refusedFor('invalid-body');
const lenient = (text: string): boolean => /^\{/.test(text) && !text.startsWith("{'");
const ignoring =
  (place: RegExp): Overrides =>
  (base) => ({
    bodyFault: (body, ctx) => {
      const fault = base.bodyFault(body, ctx);
      return fault && place.test(fault.place) ? undefined : fault;
    },
  });

/** Bodies that are malformed, or break another protocol than chat, and are served or refused in another way. */
export const requestBodyFaults: readonly Fault[] = [
  {
    id: 'request-body/malformed-500',
    about: 'Answers a malformed body with 500 on chat.',
    breaks: ['requests/body-json'],
    setup: deciding(onlyWhere(all(on('chat'), malformed), status(500))),
  },
  {
    id: 'request-body/malformed-500-in-family-c',
    about: 'Answers a malformed body with 500 in family C.',
    breaks: ['requests/body-json', 'streams/body-json'],
    setup: deciding(onlyWhere(all(inFamily('C'), malformed), status(500))),
  },
  {
    id: 'request-body/malformed-500-by-header',
    about: 'Answers a malformed body with 500 if the key is in a header that SDKs of the family do not use.',
    breaks: ['requests/body-json', 'streams/body-json'],
    setup: deciding(
      onlyWhere(
        all(
          malformed,
          ({ family, credential }) => credential.header === (family === 'A' ? 'x-api-key' : 'bearer'),
        ),
        status(500),
      ),
    ),
  },
  {
    id: 'request-body/malformed-415',
    about: 'Answers a malformed body with 415 in family B.',
    breaks: ['requests/body-json'],
    setup: deciding(onlyWhere(all(on('messages'), malformed), status(415))),
  },
  {
    id: 'request-body/malformed-called-missing-model',
    about: 'Answers a malformed body with the type `model_not_available` on responses.',
    breaks: ['requests/body-json'],
    setup: deciding(onlyWhere(all(on('responses'), malformed), type('model_not_available'))),
  },
  {
    id: 'request-body/malformed-repaired',
    about: 'Repairs malformed JSON on responses and answers 200.',
    breaks: ['requests/body-json'],
    setup: deciding(onlyWhere(on('responses'), replacing(lenient))),
  },
  {
    id: 'request-body/trailing-commas-taken',
    about: 'Accepts JSON with a trailing comma in family B.',
    breaks: ['requests/body-json'],
    setup: deciding(
      onlyWhere(
        on('messages'),
        together(
          replacing((text) => text.endsWith(',}')),
          claude,
        ),
      ),
    ),
  },
  {
    id: 'request-body/form-taken',
    about: 'Accepts a form instead of JSON on chat.',
    breaks: ['requests/body-json'],
    setup: deciding(
      onlyWhere(
        on('chat'),
        replacing((text) => text.startsWith('model=')),
      ),
    ),
  },
  {
    id: 'request-body/text-taken-for-a-prompt',
    about: 'Accepts plain text as a prompt in family B.',
    breaks: ['requests/body-json'],
    setup: deciding(
      onlyWhere(
        on('messages'),
        together(
          replacing((text) => text.startsWith('This')),
          claude,
        ),
      ),
    ),
  },
  {
    id: 'request-body/single-quotes-taken',
    about: 'Accepts single quotes in JSON in family C.',
    breaks: ['requests/body-json'],
    setup: deciding(
      onlyWhere(
        on('generate'),
        replacing((text) => text.startsWith("{'")),
      ),
    ),
  },
  {
    id: 'request-body/markup-taken',
    about: 'Accepts XML instead of JSON on chat.',
    breaks: ['requests/body-json'],
    setup: deciding(
      onlyWhere(
        on('chat'),
        replacing((text) => text.startsWith('<')),
      ),
    ),
  },
  {
    id: 'request-body/empty-taken',
    about: 'Accepts an empty body on chat.',
    breaks: ['chat/empty-body'],
    setup: deciding(
      onlyWhere(
        on('chat'),
        replacing((text) => text === ''),
      ),
    ),
  },
  {
    id: 'request-body/empty-411',
    about: 'Answers an empty body with 411 on chat.',
    breaks: ['chat/empty-body'],
    setup: deciding(onlyWhere(all(on('chat'), empty), status(411))),
  },
  {
    id: 'request-body/empty-500-on-responses',
    about: 'Answers an empty body with 500 on responses.',
    breaks: ['requests/empty-body'],
    setup: deciding(onlyWhere(all(on('responses'), empty), status(500))),
  },
  {
    id: 'request-body/empty-taken-in-families-b-and-c',
    about: 'Accepts an empty body in families B and C.',
    breaks: ['requests/empty-body'],
    setup: deciding(
      onlyWhere(
        on('messages', 'generate'),
        together(
          replacing((text) => text === ''),
          claude,
        ),
      ),
    ),
  },
  {
    id: 'request-body/no-object-taken-by-chat',
    about: 'Accepts JSON that is not an object on chat.',
    breaks: ['chat/body-object'],
    setup: deciding(onlyWhere(on('chat'), noObjectTaken)),
  },
  {
    id: 'request-body/no-object-500-on-chat',
    about: 'Answers JSON that is not an object with 500 on chat.',
    breaks: ['chat/body-object'],
    setup: deciding(onlyWhere(all(on('chat'), noObject), status(500))),
  },
  {
    id: 'request-body/no-object-500-elsewhere',
    about: 'Answers JSON that is not an object with 500 on responses and in family B.',
    breaks: ['requests/body-object'],
    setup: deciding(onlyWhere(all(on('responses', 'messages'), noObject), status(500))),
  },
  {
    id: 'request-body/no-object-taken-by-family-c',
    about: 'Accepts JSON that is not an object in family C.',
    breaks: ['requests/body-object'],
    setup: deciding(onlyWhere(on('generate'), noObjectTaken)),
  },
  {
    id: 'request-body/responses-input-optional',
    about: 'Does not validate `input` on responses.',
    breaks: ['responses/body'],
    setup: deciding(onlyWhere(on('responses'), ignoring(/^input/))),
  },
  {
    id: 'request-body/responses-422',
    about: 'Answers an invalid body with 422 on responses.',
    breaks: ['responses/body', 'requests/body-object'],
    setup: deciding(onlyWhere(all(on('responses'), invalid), status(422))),
  },
  {
    id: 'request-body/messages-max-tokens-optional',
    about: 'Does not validate `max_tokens` in family B.',
    breaks: ['messages/body'],
    setup: deciding(onlyWhere(on('messages'), ignoring(/^max_tokens/))),
  },
  {
    id: 'request-body/messages-unchecked',
    about: 'Does not validate `messages` in family B.',
    breaks: ['messages/body'],
    setup: deciding(onlyWhere(on('messages'), ignoring(/^messages/))),
  },
  {
    id: 'request-body/messages-500',
    about: 'Answers an invalid body with 500 in family B.',
    breaks: ['messages/body', 'requests/body-object'],
    setup: deciding(onlyWhere(all(on('messages'), invalid), status(500))),
  },
  {
    id: 'request-body/generate-unchecked',
    about: 'Does not validate `contents` in family C.',
    breaks: ['generate/body'],
    setup: deciding(onlyWhere(on('generate'), ignoring(/^contents/))),
  },
  {
    id: 'request-body/generate-mistyped',
    about: 'Answers an invalid body with the type `model_not_available` in family C.',
    breaks: ['generate/body', 'requests/body-object'],
    setup: deciding(onlyWhere(all(on('generate'), invalid), type('model_not_available'))),
  },
];
