import { answered, crashing, deciding, onlyWhere, status, type, without } from './changes.ts';
import { all, at, inFamily, not, on, presentsAnything, refusedFor, type Where } from './conditions.ts';
import type { Fault } from './fault.ts';

const missing = refusedFor('missing-credential');

const noCredential = [
  'auth/missing-credential',
  'auth/key-in-query',
  'auth/key-in-unlisted-header',
  'auth/goog-header-outside-family-c',
  'auth/other-scheme',
  'auth/key-without-scheme',
  'streams/missing-credential',
  'streams/goog-header-outside-family-c',
  'streams/malformed-credential',
];
const sentNothing: Where = not(presentsAnything);

/** A request without a key is served, or rightly refused with another status or type. */
export const authAnswerFaults: readonly Fault[] = [
  {
    id: 'auth-answer/missing-key-400',
    about: 'Answers a missing key with 400 and the type `invalid_request_error` instead of 401.',
    breaks: noCredential,
    setup: deciding(onlyWhere(all(at('model', 'list'), missing), answered(400, 'invalid_request_error'))),
  },
  {
    id: 'auth-answer/missing-key-500',
    about: 'Crashes and answers 500 if a request has no credential header.',
    breaks: [
      'auth/missing-credential',
      'auth/key-in-query',
      'auth/key-in-unlisted-header',
      'auth/billing-missing-credential',
      'auth/no-credential-with-invalid-request',
      'streams/missing-credential',
    ],
    setup: deciding(
      onlyWhere(
        all(sentNothing, ({ operation }) => operation !== undefined),
        crashing,
      ),
    ),
  },
  {
    id: 'auth-answer/missing-key-403-in-family-c',
    about: 'Answers a missing key with 403 instead of 401 in family C.',
    breaks: [
      'auth/missing-credential',
      'auth/key-in-query',
      'auth/key-in-unlisted-header',
      'auth/other-scheme',
      'auth/key-without-scheme',
      'streams/missing-credential',
      'streams/malformed-credential',
    ],
    setup: deciding(onlyWhere(all(inFamily('C'), missing), answered(403, 'permission_denied'))),
  },
  {
    id: 'auth-answer/missing-key-called-invalid',
    about: 'Answers a missing key with the type `invalid_api_key`.',
    breaks: [...noCredential, 'auth/no-credential-with-invalid-request'],
    setup: deciding(onlyWhere(missing, type('invalid_api_key'))),
  },
  {
    id: 'auth-answer/missing-key-200',
    about: 'Answers a missing key with 200 and an error body on chat.',
    breaks: [...noCredential, 'auth/no-credential-with-invalid-request'],
    setup: deciding(onlyWhere(all(on('chat'), missing), status(200))),
  },
  {
    id: 'auth-answer/missing-key-on-billing-403',
    about: 'Answers a missing key with 403 instead of 401 on billing-type endpoints.',
    breaks: [
      'auth/billing-missing-credential',
      'auth/billing-goog-header',
      'auth/billing-malformed-credential',
    ],
    setup: deciding(onlyWhere(all(at('billing'), missing), status(403))),
  },
  {
    id: 'auth-answer/missing-key-on-billing-mistyped',
    about:
      'Answers a missing key on billing-type endpoints with the error body of model endpoints and the type `invalid_api_key`.',
    breaks: [
      'auth/billing-missing-credential',
      'auth/billing-goog-header',
      'auth/billing-malformed-credential',
    ],
    setup: deciding(
      onlyWhere(all(at('billing'), missing), (base) => ({
        errorShape: () => 'model',
        typeOf: () => 'invalid_api_key',
        codeOf: base.codeOf,
      })),
    ),
  },
  {
    id: 'auth-answer/public-model-list',
    about: 'Lists the models without checking the key.',
    breaks: [
      'auth/missing-credential',
      'auth/key-in-query',
      'auth/key-in-unlisted-header',
      'auth/goog-header-outside-family-c',
      'auth/bad-bearer-token',
      'auth/bad-x-api-key',
      'auth/deleted-bearer-token',
      'auth/deleted-x-api-key',
      'auth/other-scheme',
      'auth/key-without-scheme',
      'auth/empty-bearer-token',
      'auth/empty-x-api-key',
    ],
    setup: deciding(onlyWhere(at('list'), without('credential'))),
  },
  {
    id: 'auth-answer/public-balance',
    about: 'Shows the balance to requests without a key.',
    breaks: ['auth/billing-missing-credential'],
    setup: deciding(
      onlyWhere(all(on('balance'), sentNothing), (base) => ({
        credentialOf: (_, ctx) => ({ header: 'bearer', value: ctx.profile.keys.valid }),
        findKey: base.findKey,
      })),
    ),
  },
];
