import type { Overrides } from '../decisions.ts';
import { isObject } from '../json.ts';
import type { BodyFault } from '../schemas.ts';
import { answered, deciding, message, onlyWhere, status, together } from './changes.ts';
import { all, not, on, refusedFor, streamed } from './conditions.ts';
import type { Fault } from './fault.ts';

const onChat = all(on('chat'), not(streamed));

// Chat bodies whose first fault is one of these are taken for valid; a fault says `present` where a member is missing.
const accepting =
  (ignored: (fault: BodyFault, body: unknown) => boolean): Overrides =>
  (base) => ({
    bodyFault: (body, ctx) => {
      const fault = base.bodyFault(body, ctx);
      return fault && onChat(ctx) && ignored(fault, body) ? undefined : fault;
    },
  });
// Chat bodies whose first fault is one of these are refused in another way.
const refusing = (which: (place: string, expected: string) => boolean, change: Overrides) =>
  deciding(
    onlyWhere(
      all(
        onChat,
        ({ failure }) => failure?.kind === 'invalid-body' && which(failure.place, failure.expected),
      ),
      change,
    ),
  );
const missing = ({ expected }: BodyFault): boolean => expected.startsWith('present');
const memberOf = (body: unknown, name: string): unknown => (isObject(body) ? body[name] : undefined);
const messageOf = (body: unknown, index: number): unknown => {
  const messages = memberOf(body, 'messages');
  return Array.isArray(messages) ? messages[index] : undefined;
};
// The same, and a model of the gateway's choice in place of one that is not named.
const acceptingWithoutModel = (ignored: (fault: BodyFault, body: unknown) => boolean) =>
  deciding(
    onlyWhere(
      onChat,
      together(accepting(ignored), (base) => ({
        modelIdOf: (ctx) => base.modelIdOf(ctx) || 'gpt-reference',
      })),
    ),
  );

