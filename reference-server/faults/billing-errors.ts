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
    about: 'Billing-type endpoints answer every invalid parameter 200.',
    breaks: ['billing/request-id-uuid', 'billing/range-reversed', 'billing/time-unparseable'],
    setup: deciding(onlyWhere(all(billing, invalid), status(200))),
  },
  {
    id: 'billing-error/in-model-shape',
    about: 'Every error of billing-type endpoints has the shape of model endpoints.',
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
    about: 'A record that is not found is an HTML page.',
    breaks: ['billing-error/json-object', 'billing/record-absent', 'billing/record-foreign'],
    setup: deciding(onlyWhere(absent, text('text/html', '<h1>Not Found</h1>'))),
  },
  {
    id: 'billing-error/array',
    about: 'An invalid time range is answered with a list of errors.',
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
    about: 'Where a record is not found, `error` is the code itself.',
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
    about: 'An internal error has code and message at the top level.',
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
    about: 'The code of a request_id that is no UUID is the number 400.',
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
    about: 'A 429 has no code.',
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
    about: 'The code of an internal error is written in capitals.',
    breaks: ['billing-error/code-fits-status', 'billing/internal-error'],
    setup: deciding(onlyWhere(internal, code('INTERNAL_ERROR'))),
  },
  {
    id: 'billing-error/code-of-its-own',
    about: 'A reversed time range has the code invalid_time_range.',
    breaks: ['billing-error/code-fits-status', 'billing/range-reversed', 'billing/time-unparseable'],
    setup: deciding(onlyWhere(all(on('usage'), invalid), code('invalid_time_range'))),
  },
  {
    id: 'billing-error/message-missing',
    about: 'Where a record is not found, there is a code and no message.',
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
    about: 'The message of an invalid parameter is an object that names it.',
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
    about: 'The message of an internal error is empty.',
    breaks: ['billing-error/message-not-empty'],
    setup: deciding(onlyWhere(internal, message(''))),
  },
  {
    id: 'billing-error/message-blank',
    about: 'The message of a record that is not found is a space.',
    breaks: ['billing-error/message-not-empty'],
    setup: deciding(onlyWhere(absent, message(' '))),
  },
  {
    id: 'billing-error/with-trace-id',
    about: 'Errors of billing-type endpoints hold a trace id, but for those of authentication.',
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
    about: 'A 429 holds a trace id.',
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
    about: 'Where a record is not found, the body says beside the error that there is no success.',
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
    about: 'Where a record is not found, the error has a type.',
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
    about: 'An invalid parameter has details, which are null.',
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
    about: 'A wrong method on a billing-type path is answered in the shape of model endpoints.',
    breaks: ['billing-error/other-statuses'],
    setup: deciding(onlyWhere(wrongMethod, () => ({ errorShape: () => 'model' }))),
  },
];
