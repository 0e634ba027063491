import { withDecisions } from '../combine-setups.ts';
import { onOperation, refusedFor } from './conditions.ts';
import type { Fault } from './fault.ts';
import { applyWhere, sendNoBody, setCode } from './overrides.ts';

const isTooFrequent = refusedFor('too-frequent');

/**
 * Faults in which billing-type endpoints enforce no rate limit, count requests wrongly, or respond incorrectly to
 * requests that exceed the limit. `billing/limit-before-crash` has a conforming limit, and responds incorrectly to an
 * invalid `request_id`.
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
