import { withDecisions } from '../combine-setups.ts';
import {
  allOf,
  everyNth,
  inFamily,
  isBrowser,
  isRefused,
  isStreamed,
  not,
  onOperation,
  onSurface,
  type RequestCondition,
  refusedFor,
} from './conditions.ts';
import type { Fault } from './fault.ts';
import {
  applyWhere,
  replaceBillingBody,
  replaceModelBody,
  replaceTraceHeader,
  setType,
} from './overrides.ts';

// The gateway cannot read from a malformed body whether a stream is requested. The header `accept` shows whether the
// client requests a stream.
const isShortAndPlain: RequestCondition = ({ request: { headers } }) =>
  Number(headers['content-length'] ?? 0) < 1000 && headers.accept?.includes('event-stream') !== true;

/** Faults of one node of several. A single request does not always reach the node with the fault. */
export const singleNodeFaults: readonly Fault[] = [
  {
    id: 'node/trace-header-missing',
    about:
      'Omits the header `x-trace-id` for one of five rejected bodies of fewer than 1,000 bytes in non-streamed calls of family A, except to browsers.',
    violates: ['model-error/trace-header-present'],
    setup: () => ({
      decisions: applyWhere(
        everyNth(
          5,
          allOf(
            inFamily('A'),
            isShortAndPlain,
            not(isBrowser),
            refusedFor('invalid-body', 'unparseable-body'),
          ),
        ),
        replaceTraceHeader(() => undefined),
      ),
    }),
  },
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
    id: 'node/code-as-string',
    about: 'Sends `error.code` as a string in one of five errors of `generate`, except to browsers.',
    violates: ['model-error/code-integer'],
    setup: () => ({
      decisions: applyWhere(
        everyNth(5, allOf(onOperation('generate'), isRefused, not(isBrowser))),
        replaceModelBody((error, trace) => ({ error: { ...error, code: String(error.code) }, ...trace })),
      ),
    }),
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
    id: 'node/balance-unchecked',
    about:
      'Serves one of five non-streamed calls of family B from an account without a balance, as a node with outdated data does.',
    violates: ['balance/family-b'],
    setup: () => ({
      decisions: applyWhere(
        everyNth(
          5,
          allOf(inFamily('B'), not(isStreamed), ({ key }) => key?.role === 'depleted'),
        ),
        () => ({ canPay: () => true }),
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
  {
    id: 'node/old-types',
    about:
      'Responds with the type `bad_request` to one of five malformed or empty bodies of fewer than 1,000 bytes in non-streamed calls of family B.',
    violates: [
      'requests/body-json',
      'requests/repeat-same-answer',
      'model-error/type-fits-status-families-b-c',
      'requests/lenient-json',
    ],
    setup: () => ({
      decisions: applyWhere(
        everyNth(5, allOf(onOperation('messages'), isShortAndPlain, refusedFor('unparseable-body'))),
        setType('bad_request'),
      ),
    }),
  },
];
