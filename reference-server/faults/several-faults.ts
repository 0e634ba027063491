import { withDecisions } from '../combine-setups.ts';
import type { RequestCondition } from './conditions.ts';
import {
  allOf,
  hasGoodKey,
  isStreamed,
  not,
  onOperation,
  onSurface,
  refusedFor,
  withKey,
} from './conditions.ts';
import type { Fault } from './fault.ts';
import { applyWhere, checkFirst, combineOverrides, setStatus } from './overrides.ts';

const hasUnusableParameter: RequestCondition = ({ request: { query }, state }) => {
  const [id, start, end] = ['request_id', 'start_time', 'end_time'].map((name) => query.get(name));
  const isUnknown = id !== null && id !== undefined && !state.records.some((record) => record.id === id);
  return isUnknown || !(Number(start ?? 0) <= Number(end ?? 0));
};

const isUnknownModel = refusedFor('unknown-model');

/**
 * Faults in which a request with several invalid parts gets a response that the specification permits for none of the
 * parts.
 */
export const severalFaults: readonly Fault[] = [
  {
    id: 'several-faults/bad-key-with-bad-parameter-422',
    about:
      'Responds with 422 on billing-type endpoints if the key is missing or bad, and a parameter is invalid or names an unknown record.',
    violates: ['requests/several-faults'],
    setup: withDecisions(
      applyWhere(
        allOf(onSurface('billing'), refusedFor('missing-credential', 'bad-key'), hasUnusableParameter),
        setStatus(422),
      ),
    ),
  },
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
  {
    id: 'several-faults/low-balance-with-unlisted-model-403',
    about: 'Responds with 403 on `responses` if the account has no balance and the model is not listed.',
    violates: ['requests/several-faults', 'model-error/status-fits-type'],
    setup: withDecisions(
      applyWhere(allOf(onOperation('responses'), isUnknownModel, withKey('depleted')), setStatus(403)),
    ),
  },
];
