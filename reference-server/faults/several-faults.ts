import { withDecisions } from '../combine-setups.ts';
import { allOf, hasGoodKey, isStreamed, not, onOperation, refusedFor } from './conditions.ts';
import type { Fault } from './fault.ts';
import { applyWhere, checkFirst, combineOverrides, setStatus } from './overrides.ts';

const isUnknownModel = refusedFor('unknown-model');

/**
 * Faults in which a request with several invalid parts gets a response that the specification permits for none of the
 * parts.
 */
export const severalFaults: readonly Fault[] = [
  {
    id: 'several-faults/no-key-with-unlisted-model-404-when-streamed',
    about:
      'Responds with 404 to a streamed chat call if the request has no valid key and the model is not listed.',
    violates: ['requests/several-faults', 'model-error/status-fits-type'],
    setup: withDecisions(
      combineOverrides(
        applyWhere(onOperation('chat'), checkFirst('body', 'form', 'known-model')),
        applyWhere(allOf(onOperation('chat'), isStreamed, isUnknownModel, not(hasGoodKey)), setStatus(404)),
      ),
    ),
  },
];
