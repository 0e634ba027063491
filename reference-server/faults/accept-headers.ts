import { withDecisions } from '../combine-setups.ts';
import { allOf, isBrowser, refusedFor } from './conditions.ts';
import type { Fault } from './fault.ts';
import { applyWhere, replaceTraceHeader, setStatus } from './overrides.ts';

/**
 * Faults in which the header `accept` wrongly changes the response. A browser is a client whose `accept` begins with
 * `text/html`.
 */
export const acceptHeaderFaults: readonly Fault[] = [
  {
    id: 'accept/unknown-model-404',
    about: 'Responds with 404 to a browser that requests an unlisted model.',
    violates: ['accept/invalid-request'],
    setup: withDecisions(applyWhere(allOf(isBrowser, refusedFor('unknown-model')), setStatus(404))),
  },
  {
    id: 'accept/error-without-trace',
    about: 'Omits `x-trace-id` in errors to browsers.',
    violates: ['accept/error-body'],
    setup: withDecisions(
      applyWhere(
        isBrowser,
        replaceTraceHeader(() => undefined),
      ),
    ),
  },
];
