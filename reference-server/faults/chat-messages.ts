import { isObject } from '../json.ts';
import { deciding, onlyWhere, status } from './changes.ts';
import { accepting, memberOf, messageOf, missing, refusing } from './chat-changes.ts';
import { by } from './conditions.ts';
import type { Fault } from './fault.ts';

/** Messages of a chat body that break section 4 rule 2 and are served, or refused in another way. */
export const chatMessageFaults: readonly Fault[] = [
  {
    id: 'chat-body/messages-optional',
    about: 'Chat answers a body without messages.',
    breaks: ['chat/messages-missing'],
    setup: deciding(accepting((fault) => fault.place === 'messages' && missing(fault))),
  },
  {
    id: 'chat-body/messages-missing-422',
    about: 'Chat answers a body without messages 422.',
    breaks: ['chat/messages-missing'],
    setup: refusing((place, expected) => place === 'messages' && expected.startsWith('present'), status(422)),
  },
  {
    id: 'chat-body/messages-unchecked-by-header',
    about: 'Chat leaves the messages to the provider where the key stands in x-api-key.',
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
    breaks: ['chat/role-missing'],
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
    id: 'chat-body/content-of-the-assistant-optional',
    about: 'Chat takes a message of the assistant without content, as one that calls tools.',
    breaks: ['chat/content-missing'],
    setup: deciding(accepting((fault) => fault.place === 'messages[1].content' && missing(fault))),
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
];