/** Chat bodies that break section 4 rule 2 and are served, or refused in another way. */
export const chatBodyFaults: readonly Fault[] = [
  {
    id: 'chat-body/messages-optional',
    about: 'Chat answers a body without messages.',
    breaks: ['chat/messages-missing', 'requests/repeat-refused'],
    setup: deciding(accepting((fault) => fault.place === 'messages' && missing(fault))),
  },
  {
    id: 'chat-body/messages-missing-422',
    about: 'Chat answers a body without messages 422.',
    breaks: ['chat/messages-missing'],
    setup: refusing((place, expected) => place === 'messages' && expected.startsWith('present'), status(422)),
  },
  {
    id: 'chat-body/messages-as-text',
    about: 'Chat takes a text for its messages.',
    breaks: ['chat/messages-array'],
    setup: deciding(
      accepting(
        (fault, body) => fault.place === 'messages' && typeof memberOf(body, 'messages') === 'string',
      ),
    ),
  },
  {
    id: 'chat-body/messages-as-object',
    about: 'Chat takes one message in place of a list of them.',
    breaks: ['chat/messages-array'],
    setup: deciding(
      accepting((fault, body) => fault.place === 'messages' && isObject(memberOf(body, 'messages'))),
    ),
  },
  {
    id: 'chat-body/messages-null',
    about: 'Chat takes null for no messages.',
    breaks: ['chat/messages-array'],
    setup: deciding(
      accepting((fault, body) => fault.place === 'messages' && memberOf(body, 'messages') === null),
    ),
  },
  {
    id: 'chat-body/messages-number-500',
    about: 'Chat answers a number in place of messages 500.',
    breaks: ['chat/messages-array'],
    setup: refusing(
      (place, expected) => place === 'messages' && !expected.startsWith('present'),
      status(500),
    ),
  },
  {
    id: 'chat-body/message-as-text',
    about: 'Chat takes a text for a message.',
    breaks: ['chat/message-object'],
    setup: deciding(
      accepting((fault, body) => typeof messageOf(body, 0) === 'string' && fault.place === 'messages[0]'),
    ),
  },
  {
    id: 'chat-body/later-messages-unchecked',
    about: 'Chat looks at the first message only.',
    breaks: [
      'chat/message-object',
      'chat/role-missing',
      'chat/role-string',
      'chat/content-missing',
      'chat/content-string',
    ],
    setup: deciding(accepting(({ place }) => /^messages\[[1-9]/.test(place))),
  },
  {
    id: 'chat-body/message-null-500',
    about: 'Chat answers null in place of a message 500.',
    breaks: ['chat/message-object'],
    setup: refusing((place) => /^messages\[\d\]$/.test(place), status(500)),
  },
  {
    id: 'chat-body/role-optional',
    about: 'Chat takes a message without a role for one of the user.',
    breaks: ['chat/role-missing', 'requests/repeat-refused'],
    setup: deciding(accepting((fault) => fault.place.endsWith('.role') && missing(fault))),
  },
  {
    id: 'chat-body/role-missing-in-the-last-message',
    about: 'Chat does not ask for the role of the third message.',
    breaks: ['chat/role-missing'],
    setup: deciding(accepting((fault) => fault.place === 'messages[2].role' && missing(fault))),
  },
  {
    id: 'chat-body/role-of-any-type',
    about: 'Chat takes a role of any type.',
    breaks: ['chat/role-string'],
    setup: deciding(accepting((fault) => fault.place.endsWith('.role') && !missing(fault))),
  },
  {
    id: 'chat-body/role-as-number',
    about: 'Chat takes a number for a role.',
    breaks: ['chat/role-string'],
    setup: deciding(
      accepting(
        (fault, body) =>
          fault.place === 'messages[0].role' && typeof memberOf(messageOf(body, 0), 'role') === 'number',
      ),
    ),
  },
  {
    id: 'chat-body/content-optional',
    about: 'Chat takes a message without content for an empty one.',
    breaks: ['chat/content-missing'],
    setup: deciding(accepting((fault) => fault.place.endsWith('.content') && missing(fault))),
  },
  {
    id: 'chat-body/content-missing-called-unsupported',
    about: 'Chat answers a message without content as a model that is not supported.',
    breaks: ['chat/content-missing'],
    setup: refusing(
      (place, expected) => place.endsWith('.content') && expected.startsWith('present'),
      () => ({ typeOf: () => 'model_not_supported' }),
    ),
  },
  {
    id: 'chat-body/content-as-number',
    about: 'Chat takes a number for content.',
    breaks: ['chat/content-string', 'requests/repeat-refused'],
    setup: deciding(
      accepting(
        (fault, body) =>
          fault.place === 'messages[0].content' &&
          typeof memberOf(messageOf(body, 0), 'content') === 'number',
      ),
    ),
  },
  {
    id: 'chat-body/content-as-object',
    about: 'Chat takes a plain object for content.',
    breaks: ['chat/content-string'],
    setup: deciding(
      accepting(
        (fault, body) =>
          fault.place === 'messages[0].content' && isObject(memberOf(messageOf(body, 0), 'content')),
      ),
    ),
  },
  {
    id: 'chat-body/content-as-boolean',
    about: 'Chat takes a truth value for content.',
    breaks: ['chat/content-string'],
    setup: deciding(
      accepting(
        (fault, body) =>
          fault.place === 'messages[0].content' &&
          typeof memberOf(messageOf(body, 0), 'content') === 'boolean',
      ),
    ),
  },
  {
    id: 'chat-body/model-optional',
    about: 'Chat answers a body without a model with a model of its choice.',
    breaks: ['chat/model-missing'],
    setup: acceptingWithoutModel((fault) => fault.place === 'model' && missing(fault)),
  },
  {
    id: 'chat-body/model-missing-404',
    about: 'Chat answers a body without a model 404.',
    breaks: ['chat/model-missing'],
    setup: refusing((place, expected) => place === 'model' && expected.startsWith('present'), status(404)),
  },
  {
    id: 'chat-body/model-of-any-type',
    about: 'Chat answers a model that is no text with one of its choice.',
    breaks: ['chat/model-string'],
    setup: acceptingWithoutModel(
      (fault, body) =>
        fault.place === 'model' && !missing(fault) && typeof memberOf(body, 'model') !== 'string',
    ),
  },
  {
    id: 'chat-body/model-null-500',
    about: 'Chat answers a model that is no text 500.',
    breaks: ['chat/model-string'],
    setup: refusing((place, expected) => place === 'model' && /^a string$/.test(expected), status(500)),
  },
  {
    id: 'chat-body/model-empty-means-any',
    about: 'Chat answers an empty model with one of its choice.',
    breaks: ['chat/model-empty'],
    setup: acceptingWithoutModel((_, body) => memberOf(body, 'model') === ''),
  },
  {
    id: 'chat-body/model-empty-503',
    about: 'Chat answers an empty model 503.',
    breaks: ['chat/model-empty'],
    setup: refusing((place, expected) => place === 'model' && /empty/.test(expected), status(503)),
  },
  {
    id: 'chat-body/validation-500',
    about: 'Chat answers every invalid body 500.',
    breaks: ['chat/model-missing', 'chat/model-string', 'chat/model-empty', 'chat/messages-missing', 'chat/messages-array', 'chat/message-object', 'chat/role-missing', 'chat/role-string', 'chat/content-missing', 'chat/content-string', 'chat/body-object'],
    setup: deciding(onlyWhere(all(onChat, refusedFor('invalid-body')), status(500))),
  },
  {
    id: 'chat-body/validation-mistyped',
    about: 'Chat calls every invalid body a validation_error.',
    breaks: ['chat/model-missing', 'chat/model-string', 'chat/model-empty', 'chat/messages-missing', 'chat/messages-array', 'chat/message-object', 'chat/role-missing', 'chat/role-string', 'chat/content-missing', 'chat/content-string', 'chat/body-object', 'model-error/type-fits-status-family-a'],
    setup: deciding(onlyWhere(all(onChat, refusedFor('invalid-body')), answered(400, 'validation_error'))),
  },
  {
    id: 'chat-body/message-names-nothing',
    about: 'The message about an invalid chat body names neither member nor type.',
    breaks: ['chat/message-names-fault'],
    setup: refusing(() => true, message('The request is invalid.')),
  },
  {
    id: 'chat-body/message-names-nothing-inside-messages',
    about: 'The message about a fault inside of messages names neither member nor type.',
    breaks: ['chat/message-names-fault'],
    setup: refusing((place) => place.includes('.'), message('Validation failed: 1 problem found at index 0')),
  },
];
