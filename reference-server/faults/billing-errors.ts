import { billingBody, code, deciding, message, onlyWhere, status, text } from './changes.ts';
import { all, at, not, on, refusedFor } from './conditions.ts';
import type { Fault } from './fault.ts';

const billing = at('billing');
const invalid = refusedFor('invalid-parameter');
const absent = refusedFor('unknown-record');
const internal = refusedFor('internal');
const tooFrequent = refusedFor('too-frequent');
const wrongMethod = refusedFor('wrong-method');

/** Errors of billing-type endpoints that have not the form of section 2.3. */
export const billingErrorFaults: readonly Fault[] = [
  {
    id: 'billing-error/all-200',
    about: 'Answers an invalid parameter with 200 on billing-type endpoints.',
    breaks: ['billing/request-id-uuid', 'billing/range-reversed', 'billing/time-unparseable'],
    setup: deciding(onlyWhere(all(billing, invalid), status(200))),
  },
  {
    id: 'billing-error/in-model-shape',
    about: 'Sends every error of billing-type endpoints in the form of model endpoints.',
    breaks: [
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
    ],
    setup: deciding(() => ({ errorShape: () => 'model' })),
  },
  {
    id: 'billing-error/html',
    about: 'Answers a request record that does not exist with an HTML page.',
    breaks: ['billing-error/json-object', 'billing/record-absent', 'billing/record-foreign'],
    setup: deciding(onlyWhere(absent, text('text/html', '<h1>Not Found</h1>'))),
  },
  {
    id: 'billing-error/array',
    about: 'Answers an invalid time range with an array of errors.',
    breaks: ['billing-error/json-object', 'billing/range-reversed', 'billing/time-unparseable'],
    setup: deciding(
      onlyWhere(
        all(on('usage'), invalid),
        billingBody((error) => [error]),
      ),
    ),
  },
  {
    id: 'billing-error/error-string',
    about: 'Sends the code itself as `error` if a request record is not found.',
    breaks: ['billing-error/error-object', 'billing/record-absent', 'billing/record-foreign'],
    setup: deciding(
      onlyWhere(
        absent,
        billingBody((error) => ({ error: error.code })),
      ),
    ),
  },
  {
    id: 'billing-error/flat',
    about: 'Sends the code and the message of an internal error at the top level, without `error`.',
    breaks: ['billing-error/error-object', 'billing-error/no-other-member', 'billing/internal-error'],
    setup: deciding(
      onlyWhere(
        internal,
        billingBody((error) => error),
      ),
    ),
  },
  {
    id: 'billing-error/code-is-the-status',
    about: 'Sends the number 400 as the code if `request_id` is not a UUID.',
    breaks: ['billing-error/code-string', 'billing/request-id-uuid'],
    setup: deciding(
      onlyWhere(
        all(on('record'), invalid),
        billingBody((error) => ({ error: { ...error, code: 400 } })),
      ),
    ),
  },
  {
    id: 'billing-error/code-missing',
    about: 'Omits the code of a 429.',
    breaks: ['billing-error/code-string', 'billing/rate-limit'],
    setup: deciding(
      onlyWhere(
        tooFrequent,
        billingBody(({ message: words }) => ({ error: { message: words } })),
      ),
    ),
  },
  {
    id: 'billing-error/code-capitalised',
    about: 'Writes the code of an internal error in upper case.',
    breaks: ['billing-error/code-fits-status', 'billing/internal-error'],
    setup: deciding(onlyWhere(internal, code('INTERNAL_ERROR'))),
  },
  {
    id: 'billing-error/code-of-its-own',
    about: 'Answers a reversed time range with the code `invalid_time_range`.',
    breaks: ['billing-error/code-fits-status', 'billing/range-reversed', 'billing/time-unparseable'],
    setup: deciding(onlyWhere(all(on('usage'), invalid), code('invalid_time_range'))),
  },
  {
    id: 'billing-error/message-missing',
    about: 'Omits the message if a request record is not found.',
    breaks: ['billing-error/message-string'],
    setup: deciding(
      onlyWhere(
        absent,
        billingBody((error) => ({ error: { code: error.code } })),
      ),
    ),
  },
  {
    id: 'billing-error/message-object',
    about: 'Sends an object as the message of an invalid parameter.',
    breaks: ['billing-error/message-string'],
    setup: deciding(
      onlyWhere(
        invalid,
        billingBody((error) => ({ error: { ...error, message: { parameter: error.message } } })),
      ),
    ),
  },
  {
    id: 'billing-error/message-empty',
    about: 'Sends an empty message with an internal error.',
    breaks: ['billing-error/message-not-empty'],
    setup: deciding(onlyWhere(internal, message(''))),
  },
  {
    id: 'billing-error/message-blank',
    about: 'Sends a space as the message if a request record is not found.',
    breaks: ['billing-error/message-not-empty'],
    setup: deciding(onlyWhere(absent, message(' '))),
  },
  {
    id: 'billing-error/with-trace-id',
    about: 'Adds a trace ID to errors of billing-type endpoints, except for authentication errors.',
    breaks: ['billing-error/no-other-member', 'billing-error/other-statuses'],
    setup: deciding(
      onlyWhere(
        not(refusedFor('missing-credential', 'bad-key')),
        billingBody((error, _, ctx) => ({ error, trace_id: ctx.traceId })),
      ),
    ),
  },
  {
    id: 'billing-error/with-trace-id-on-429',
    about: 'Adds a trace ID to the body of a 429.',
    breaks: ['billing-error/no-other-member'],
    setup: deciding(
      onlyWhere(
        tooFrequent,
        billingBody((error, _, ctx) => ({ error, trace_id: ctx.traceId })),
      ),
    ),
  },
  {
    id: 'billing-error/with-success-flag',
    about: 'Adds the member `success` to the body if a request record is not found.',
    breaks: ['billing-error/no-other-member'],
    setup: deciding(
      onlyWhere(
        absent,
        billingBody((error) => ({ success: false, error })),
      ),
    ),
  },
  {
    id: 'billing-error/with-type',
    about: 'Adds a type to the error if a request record is not found.',
    breaks: ['billing-error/no-other-error-member'],
    setup: deciding(
      onlyWhere(
        absent,
        billingBody((error, refusal) => ({ error: { ...error, type: refusal.type } })),
      ),
    ),
  },
  {
    id: 'billing-error/with-null-details',
    about: 'Adds the member `details` with null to the error of an invalid parameter.',
    breaks: ['billing-error/no-other-error-member'],
    setup: deciding(
      onlyWhere(
        invalid,
        billingBody((error) => ({ error: { ...error, details: null } })),
      ),
    ),
  },
  {
    id: 'billing-error/wrong-method-in-model-shape',
    about: 'Answers a wrong method on a billing-type path in the form of model endpoints.',
    breaks: ['billing-error/other-statuses'],
    setup: deciding(onlyWhere(wrongMethod, () => ({ errorShape: () => 'model' }))),
  },
];
