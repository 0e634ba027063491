import { withDecisions } from '../combine-setups.ts';
import {
  allOf,
  byHeader,
  hasGoodKey,
  inFamily,
  not,
  onOperation,
  refusedFor,
  withKey,
} from './conditions.ts';
import { everyDeletedKey } from './deleted-keys.ts';
import type { Fault } from './fault.ts';
import {
  applyWhere,
  checkFirst,
  combineOverrides,
  setStatus,
  setStatusAndType,
  setType,
} from './overrides.ts';

const isBadKey = refusedFor('bad-key');
const isInvalidBody = refusedFor('unparseable-body', 'invalid-body');

const badBearer = ['auth/bad-bearer-token', 'auth/deleted-bearer-token', 'streams/bad-bearer-token'];
const badXApiKey = ['auth/bad-x-api-key', 'auth/deleted-x-api-key', 'streams/bad-api-key'];
const badXGoogApiKey = ['auth/bad-x-goog-api-key', 'auth/deleted-x-goog-api-key', 'streams/bad-api-key'];

/** Faults in which the gateway refuses a request without a valid key with the wrong status or type. */
export const badKeyResponseFaults: readonly Fault[] = [
  {
    id: 'auth-answer/headers-unified-to-x-api-key',
    about:
      'Responds to a bad key in `Authorization` with the type `invalid_api_key` instead of `invalid_bearer_token`.',
    violates: [...badBearer, 'auth/empty-bearer-token', 'auth/other-scheme', 'streams/malformed-credential'],
    setup: withDecisions(applyWhere(isBadKey, setType('invalid_api_key'))),
  },
  {
    id: 'auth-answer/headers-unified-to-bearer',
    about:
      'Responds to a bad key in `x-api-key` with the type `invalid_bearer_token` instead of `invalid_api_key`.',
    violates: [...badXApiKey, 'auth/empty-x-api-key', 'streams/empty-api-key'],
    setup: withDecisions(applyWhere(allOf(isBadKey, byHeader('x-api-key')), setType('invalid_bearer_token'))),
  },
  {
    id: 'auth-answer/x-goog-api-key-called-a-token',
    about:
      'Responds to a bad key in `x-goog-api-key` with the type `invalid_bearer_token` instead of `invalid_api_key`.',
    violates: [...badXGoogApiKey, 'auth/empty-x-goog-api-key', 'streams/empty-api-key'],
    setup: withDecisions(
      applyWhere(allOf(isBadKey, byHeader('x-goog-api-key')), setType('invalid_bearer_token')),
    ),
  },
  {
    id: 'auth-answer/all-called-missing',
    about:
      'Responds to every bad key outside billing-type endpoints with the type `missing_auth_credential`.',
    violates: [...new Set([...badBearer, ...badXApiKey, ...badXGoogApiKey])],
    setup: withDecisions(applyWhere(isBadKey, setType('missing_auth_credential'))),
  },
  {
    id: 'auth-answer/another-vocabulary',
    about:
      'Responds to every bad key outside billing-type endpoints with the type `authentication_error`, which other APIs use.',
    violates: [
      ...new Set([...badBearer, ...badXApiKey, ...badXGoogApiKey]),
      'auth/empty-bearer-token',
      'auth/other-scheme',
      'auth/empty-x-api-key',
      'auth/empty-x-goog-api-key',
      'streams/malformed-credential',
      'model-error/type-fits-status-family-a',
      'model-error/type-fits-status-families-b-c',
      'streams/empty-api-key',
    ],
    setup: withDecisions(applyWhere(isBadKey, setType('authentication_error'))),
  },
  {
    id: 'auth-answer/deleted-key-403',
    about: 'Responds to the key with the role `deleted` with 403 instead of 401.',
    violates: everyDeletedKey,
    setup: withDecisions(applyWhere(allOf(isBadKey, withKey('deleted')), setStatus(403))),
  },
  {
    id: 'auth-answer/deleted-key-crashes-usage',
    about: 'Responds to a deleted key with 500 on the usage endpoint.',
    violates: ['auth/billing-bad-bearer-token', 'auth/billing-bad-x-api-key'],
    setup: withDecisions(
      applyWhere(allOf(onOperation('usage'), withKey('deleted')), () => ({
        isKeyValid: () => {
          throw new Error('no such account');
        },
      })),
    ),
  },
  {
    id: 'auth-answer/bad-key-200',
    about: 'Responds to a bad key with 200 and an error body on the model list.',
    violates: [
      'auth/bad-bearer-token',
      'auth/bad-x-api-key',
      'auth/deleted-bearer-token',
      'auth/deleted-x-api-key',
      'auth/empty-bearer-token',
      'auth/other-scheme',
      'auth/empty-x-api-key',
      'accept/bad-key',
      'auth/key-with-text-after',
      'lifecycle/deleted-key',
    ],
    setup: withDecisions(applyWhere(allOf(onOperation('models'), isBadKey), setStatus(200))),
  },
  {
    id: 'auth-answer/bad-key-with-malformed-body-200',
    about:
      'Responds with 200 and an error body in family C if the request has no valid key and its body cannot be parsed.',
    violates: ['requests/several-faults'],
    setup: withDecisions(
      combineOverrides(
        checkFirst('body'),
        applyWhere(allOf(inFamily('C'), isInvalidBody, not(hasGoodKey)), setStatus(200)),
      ),
    ),
  },
  {
    id: 'auth-answer/bad-key-with-malformed-body-500',
    about: 'Responds with 500 on `responses` if the request has no valid key and its body cannot be parsed.',
    violates: ['requests/several-faults'],
    setup: withDecisions(
      combineOverrides(
        checkFirst('body'),
        applyWhere(allOf(onOperation('responses'), isInvalidBody, not(hasGoodKey)), setStatus(500)),
      ),
    ),
  },
  {
    id: 'auth-answer/bad-key-with-unlisted-model-404',
    about: 'Responds with 404 in family B if the request has no valid key and the model is not listed.',
    violates: ['requests/several-faults', 'model-error/status-fits-type'],
    setup: withDecisions(
      combineOverrides(
        applyWhere(inFamily('B'), checkFirst('body', 'form', 'known-model')),
        applyWhere(allOf(inFamily('B'), refusedFor('unknown-model'), not(hasGoodKey)), setStatus(404)),
      ),
    ),
  },
  {
    id: 'auth-answer/bad-key-with-unlisted-model-403',
    about:
      'Responds with 403 and the type `permission_denied` on `chat` if the request has no valid key and the model is not listed.',
    violates: ['requests/several-faults'],
    setup: withDecisions(
      combineOverrides(
        applyWhere(onOperation('chat'), checkFirst('body', 'form', 'known-model')),
        applyWhere(
          allOf(onOperation('chat'), refusedFor('unknown-model'), not(hasGoodKey)),
          setStatusAndType(403, 'permission_denied'),
        ),
      ),
    ),
  },
];
