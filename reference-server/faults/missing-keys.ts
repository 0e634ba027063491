import { withDecisions } from '../combine-setups.ts';
import { allOf, inFamily, onOperation, onSurface, refusedFor } from './conditions.ts';
import type { Fault } from './fault.ts';
import { applyWhere, setStatus, setStatusAndType } from './overrides.ts';

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

/**
 * Faults in which the gateway accepts a request without a key, or refuses such a request with the wrong status or type.
 */
export const missingKeyFaults: readonly Fault[] = [
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
];
