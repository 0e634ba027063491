import { withDecisions } from '../combine-setups.ts';
import { allOf, everyNth, onSurface, refusedFor } from './conditions.ts';
import type { Fault } from './fault.ts';
import { applyWhere, replaceBillingBody } from './overrides.ts';

/** Faults of one node of several. A single request does not always reach the node with the fault. */
export const singleNodeFaults: readonly Fault[] = [
  {
    id: 'node/trace-id-repeats',
    about: 'Sends the same trace ID in every fifth response.',
    violates: ['trace/distinct'],
    setup: withDecisions((base) => ({
      createTraceId: (number) =>
        number % 5 === 0 ? '0d1c2b3a-4f5e-4a6b-8c7d-9e0f1a2b3c4d' : base.createTraceId(number),
    })),
  },
  {
    id: 'node/type-in-billing-errors',
    about:
      'Adds a type to one of five errors about an invalid parameter or an unknown record on billing-type endpoints.',
    violates: ['billing-error/no-other-error-member'],
    setup: () => ({
      decisions: applyWhere(
        everyNth(5, allOf(onSurface('billing'), refusedFor('invalid-parameter', 'unknown-record'))),
        replaceBillingBody((error, refusal) => ({ error: { ...error, type: refusal.type } })),
      ),
    }),
  },
  {
    id: 'node/foreign-record-shown',
    about: 'Shows a record of another account in one of five requests for this record with the valid key.',
    violates: ['billing/record-foreign'],
    setup: () => ({
      decisions: applyWhere(
        everyNth(
          5,
          ({ key, request, profile }) =>
            key?.role === 'valid' && request.query.get('request_id') === profile.records.foreign,
        ),
        () => ({ mayRead: () => true }),
      ),
    }),
  },
];
