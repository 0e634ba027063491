import { withDecisions } from '../combine-setups.ts';
import {
  allOf,
  hasCredentialHeader,
  inFamily,
  not,
  onOperation,
  onSurface,
  type RequestCondition,
  refusedFor,
} from './conditions.ts';
import type { Fault } from './fault.ts';
import { applyWhere, crash, setStatus, setStatusAndType, setType, skipChecks } from './overrides.ts';

const isMissingKey = refusedFor('missing-credential');

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
const hasNoCredentialHeader: RequestCondition = not(hasCredentialHeader);

/**
 * Faults in which the gateway accepts a request without a key, or refuses such a request with the wrong status or type.
 */
export const missingKeyFaults: readonly Fault[] = [
  {
    id: 'auth-answer/missing-key-400',
    about:
      'Responds to a missing key with 400 and the type `invalid_request_error`, except on billing-type endpoints.',
    violates: [...noCredential, 'accept/missing-credential'],
    setup: withDecisions(
      applyWhere(
        allOf(onSurface('model', 'list'), isMissingKey),
        setStatusAndType(400, 'invalid_request_error'),
      ),
    ),
  },
  {
    id: 'auth-answer/missing-key-500',
    about: 'Crashes and responds with 500 if a request has no credential header.',
    violates: [
      'auth/missing-credential',
      'auth/key-in-query',
      'auth/key-in-unlisted-header',
      'auth/billing-missing-credential',
      'streams/missing-credential',
      'accept/missing-credential',
      'auth/key-in-body',
      'streams/key-in-body',
    ],
    setup: withDecisions(
      applyWhere(
        allOf(hasNoCredentialHeader, ({ operation }) => operation !== undefined),
        crash,
      ),
    ),
  },
  {
    id: 'auth-answer/missing-key-403-in-family-c',
    about: 'Responds to a missing key with 403 and the type `permission_denied` in family C.',
    violates: [
      'auth/missing-credential',
      'auth/key-in-query',
      'auth/key-in-unlisted-header',
      'auth/key-in-body',
      'auth/other-scheme',
      'auth/key-without-scheme',
      'streams/missing-credential',
      'streams/malformed-credential',
      'accept/missing-credential',
    ],
    setup: withDecisions(
      applyWhere(allOf(inFamily('C'), isMissingKey), setStatusAndType(403, 'permission_denied')),
    ),
  },
  {
    id: 'auth-answer/missing-key-called-invalid',
    about: 'Responds to a missing key with the type `invalid_api_key`.',
    violates: [...noCredential, 'auth/key-in-body', 'streams/key-in-body'],
    setup: withDecisions(applyWhere(isMissingKey, setType('invalid_api_key'))),
  },
  {
    id: 'auth-answer/missing-key-200',
    about: 'Responds to a missing key with 200 and an error body on `chat`.',
    violates: [...noCredential, 'accept/missing-credential', 'auth/key-in-body'],
    setup: withDecisions(applyWhere(allOf(onOperation('chat'), isMissingKey), setStatus(200))),
  },
  {
    id: 'auth-answer/missing-key-on-billing-403',
    about: 'Responds to a missing key with 403 instead of 401 on billing-type endpoints.',
    violates: [
      'auth/billing-missing-credential',
      'auth/billing-goog-header',
      'auth/billing-malformed-credential',
      'accept/missing-credential',
    ],
    setup: withDecisions(applyWhere(allOf(onSurface('billing'), isMissingKey), setStatus(403))),
  },
  {
    id: 'auth-answer/missing-key-on-billing-mistyped',
    about:
      'Responds to a missing key on billing-type endpoints with the error body of model endpoints and the type `invalid_api_key`.',
    violates: [
      'auth/billing-missing-credential',
      'auth/billing-goog-header',
      'auth/billing-malformed-credential',
    ],
    setup: withDecisions(
      applyWhere(allOf(onSurface('billing'), isMissingKey), (base) => ({
        chooseErrorShape: () => 'model',
        errorTypeOf: () => 'invalid_api_key',
        errorCodeOf: base.errorCodeOf,
      })),
    ),
  },
  {
    id: 'auth-answer/public-model-list',
    about: 'Lists the models without checking the key.',
    violates: [
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
      'accept/bad-key',
      'accept/missing-credential',
      'auth/key-with-text-after',
      'lifecycle/deleted-key',
    ],
    setup: withDecisions(applyWhere(onSurface('list'), skipChecks('credential'))),
  },
  {
    id: 'auth-answer/public-balance',
    about: 'Shows the balance of the account of the valid key to requests without a credential header.',
    violates: ['auth/billing-missing-credential', 'accept/missing-credential'],
    setup: withDecisions(
      applyWhere(allOf(onOperation('balance'), hasNoCredentialHeader), (base) => ({
        credentialOf: (_, ctx) => ({ header: 'bearer', value: ctx.profile.keys.valid }),
        findKey: base.findKey,
      })),
    ),
  },
];
