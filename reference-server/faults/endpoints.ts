import { withDecisions } from '../combine-setups.ts';
import type { Overrides } from '../gateway/decisions.ts';
import { onOperation, type RequestCondition } from './conditions.ts';
import type { Fault } from './fault.ts';
import { applyWhere } from './overrides.ts';

const onPath =
  (form: RegExp): RequestCondition =>
  ({ request }) =>
    form.test(request.path);
const setFinalStatus =
  (status: number): Overrides =>
  (base) => ({ finish: (response, ctx) => ({ ...base.finish(response, ctx), status }) });

/** Faults in which an endpoint is missing or has the wrong path or method, or a wrong method or path succeeds. */
export const endpointFaults: readonly Fault[] = [
  {
    id: 'endpoint/records-absent',
    about: 'Responds to requests for a request record with 405.',
    violates: ['endpoints/stated-billing', 'billing-error/other-statuses'],
    setup: withDecisions(applyWhere(onOperation('record'), setFinalStatus(405))),
  },
  {
    id: 'endpoint/balance-under-user',
    about: 'Serves the balance endpoint under `/user`.',
    violates: ['endpoints/billing-prefix'],
    setup: () => ({
      profile: { operations: { balance: 'GET /user/balance' } },
      decisions: applyWhere(onPath(/^\/user\//), () => ({ chooseErrorShape: () => 'billing' })),
    }),
  },
  {
    id: 'endpoint/internal-error-under-debug',
    about: 'Serves the operation `internalError` under `/debug`.',
    violates: ['endpoints/billing-prefix'],
    setup: () => ({ profile: { operations: { internalError: 'GET /debug/internal-error' } } }),
  },
];
