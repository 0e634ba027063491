import { withDecisions } from '../combine-setups.ts';
import { allOf, not, onOperation, onSurface, refusedFor } from './conditions.ts';
import type { Fault } from './fault.ts';
import {
  applyWhere,
  replaceBillingBody,
  sendLatin1,
  sendText,
  setCode,
  setMessage,
  setStatus,
} from './overrides.ts';

const onBilling = onSurface('billing');
const isInvalidParameter = refusedFor('invalid-parameter');
const isUnknownRecord = refusedFor('unknown-record');
const isInternalError = refusedFor('internal');
const isTooFrequent = refusedFor('too-frequent');
const isWrongMethod = refusedFor('wrong-method');

/** Faults in which errors of billing-type endpoints have the wrong status, code, message or form (2.3). */
export const billingErrorFaults: readonly Fault[] = [
  {
    id: 'billing-error/all-200',
    about: 'Responds to an invalid parameter with 200 and an error body on billing-type endpoints.',
    violates: [
      'billing/request-id-uuid',
      'billing/range-reversed',
      'billing/time-unparseable',
      'billing/request-id-dashes',
    ],
    setup: withDecisions(applyWhere(allOf(onBilling, isInvalidParameter), setStatus(200))),
  },
  {
    id: 'billing-error/in-model-shape',
    about: 'Sends every error of billing-type endpoints in the form of model endpoints.',
    violates: [
      'billing-error/code-string',
      'billing-error/no-other-member',
      'billing-error/no-other-error-member',
      'billing-error/other-statuses',
      'billing/request-id-uuid',
      'billing/record-absent',
      'billing/record-foreign',
      'billing/range-reversed',
      'billing/time-unparseable',
      'billing/rate-limit',
      'billing/internal-error',
      'billing/request-id-dashes',
    ],
    setup: withDecisions(() => ({ chooseErrorShape: () => 'model' })),
  },
  {
    id: 'billing-error/refused-key-not-found',
    about: 'Sends the code `not_found` with the 401 for a missing key on billing-type endpoints.',
    violates: ['auth/billing-code-of-401'],
    setup: withDecisions(
      applyWhere(allOf(onBilling, refusedFor('missing-credential')), setCode('not_found')),
    ),
  },
  {
    id: 'billing-error/refused-key-internal',
    about: 'Sends the code `internal_error` with the 401 for a bad key on the usage endpoint.',
    violates: ['auth/billing-code-of-401'],
    setup: withDecisions(
      applyWhere(allOf(onOperation('usage'), refusedFor('bad-key')), setCode('internal_error')),
    ),
  },
  {
    id: 'billing-error/html',
    about: 'Responds with an HTML page if a request record is not found.',
    violates: ['billing-error/json-object', 'billing/record-absent', 'billing/record-foreign'],
    setup: withDecisions(applyWhere(isUnknownRecord, sendText('text/html', '<h1>Not Found</h1>'))),
  },
  {
    id: 'billing-error/latin-1',
    about: 'Sends errors about an invalid parameter of the usage endpoint in Latin-1.',
    violates: ['billing-error/json-object', 'billing/range-reversed', 'billing/time-unparseable'],
    setup: withDecisions(
      applyWhere(allOf(onOperation('usage'), isInvalidParameter), sendLatin1('Der Zeitraum ist ungültig.')),
    ),
  },
  {
    id: 'billing-error/array',
    about:
      'Sends an array that contains the error as the body if a parameter of the usage endpoint is invalid.',
    violates: ['billing-error/json-object', 'billing/range-reversed', 'billing/time-unparseable'],
    setup: withDecisions(
      applyWhere(
        allOf(onOperation('usage'), isInvalidParameter),
        replaceBillingBody((error) => [error]),
      ),
    ),
  },
  {
    id: 'billing-error/error-string',
    about: 'Sends the code itself as `error` if a request record is not found.',
    violates: ['billing-error/error-object', 'billing/record-absent', 'billing/record-foreign'],
    setup: withDecisions(
      applyWhere(
        isUnknownRecord,
        replaceBillingBody((error) => ({ error: error.code })),
      ),
    ),
  },
  {
    id: 'billing-error/flat',
    about: 'Sends the code and the message of an internal error at the top level, without `error`.',
    violates: ['billing-error/error-object', 'billing-error/no-other-member', 'billing/internal-error'],
    setup: withDecisions(
      applyWhere(
        isInternalError,
        replaceBillingBody((error) => error),
      ),
    ),
  },
  {
    id: 'billing-error/code-is-the-status',
    about: 'Sends the number 400 as the code if `request_id` is not a UUID.',
    violates: ['billing-error/code-string', 'billing/request-id-uuid', 'billing/request-id-dashes'],
    setup: withDecisions(
      applyWhere(
        allOf(onOperation('record'), isInvalidParameter),
        replaceBillingBody((error) => ({ error: { ...error, code: 400 } })),
      ),
    ),
  },
  {
    id: 'billing-error/code-missing',
    about: 'Omits the code of a 429 error.',
    violates: ['billing-error/code-string', 'billing/rate-limit'],
    setup: withDecisions(
      applyWhere(
        isTooFrequent,
        replaceBillingBody(({ message: words }) => ({ error: { message: words } })),
      ),
    ),
  },
  {
    id: 'billing-error/code-capitalised',
    about: 'Writes the code of an internal error in upper case.',
    violates: ['billing-error/code-fits-status', 'billing/internal-error'],
    setup: withDecisions(applyWhere(isInternalError, setCode('INTERNAL_ERROR'))),
  },
  {
    id: 'billing-error/code-of-its-own',
    about: 'Responds with the code `invalid_time_range` if a parameter of the usage endpoint is invalid.',
    violates: ['billing-error/code-fits-status', 'billing/range-reversed', 'billing/time-unparseable'],
    setup: withDecisions(
      applyWhere(allOf(onOperation('usage'), isInvalidParameter), setCode('invalid_time_range')),
    ),
  },
  {
    id: 'billing-error/message-missing',
    about: 'Omits the message if a request record is not found.',
    violates: ['billing-error/message-string'],
    setup: withDecisions(
      applyWhere(
        isUnknownRecord,
        replaceBillingBody((error) => ({ error: { code: error.code } })),
      ),
    ),
  },
  {
    id: 'billing-error/message-object',
    about: 'Sends an object as the message about an invalid parameter.',
    violates: ['billing-error/message-string'],
    setup: withDecisions(
      applyWhere(
        isInvalidParameter,
        replaceBillingBody((error) => ({ error: { ...error, message: { parameter: error.message } } })),
      ),
    ),
  },
  {
    id: 'billing-error/message-empty',
    about: 'Sends an empty message with an internal error.',
    violates: ['billing-error/message-not-empty'],
    setup: withDecisions(applyWhere(isInternalError, setMessage(''))),
  },
  {
    id: 'billing-error/message-blank',
    about: 'Sends a space as the message if a request record is not found.',
    violates: ['billing-error/message-not-empty'],
    setup: withDecisions(applyWhere(isUnknownRecord, setMessage(' '))),
  },
  {
    id: 'billing-error/with-trace-id',
    about:
      'Adds `trace_id` to the bodies of errors of billing-type endpoints, except for authentication errors.',
    violates: ['billing-error/no-other-member', 'billing-error/other-statuses'],
    setup: withDecisions(
      applyWhere(
        not(refusedFor('missing-credential', 'bad-key')),
        replaceBillingBody((error, _, ctx) => ({ error, trace_id: ctx.traceId })),
      ),
    ),
  },
  {
    id: 'billing-error/with-trace-id-on-429',
    about: 'Adds `trace_id` to the body of a 429 error.',
    violates: ['billing-error/no-other-member'],
    setup: withDecisions(
      applyWhere(
        isTooFrequent,
        replaceBillingBody((error, _, ctx) => ({ error, trace_id: ctx.traceId })),
      ),
    ),
  },
  {
    id: 'billing-error/with-success-flag',
    about: 'Adds the member `success` to the body if a request record is not found.',
    violates: ['billing-error/no-other-member'],
    setup: withDecisions(
      applyWhere(
        isUnknownRecord,
        replaceBillingBody((error) => ({ success: false, error })),
      ),
    ),
  },
  {
    id: 'billing-error/with-type',
    about: 'Adds a type to the error if a request record is not found.',
    violates: ['billing-error/no-other-error-member'],
    setup: withDecisions(
      applyWhere(
        isUnknownRecord,
        replaceBillingBody((error, refusal) => ({ error: { ...error, type: refusal.type } })),
      ),
    ),
  },
  {
    id: 'billing-error/with-null-details',
    about: 'Adds the member `details` with null to errors about an invalid parameter.',
    violates: ['billing-error/no-other-error-member'],
    setup: withDecisions(
      applyWhere(
        isInvalidParameter,
        replaceBillingBody((error) => ({ error: { ...error, details: null } })),
      ),
    ),
  },
  {
    id: 'billing-error/wrong-method-in-model-shape',
    about: 'Responds to a wrong method on a billing-type path with the error body of model endpoints.',
    violates: ['billing-error/other-statuses'],
    setup: withDecisions(applyWhere(isWrongMethod, () => ({ chooseErrorShape: () => 'model' }))),
  },
];
