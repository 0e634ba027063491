import { answered, deciding, message, onlyWhere, status } from './changes.ts';
import { acceptingWithoutModel, memberOf, missing, onChat, refusing } from './chat-changes.ts';
import { all, refusedFor } from './conditions.ts';
import type { Fault } from './fault.ts';

/** Chat bodies that break section 4 rule 2 and are served, or refused in another way. */
export const chatBodyFaults: readonly Fault[] = [
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
    about: 'Chat calls every invalid body a validation_error.',
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
