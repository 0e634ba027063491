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
    about: 'Chat answers a malformed body 500.',
    breaks: ['requests/body-json'],
    setup: deciding(onlyWhere(all(on('chat'), malformed), status(500))),
  },
  {
    id: 'request-body/malformed-500-in-family-c',
    about: 'Family C answers a malformed body 500.',
    breaks: ['requests/body-json', 'streams/body-json'],
    setup: deciding(onlyWhere(all(inFamily('C'), malformed), status(500))),
  },
  {
    id: 'request-body/malformed-500-by-header',
    about: 'A malformed body is answered 500 where the key stands in another header than is usual.',
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
    about: 'Family B answers a malformed body 415.',
    breaks: ['requests/body-json'],
    setup: deciding(onlyWhere(all(on('messages'), malformed), status(415))),
  },
  {
    id: 'request-body/malformed-called-missing-model',
    about: 'Responses takes a malformed body for one without a model.',
    breaks: ['requests/body-json'],
    setup: deciding(onlyWhere(all(on('responses'), malformed), type('model_not_available'))),
  },
  {
    id: 'request-body/malformed-repaired',
    about: 'Responses repairs JSON whose end is missing or too long, and answers.',
    breaks: ['requests/body-json'],
    setup: deciding(onlyWhere(on('responses'), replacing(lenient))),
  },
  {
    id: 'request-body/trailing-commas-taken',
    about: 'Family B takes JSON with a comma behind the last member.',
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
    about: 'Chat takes a form for its body.',
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
    about: 'Family B takes a text for a prompt.',
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
    about: 'Family C takes single quotes in JSON.',
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
    about: 'Chat takes XML for its body.',
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
    about: 'Chat answers an empty body.',
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
    about: 'Chat answers an empty body 411.',
    breaks: ['chat/empty-body'],
    setup: deciding(onlyWhere(all(on('chat'), empty), status(411))),
  },
  {
    id: 'request-body/empty-500-on-responses',
    about: 'Responses answers an empty body 500.',
    breaks: ['requests/empty-body'],
    setup: deciding(onlyWhere(all(on('responses'), empty), status(500))),
  },
  {
    id: 'request-body/empty-taken-in-families-b-and-c',
    about: 'Families B and C answer an empty body.',
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
    about: 'Chat answers a body that is JSON and no object.',
    breaks: ['chat/body-object'],
    setup: deciding(onlyWhere(on('chat'), noObjectTaken)),
  },
  {
    id: 'request-body/no-object-500-on-chat',
    about: 'Chat answers a body that is JSON and no object 500.',
    breaks: ['chat/body-object'],
    setup: deciding(onlyWhere(all(on('chat'), noObject), status(500))),
  },
  {
    id: 'request-body/no-object-500-elsewhere',
    about: 'Responses and family B answer a body that is JSON and no object 500.',
    breaks: ['requests/body-object'],
    setup: deciding(onlyWhere(all(on('responses', 'messages'), noObject), status(500))),
  },
  {
    id: 'request-body/no-object-taken-by-family-c',
    about: 'Family C answers a body that is JSON and no object.',
    breaks: ['requests/body-object'],
    setup: deciding(onlyWhere(on('generate'), noObjectTaken)),
  },
  {
    id: 'request-body/responses-input-optional',
    about: 'Responses answers whatever its input is, or without one.',
    breaks: ['responses/body'],
    setup: deciding(onlyWhere(on('responses'), ignoring(/^input/))),
  },
  {
    id: 'request-body/responses-422',
    about: 'Responses answers an invalid body 422.',
    breaks: ['responses/body', 'requests/body-object'],
    setup: deciding(onlyWhere(all(on('responses'), invalid), status(422))),
  },
  {
    id: 'request-body/messages-max-tokens-optional',
    about: 'Family B answers without max_tokens, or whatever it is.',
    breaks: ['messages/body'],
    setup: deciding(onlyWhere(on('messages'), ignoring(/^max_tokens/))),
  },
  {
    id: 'request-body/messages-unchecked',
    about: 'Family B does not look into its messages.',
    breaks: ['messages/body'],
    setup: deciding(onlyWhere(on('messages'), ignoring(/^messages/))),
  },
  {
    id: 'request-body/messages-500',
    about: 'Family B answers an invalid body 500.',
    breaks: ['messages/body', 'requests/body-object'],
    setup: deciding(onlyWhere(all(on('messages'), invalid), status(500))),
  },
  {
    id: 'request-body/generate-unchecked',
    about: 'Family C does not look into its contents.',
    breaks: ['generate/body'],
    setup: deciding(onlyWhere(on('generate'), ignoring(/^contents/))),
  },
  {
    id: 'request-body/generate-mistyped',
    about: 'Family C calls an invalid body a model that is not available.',
    breaks: ['generate/body', 'requests/body-object'],
    setup: deciding(onlyWhere(all(on('generate'), invalid), type('model_not_available'))),
  },
];
