import { withDecisions } from '../combine-setups.ts';
import { everyNth, not, onOperation, onSurface, refusedFor } from './conditions.ts';
import type { Fault } from './fault.ts';
import { applyWhere, sendNoBody, setCode, setStatus } from './overrides.ts';

const isTooFrequent = refusedFor('too-frequent');

/**
 * Faults in which billing-type endpoints enforce no rate limit, count requests wrongly, or respond incorrectly to
 * requests that exceed the limit. `billing/limit-before-crash` has a conforming limit, and responds incorrectly to an
 * invalid `request_id`.
 */
export const billingLimitFaults: readonly Fault[] = [
  {
    id: 'billing/limit-never',
    about: 'Enforces no rate limit on billing-type endpoints.',
    violates: ['billing/rate-limit'],
    setup: withDecisions(() => ({ grantRequest: () => ({ kind: 'granted' }) })),
  },
  {
    id: 'billing/limit-elsewhere',
    about: 'Enforces no rate limit on the usage endpoint.',
    violates: ['billing/rate-limit'],
    setup: withDecisions(
      applyWhere(onOperation('usage'), () => ({ grantRequest: () => ({ kind: 'granted' }) })),
    ),
  },
  {
    id: 'billing/limit-per-node',
    about:
      'Counts only every fifth billing-type request, as if five nodes counted separately, so that five times as many requests pass.',
    violates: ['billing/rate-limit'],
    setup: () => ({
      decisions: applyWhere(not(everyNth(5, onSurface('billing'))), () => ({
        grantRequest: () => ({ kind: 'granted' }),
      })),
    }),
  },
  {
    id: 'billing/limit-503',
    about: 'Responds to too many requests with 503 instead of 429.',
    violates: ['billing/rate-limit'],
    setup: withDecisions(applyWhere(isTooFrequent, setStatus(503))),
  },
  {
    id: 'billing/limit-before-crash',
    about:
      'Responds with 500 if `request_id` is not a UUID, and limits the billing-type requests of all keys to 20 per 300 ms, without `Retry-After`.',
    violates: ['billing/request-id-uuid', 'billing/request-id-dashes'],
    setup: () => {
      let times: number[] = [];
      return {
        profile: { rateLimit: { operation: 'usage', requests: 21, within: '300ms' } },
        decisions: (base) => ({
          grantRequest: (ctx) => {
            times = times.filter((time) => ctx.now - time < 300);
            if (times.length >= 20) return { kind: 'refused', retryAfter: 0 };
            times.push(ctx.now);
            return { kind: 'granted' };
          },
          listErrorHeaders: (refusal, ctx) =>
            base.listErrorHeaders(refusal, ctx).filter(([name]) => name !== 'retry-after'),
          isRequestId: (id, ctx) => {
            if (base.isRequestId(id, ctx)) return true;
            throw new Error('invalid input syntax for type uuid');
          },
        }),
      };
    },
  },
  {
    id: 'billing/limit-empty',
    about: 'Responds to too many requests with 429 without a body.',
    violates: ['billing/rate-limit', 'billing-error/json-object'],
    setup: withDecisions(applyWhere(isTooFrequent, sendNoBody)),
  },
  {
    id: 'billing/limit-in-model-shape',
    about: 'Responds to too many requests with 429 and the error body of model endpoints.',
    violates: [
      'billing/rate-limit',
      'billing-error/code-string',
      'billing-error/no-other-member',
      'billing-error/no-other-error-member',
    ],
    setup: withDecisions(applyWhere(isTooFrequent, () => ({ chooseErrorShape: () => 'model' }))),
  },
  {
    id: 'billing/limit-coded-otherwise',
    about: 'Responds to too many requests with the code `too_many_requests`.',
    violates: ['billing/rate-limit', 'billing-error/code-fits-status'],
    setup: withDecisions(applyWhere(isTooFrequent, setCode('too_many_requests'))),
  },
];
