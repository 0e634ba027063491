import { answered, deciding, message, onlyWhere, status } from './changes.ts';
import { acceptingWithoutModel, memberOf, missing, onChat, refusing } from './chat-changes.ts';
import { all, refusedFor } from './conditions.ts';
import type { Fault } from './fault.ts';

/** Chat bodies that break section 4 rule 2 and are served, or refused in another way. */
export const chatBodyFaults: readonly Fault[] = [
  {
    id: 'chat-body/model-optional',
    about: 'Calls a default model if a chat body has no model.',
    breaks: ['chat/model-missing'],
    setup: acceptingWithoutModel((fault) => fault.place === 'model' && missing(fault)),
  },
  {
    id: 'chat-body/model-missing-404',
    about: 'Answers a chat body without a model with 404.',
    breaks: ['chat/model-missing'],
    setup: refusing((place, expected) => place === 'model' && expected.startsWith('present'), status(404)),
  },
  {
    id: 'chat-body/model-of-any-type',
    about: 'Calls a default model if the model of a chat body is not a string.',
    breaks: ['chat/model-string'],
    setup: acceptingWithoutModel(
      (fault, body) =>
        fault.place === 'model' && !missing(fault) && typeof memberOf(body, 'model') !== 'string',
    ),
  },
  {
    id: 'chat-body/model-null-500',
    about: 'Answers a chat body whose model is not a string with 500.',
    breaks: ['chat/model-string'],
    setup: refusing((place, expected) => place === 'model' && /^a string$/.test(expected), status(500)),
  },
  {
    id: 'chat-body/model-empty-means-any',
    about: 'Calls a default model if the model of a chat body is empty.',
    breaks: ['chat/model-empty'],
    setup: acceptingWithoutModel((_, body) => memberOf(body, 'model') === ''),
  },
  {
    id: 'chat-body/model-empty-503',
    about: 'Answers a chat body with an empty model with 503.',
    breaks: ['chat/model-empty'],
    setup: refusing((place, expected) => place === 'model' && /empty/.test(expected), status(503)),
  },
  {
    id: 'chat-body/validation-500',
    about: 'Answers every invalid chat body with 500.',
    breaks: [
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
    ],
    setup: deciding(onlyWhere(all(onChat, refusedFor('invalid-body')), status(500))),
  },
  {
    id: 'chat-body/validation-mistyped',
    about: 'Answers every invalid chat body with the type `validation_error`.',
    breaks: [
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
    setup: deciding(onlyWhere(all(onChat, refusedFor('invalid-body')), answered(400, 'validation_error'))),
  },
  {
    id: 'chat-body/message-names-nothing',
    about: 'Sends a message about an invalid chat body that names neither the member nor its type.',
    breaks: ['chat/message-names-fault'],
    setup: refusing(() => true, message('The request is invalid.')),
  },
  {
    id: 'chat-body/message-names-nothing-inside-messages',
    about:
      'Sends a message about an invalid member of `messages` that names neither the member nor its type.',
    breaks: ['chat/message-names-fault'],
    setup: refusing((place) => place.includes('.'), message('Validation failed: 1 problem found at index 0')),
  },
];
