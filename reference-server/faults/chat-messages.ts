import { isObject } from '../json.ts';
import { deciding, onlyWhere, status } from './changes.ts';
import { accepting, memberOf, messageOf, missing, refusing } from './chat-changes.ts';
import { by } from './conditions.ts';
import type { Fault } from './fault.ts';

/** Messages of a chat body that break section 4 rule 2 and are served, or refused in another way. */
export const chatMessageFaults: readonly Fault[] = [
  {
    id: 'chat-body/messages-optional',
    about: 'Accepts a chat body without `messages`.',
    breaks: ['chat/messages-missing'],
    setup: deciding(accepting((fault) => fault.place === 'messages' && missing(fault))),
  },
  {
    id: 'chat-body/messages-missing-422',
    about: 'Answers a chat body without `messages` with 422.',
    breaks: ['chat/messages-missing'],
    setup: refusing((place, expected) => place === 'messages' && expected.startsWith('present'), status(422)),
  },
  {
    id: 'chat-body/messages-unchecked-by-header',
    about: 'Does not validate `messages` of a chat body if the key is in `x-api-key`.',
    breaks: [
      'chat/messages-array',
      'chat/content-string',
      'chat/content-missing',
      'chat/messages-missing',
      'chat/role-missing',
    ],
    setup: deciding(
      onlyWhere(
        by('x-api-key'),
        accepting(({ place }) => place.startsWith('messages')),
      ),
    ),
  },
  {
    id: 'chat-body/messages-as-text',
    about: 'Accepts a string as `messages` of a chat body.',
    breaks: ['chat/messages-array'],
    setup: deciding(
      accepting(
        (fault, body) => fault.place === 'messages' && typeof memberOf(body, 'messages') === 'string',
      ),
    ),
  },
  {
    id: 'chat-body/messages-as-object',
    about: 'Accepts an object as `messages` of a chat body.',
    breaks: ['chat/messages-array'],
    setup: deciding(
      accepting((fault, body) => fault.place === 'messages' && isObject(memberOf(body, 'messages'))),
    ),
  },
  {
    id: 'chat-body/messages-null',
    about: 'Accepts null as `messages` of a chat body.',
    breaks: ['chat/messages-array'],
    setup: deciding(
      accepting((fault, body) => fault.place === 'messages' && memberOf(body, 'messages') === null),
    ),
  },
  {
    id: 'chat-body/messages-number-500',
    about: 'Answers a chat body whose `messages` is not an array with 500.',
    breaks: ['chat/messages-array'],
    setup: refusing(
      (place, expected) => place === 'messages' && !expected.startsWith('present'),
      status(500),
    ),
  },
  {
    id: 'chat-body/message-as-text',
    about: 'Accepts a string as the first message of a chat body.',
    breaks: ['chat/message-object'],
    setup: deciding(
      accepting((fault, body) => typeof messageOf(body, 0) === 'string' && fault.place === 'messages[0]'),
    ),
  },
  {
    id: 'chat-body/later-messages-unchecked',
    about: 'Validates only the first message of a chat body.',
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
    about: 'Answers a chat message that is not an object with 500.',
    breaks: ['chat/message-object'],
    setup: refusing((place) => /^messages\[\d\]$/.test(place), status(500)),
  },
  {
    id: 'chat-body/role-optional',
    about: 'Accepts a chat message without a role.',
    breaks: ['chat/role-missing'],
    setup: deciding(accepting((fault) => fault.place.endsWith('.role') && missing(fault))),
  },
  {
    id: 'chat-body/role-missing-in-the-last-message',
    about: 'Accepts a third chat message without a role.',
    breaks: ['chat/role-missing'],
    setup: deciding(accepting((fault) => fault.place === 'messages[2].role' && missing(fault))),
  },
  {
    id: 'chat-body/role-of-any-type',
    about: 'Accepts a role of any type in a chat message.',
    breaks: ['chat/role-string'],
    setup: deciding(accepting((fault) => fault.place.endsWith('.role') && !missing(fault))),
  },
  {
    id: 'chat-body/role-as-number',
    about: 'Accepts a number as the role of the first chat message.',
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
    about: 'Accepts a chat message without content.',
    breaks: ['chat/content-missing'],
    setup: deciding(accepting((fault) => fault.place.endsWith('.content') && missing(fault))),
  },
  {
    id: 'chat-body/content-of-the-assistant-optional',
    about: 'Accepts a second chat message without content, as if it called a tool.',
    breaks: ['chat/content-missing'],
    setup: deciding(accepting((fault) => fault.place === 'messages[1].content' && missing(fault))),
  },
  {
    id: 'chat-body/content-missing-called-unsupported',
    about: 'Answers a chat message without content with the type `model_not_supported`.',
    breaks: ['chat/content-missing'],
    setup: refusing(
      (place, expected) => place.endsWith('.content') && expected.startsWith('present'),
      () => ({ typeOf: () => 'model_not_supported' }),
    ),
  },
  {
    id: 'chat-body/content-as-number',
    about: 'Accepts a number as the content of the first chat message.',
    breaks: ['chat/content-string'],
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
    about: 'Accepts an object as the content of the first chat message.',
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
    about: 'Accepts a boolean as the content of the first chat message.',
    breaks: ['chat/content-string'],
    setup: deciding(
      accepting(
        (fault, body) =>
          fault.place === 'messages[0].content' &&
          typeof memberOf(messageOf(body, 0), 'content') === 'boolean',
      ),
    ),
  },
];
