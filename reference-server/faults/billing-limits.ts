import { code, deciding, noBody, onlyWhere, status } from './changes.ts';
import { at, everyNth, not, on, refusedFor } from './conditions.ts';
import type { Fault } from './fault.ts';

const tooFrequent = refusedFor('too-frequent');

/** Billing-type endpoints that keep no frequency limit, or refuse in another way what exceeds it. */
export const billingLimitFaults: readonly Fault[] = [
  {
    id: 'billing/limit-never',
    about: 'Enforces no frequency limit on billing-type endpoints.',
    breaks: ['billing/rate-limit'],
    setup: deciding(() => ({ grant: () => ({ kind: 'granted' }) })),
  },
  {
    id: 'billing/limit-elsewhere',
    about: 'Enforces no frequency limit on the usage endpoint.',
    breaks: ['billing/rate-limit'],
    setup: deciding(onlyWhere(on('usage'), () => ({ grant: () => ({ kind: 'granted' }) }))),
  },
  {
    id: 'billing/limit-per-node',
    about:
      'Counts billing-type requests on each of five nodes separately, so that five times as many requests pass.',
    breaks: ['billing/rate-limit'],
    setup: () => ({
      decisions: onlyWhere(not(everyNth(5, at('billing'))), () => ({ grant: () => ({ kind: 'granted' }) })),
    }),
  },
  {
    id: 'billing/limit-503',
    about: 'Answers too many requests with 503 instead of 429.',
    breaks: ['billing/rate-limit'],
    setup: deciding(onlyWhere(tooFrequent, status(503))),
  },
  {
    id: 'billing/limit-empty',
    about: 'Answers too many requests with 429 without a body.',
    breaks: ['billing/rate-limit', 'billing-error/json-object'],
    setup: deciding(onlyWhere(tooFrequent, noBody)),
  },
  {
    id: 'billing/limit-in-model-shape',
    about: 'Answers too many requests with 429 in the form of model endpoints.',
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
    about: 'Answers too many requests with the code `too_many_requests`.',
    breaks: ['billing/rate-limit', 'billing-error/code-fits-status'],
    setup: deciding(onlyWhere(tooFrequent, code('too_many_requests'))),
  },
];
