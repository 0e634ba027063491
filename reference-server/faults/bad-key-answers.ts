import { answered, deciding, firstOfAll, onlyWhere, status, together, type } from './changes.ts';
import { all, by, inFamily, not, ofKey, on, presentsGoodKey, refusedFor } from './conditions.ts';
import type { Fault } from './fault.ts';

const badKey = refusedFor('bad-key');
const broken = refusedFor('unparseable-body', 'invalid-body');

const badBearer = [
  'auth/bad-bearer-token',
  'auth/deleted-bearer-token',
  'auth/bad-bearer-token-with-invalid-body',
  'auth/bad-bearer-token-with-unlisted-model',
  'streams/bad-bearer-token',
];
const badXApiKey = [
  'auth/bad-x-api-key',
  'auth/deleted-x-api-key',
  'auth/bad-api-key-with-invalid-body',
  'auth/bad-api-key-with-unlisted-model',
  'streams/bad-api-key',
];
const badXGoogApiKey = [
  'auth/bad-x-goog-api-key',
  'auth/deleted-x-goog-api-key',
  'auth/bad-api-key-with-invalid-body',
  'auth/bad-api-key-with-unlisted-model',
  'streams/bad-api-key',
];

/** A bad key is rightly refused, but with another status or type. */
export const badKeyAnswerFaults: readonly Fault[] = [
  {
    id: 'auth-answer/headers-unified-to-x-api-key',
    about: 'Answers a bad key in `Authorization` with `invalid_api_key` instead of `invalid_bearer_token`.',
    breaks: [...badBearer, 'auth/empty-bearer-token', 'streams/malformed-credential'],
    setup: deciding(onlyWhere(badKey, type('invalid_api_key'))),
  },
  {
    id: 'auth-answer/headers-unified-to-bearer',
    about: 'Answers a bad key in `x-api-key` with `invalid_bearer_token` instead of `invalid_api_key`.',
    breaks: [...badXApiKey, 'auth/empty-x-api-key', 'streams/empty-api-key'],
    setup: deciding(onlyWhere(all(badKey, by('x-api-key')), type('invalid_bearer_token'))),
  },
  {
    id: 'auth-answer/x-goog-api-key-called-a-token',
    about: 'Answers a bad key in `x-goog-api-key` with `invalid_bearer_token` instead of `invalid_api_key`.',
    breaks: [...badXGoogApiKey, 'auth/empty-x-goog-api-key', 'streams/empty-api-key'],
    setup: deciding(onlyWhere(all(badKey, by('x-goog-api-key')), type('invalid_bearer_token'))),
  },
  {
    id: 'auth-answer/all-called-missing',
    about: 'Answers every bad key with the type `missing_auth_credential`.',
    breaks: [...new Set([...badBearer, ...badXApiKey, ...badXGoogApiKey])],
    setup: deciding(onlyWhere(badKey, type('missing_auth_credential'))),
  },
  {
    id: 'auth-answer/another-vocabulary',
    about: 'Answers every bad key with the type `authentication_error`, which another interface uses.',
    breaks: [
      ...new Set([...badBearer, ...badXApiKey, ...badXGoogApiKey]),
      'auth/empty-bearer-token',
      'auth/empty-x-api-key',
      'auth/empty-x-goog-api-key',
      'streams/malformed-credential',
      'model-error/type-fits-status-family-a',
      'model-error/type-fits-status-families-b-c',
      'streams/empty-api-key',
    ],
    setup: deciding(onlyWhere(badKey, type('authentication_error'))),
  },
  {
    id: 'auth-answer/deleted-key-403',
    about: 'Answers a deleted key with 403 instead of 401.',
    breaks: [
      'auth/deleted-bearer-token',
      'auth/deleted-x-api-key',
      'auth/deleted-x-goog-api-key',
      'auth/billing-bad-bearer-token',
      'auth/billing-bad-x-api-key',
      'streams/bad-bearer-token',
      'streams/bad-api-key',
    ],
    setup: deciding(onlyWhere(all(badKey, ofKey('deleted')), status(403))),
  },
  {
    id: 'auth-answer/deleted-key-crashes-usage',
    about: 'Answers a deleted key with 500 on the usage endpoint.',
    breaks: ['auth/billing-bad-bearer-token', 'auth/billing-bad-x-api-key'],
    setup: deciding(
      onlyWhere(all(on('usage'), ofKey('deleted')), () => ({
        keyWorks: () => {
          throw new Error('no such account');
        },
      })),
    ),
  },
  {
    id: 'auth-answer/bad-key-200',
    about: 'Answers a bad key with 200 and an error body on the model list.',
    breaks: [
      'auth/bad-bearer-token',
      'auth/bad-x-api-key',
      'auth/deleted-bearer-token',
      'auth/deleted-x-api-key',
      'auth/empty-bearer-token',
      'auth/empty-x-api-key',
    ],
    setup: deciding(onlyWhere(all(on('models'), badKey), status(200))),
  },
  {
    id: 'auth-answer/bad-key-with-malformed-body-200',
    about:
      'Parses the body before it checks the key, and answers a malformed body with a bad key with 200 in family C.',
    breaks: [
      'auth/bad-bearer-token-with-invalid-body',
      'auth/bad-api-key-with-invalid-body',
      'auth/no-credential-with-invalid-request',
    ],
    setup: deciding(
      together(firstOfAll('body'), onlyWhere(all(inFamily('C'), broken, not(presentsGoodKey)), status(200))),
    ),
  },
  {
    id: 'auth-answer/bad-key-with-malformed-body-500',
    about:
      'Parses the body before it checks the key, and answers a malformed body with a bad key with 500 on responses.',
    breaks: [
      'auth/bad-bearer-token-with-invalid-body',
      'auth/bad-api-key-with-invalid-body',
      'auth/no-credential-with-invalid-request',
    ],
    setup: deciding(
      together(
        firstOfAll('body'),
        onlyWhere(all(on('responses'), broken, not(presentsGoodKey)), status(500)),
      ),
    ),
  },
  {
    id: 'auth-answer/bad-key-with-unlisted-model-404',
    about:
      'Looks up the model before it checks the key in family B, and answers an unlisted model with a bad key with 404.',
    breaks: ['auth/bad-bearer-token-with-unlisted-model', 'auth/bad-api-key-with-unlisted-model'],
    setup: deciding(
      together(
        onlyWhere(inFamily('B'), firstOfAll('body', 'form', 'known-model')),
        onlyWhere(all(inFamily('B'), refusedFor('unknown-model'), not(presentsGoodKey)), status(404)),
      ),
    ),
  },
  {
    id: 'auth-answer/bad-key-with-unlisted-model-403',
    about:
      'Looks up the model before it checks the key on chat, and answers an unlisted model with a bad key with 403.',
    breaks: ['auth/bad-bearer-token-with-unlisted-model', 'auth/bad-api-key-with-unlisted-model'],
    setup: deciding(
      together(
        onlyWhere(on('chat'), firstOfAll('body', 'form', 'known-model')),
        onlyWhere(
          all(on('chat'), refusedFor('unknown-model'), not(presentsGoodKey)),
          answered(403, 'permission_denied'),
        ),
      ),
    ),
  },
];
