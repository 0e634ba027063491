import { code, deciding, noBody, onlyWhere, status } from './changes.ts';
import { at, everyNth, not, on, refusedFor } from './conditions.ts';
import type { Fault } from './fault.ts';

const tooFrequent = refusedFor('too-frequent');

/** Billing-type endpoints that keep no frequency limit, or refuse in another way what exceeds it. */
export const billingLimitFaults: readonly Fault[] = [
  {
    id: 'billing/limit-never',
    about: 'Billing-type requests are never too frequent.',
    breaks: ['billing/rate-limit'],
    setup: deciding(() => ({ grant: () => ({ kind: 'granted' }) })),
  },
  {
    id: 'billing/limit-elsewhere',
    about: 'The frequency limit does not hold for the usage endpoint.',
    breaks: ['billing/rate-limit'],
    setup: deciding(onlyWhere(on('usage'), () => ({ grant: () => ({ kind: 'granted' }) }))),
  },
  {
    id: 'billing/limit-per-node',
    about: 'Each of five nodes counts for itself, so that the limit is five times what is stated.',
    breaks: ['billing/rate-limit'],
    setup: () => ({
      decisions: onlyWhere(not(everyNth(5, at('billing'))), () => ({ grant: () => ({ kind: 'granted' }) })),
    }),
  },
  {
    id: 'billing/limit-503',
    about: 'Too many requests are answered 503.',
    breaks: ['billing/rate-limit'],
    setup: deciding(onlyWhere(tooFrequent, status(503))),
  },
  {
    id: 'billing/limit-empty',
    about: 'A 429 has no body.',
    breaks: ['billing/rate-limit', 'billing-error/json-object'],
    setup: deciding(onlyWhere(tooFrequent, noBody)),
  },
  {
    id: 'billing/limit-in-model-shape',
    about: 'A 429 has the shape of model endpoints.',
    breaks: [
      'billing/rate-limit',
      'billing-error/code-string',
      'billing-error/no-other-member',
      'billing-error/no-other-error-member',
    ],
    setup: deciding(onlyWhere(tooFrequent, () => ({ errorShape: () => 'model' }))),
  },
  {
    id: 'billing/limit-coded-otherwise',
    about: 'A 429 has the code too_many_requests.',
    breaks: ['billing/rate-limit', 'billing-error/code-fits-status'],
    setup: deciding(onlyWhere(tooFrequent, code('too_many_requests'))),
  },
];
