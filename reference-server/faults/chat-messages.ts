import { withDecisions } from '../combine-setups.ts';
import { isObject } from '../json.ts';
import { changeRefusal, chatMessageAt, ignoreProblems, isMissingMember, memberOf } from './chat-overrides.ts';
import { byHeader } from './conditions.ts';
import type { Fault } from './fault.ts';
import { applyWhere, setStatus } from './overrides.ts';

/**
 * Faults in which the gateway accepts invalid messages in non-streamed chat calls (4 rule 2), or refuses such
 * messages with the wrong status or type.
 */
export const chatMessageFaults: readonly Fault[] = [
  {
    id: 'chat-body/messages-missing-422',
    about: 'Responds with 422 to a non-streamed chat call without `messages`.',
    violates: ['chat/messages-missing', 'accept/invalid-request'],
    setup: changeRefusal(
      (place, expected) => place === 'messages' && expected.startsWith('present'),
      setStatus(422),
    ),
  },
  {
    id: 'chat-body/messages-unchecked-by-header',
    about: 'Does not validate `messages` of a non-streamed chat call if the key is in `x-api-key`.',
    violates: [
      'chat/messages-array',
      'chat/content-string',
      'chat/content-missing',
      'chat/messages-missing',
      'chat/role-missing',
    ],
    setup: withDecisions(
      applyWhere(
        byHeader('x-api-key'),
        ignoreProblems(({ place }) => place.startsWith('messages')),
      ),
    ),
  },
  {
    id: 'chat-body/messages-as-object',
    about: 'Accepts an object as `messages` of a non-streamed chat call.',
    violates: ['chat/messages-array'],
    setup: withDecisions(
      ignoreProblems((problem, body) => problem.place === 'messages' && isObject(memberOf(body, 'messages'))),
    ),
  },
  {
    id: 'chat-body/messages-number-500',
    about: 'Responds with 500 if `messages` of a non-streamed chat call is not an array.',
    violates: ['chat/messages-array'],
    setup: changeRefusal(
      (place, expected) => place === 'messages' && !expected.startsWith('present'),
      setStatus(500),
    ),
  },
  {
    id: 'chat-body/message-null-500',
    about: 'Responds with 500 if one of the first ten messages of a non-streamed chat call is not an object.',
    violates: ['chat/message-object'],
    setup: changeRefusal((place) => /^messages\[\d\]$/.test(place), setStatus(500)),
  },
  {
    id: 'chat-body/role-missing-in-the-last-message',
    about: 'Accepts a non-streamed chat call whose third message has no role.',
    violates: ['chat/role-missing', 'chat/message-object'],
    setup: withDecisions(
      ignoreProblems((problem) => problem.place === 'messages[2].role' && isMissingMember(problem)),
    ),
  },
  {
    id: 'chat-body/role-as-number',
    about: 'Accepts a number as the role of the first message of a non-streamed chat call.',
    violates: ['chat/role-string'],
    setup: withDecisions(
      ignoreProblems(
        (problem, body) =>
          problem.place === 'messages[0].role' &&
          typeof memberOf(chatMessageAt(body, 0), 'role') === 'number',
      ),
    ),
  },
  {
    id: 'chat-body/content-missing-called-unsupported',
    about:
      'Responds with the type `model_not_supported` if a message of a non-streamed chat call has no content.',
    violates: ['chat/content-missing'],
    setup: changeRefusal(
      (place, expected) => place.endsWith('.content') && expected.startsWith('present'),
      () => ({ errorTypeOf: () => 'model_not_supported' }),
    ),
  },
  {
    id: 'chat-body/content-as-number',
    about: 'Accepts a number as the content of the first message of a non-streamed chat call.',
    violates: ['chat/content-string'],
    setup: withDecisions(
      ignoreProblems(
        (problem, body) =>
          problem.place === 'messages[0].content' &&
          typeof memberOf(chatMessageAt(body, 0), 'content') === 'number',
      ),
    ),
  },
  {
    id: 'chat-body/content-as-object',
    about: 'Accepts an object as the content of the first message of a non-streamed chat call.',
    violates: ['chat/content-string'],
    setup: withDecisions(
      ignoreProblems(
        (problem, body) =>
          problem.place === 'messages[0].content' && isObject(memberOf(chatMessageAt(body, 0), 'content')),
      ),
    ),
  },
  {
    id: 'chat-body/content-as-boolean',
    about: 'Accepts a boolean as the content of the first message of a non-streamed chat call.',
    violates: ['chat/content-string'],
    setup: withDecisions(
      ignoreProblems(
        (problem, body) =>
          problem.place === 'messages[0].content' &&
          typeof memberOf(chatMessageAt(body, 0), 'content') === 'boolean',
      ),
    ),
  },
];
