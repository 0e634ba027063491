import { withDecisions } from '../combine-setups.ts';
import { changeRefusal, isPlainChat } from './chat-overrides.ts';
import { allOf, refusedFor } from './conditions.ts';
import type { Fault } from './fault.ts';
import { applyWhere, setMessage, setStatus, setStatusAndType } from './overrides.ts';

/**
 * Faults in which the gateway accepts invalid bodies of non-streamed chat calls (4 rule 2), or refuses such bodies
 * with the wrong status, type or message.
 */
export const chatBodyFaults: readonly Fault[] = [
  {
    id: 'chat-body/model-missing-404',
    about: 'Responds with 404 if a non-streamed chat call has no `model`.',
    violates: ['chat/model-missing'],
    setup: changeRefusal(
      (place, expected) => place === 'model' && expected.startsWith('present'),
      setStatus(404),
    ),
  },
  {
    id: 'chat-body/model-null-500',
    about: 'Responds with 500 if the `model` of a non-streamed chat call is not a string.',
    violates: ['chat/model-string'],
    setup: changeRefusal(
      (place, expected) => place === 'model' && /^a string$/.test(expected),
      setStatus(500),
    ),
  },
  {
    id: 'chat-body/model-empty-503',
    about: 'Responds with 503 if the `model` of a non-streamed chat call is empty.',
    violates: ['chat/model-empty'],
    setup: changeRefusal((place, expected) => place === 'model' && /empty/.test(expected), setStatus(503)),
  },
  {
    id: 'chat-body/validation-mistyped',
    about:
      'Responds with the type `validation_error` to a non-streamed chat call whose body is JSON but invalid.',
    violates: [
      'chat/model-missing',
      'chat/model-string',
      'chat/model-empty',
      'chat/messages-missing',
      'chat/messages-array',
      'chat/message-object',
      'chat/role-missing',
      'chat/role-string',
      'chat/content-missing',
      'chat/content-string',
      'chat/body-object',
      'model-error/type-fits-status-family-a',
    ],
    setup: withDecisions(
      applyWhere(allOf(isPlainChat, refusedFor('invalid-body')), setStatusAndType(400, 'validation_error')),
    ),
  },
  {
    id: 'chat-body/message-names-nothing-inside-messages',
    about:
      'Sends an error message that names neither the member nor its type if a message of a non-streamed chat call has an invalid member.',
    violates: ['chat/message-names-fault'],
    setup: changeRefusal(
      (place) => place.includes('.'),
      setMessage('Validation failed: 1 problem found at index 0'),
    ),
  },
];
