import { withDecisions } from '../combine-setups.ts';
import { allOf, hasGoodKey, not, onOperation, refusedFor } from './conditions.ts';
import type { Fault } from './fault.ts';
import { applyWhere, checkFirst, combineOverrides, setStatus, setStatusAndType } from './overrides.ts';

const isInvalidBody = refusedFor('unparseable-body', 'invalid-body');

/** Faults in which the gateway refuses a request without a valid key with the wrong status or type. */
export const badKeyResponseFaults: readonly Fault[] = [
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
