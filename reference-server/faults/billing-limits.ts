import { withDecisions } from '../combine-setups.ts';
import { onOperation, refusedFor } from './conditions.ts';
import type { Fault } from './fault.ts';
import { applyWhere, sendNoBody, setCode } from './overrides.ts';

const isTooFrequent = refusedFor('too-frequent');

/**
 * Faults in which a billing-type endpoint enforces no rate limit, or responds incorrectly to requests that exceed the
 * limit.
 */
export const billingLimitFaults: readonly Fault[] = [
  {
    id: 'billing/limit-elsewhere',
    about: 'Enforces no rate limit on the usage endpoint.',
    violates: ['billing/rate-limit'],
    setup: withDecisions(
      applyWhere(onOperation('usage'), () => ({ grantRequest: () => ({ kind: 'granted' }) })),
    ),
  },
  {
    id: 'billing/limit-empty',
    about: 'Responds to too many requests with 429 without a body.',
    violates: ['billing/rate-limit', 'billing-error/json-object'],
    setup: withDecisions(applyWhere(isTooFrequent, sendNoBody)),
  },
  {
    id: 'billing/limit-coded-otherwise',
    about: 'Responds to too many requests with the code `too_many_requests`.',
    violates: ['billing/rate-limit', 'billing-error/code-fits-status'],
    setup: withDecisions(applyWhere(isTooFrequent, setCode('too_many_requests'))),
  },
];
