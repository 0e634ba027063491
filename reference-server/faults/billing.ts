import type { Overrides } from '../decisions/index.ts';
import type { Json } from '../json.ts';
import { code, deciding, onlyWhere, status, text, together } from './changes.ts';
import { all, by, not, ofKey, on, refusedFor, type Where } from './conditions.ts';
import type { Fault } from './fault.ts';

const invalid = refusedFor('invalid-parameter');
const absent = refusedFor('unknown-record');
const foreignRecords: Overrides = () => ({ mayRead: () => true });

const idLike =
  (form: RegExp): Overrides =>
  (base) => ({
    isRequestId: (id, ctx) => base.isRequestId(id, ctx) || form.test(id),
  });
// Where there is no such record, that of a success with this body.
const instead = (where: Where, body: Json): Overrides =>
  onlyWhere(where, () => ({
    finish: (answer) => ({ ...answer, status: 200, content: { kind: 'json', value: body } }),
  }));
const asked =
  (name: string, form: RegExp): Where =>
  ({ request }) =>
    form.test(request.query.get(name) ?? '');
const isForeign: Where = ({ request, profile, key }) =>
  request.query.get('request_id') ===
  (key?.role === 'foreign' ? profile.records.own : profile.records.foreign);

/** Billing-type endpoints that accept what they must refuse, or refuse it in another way. */
export const billingFaults: readonly Fault[] = [
  {
    id: 'billing/any-request-id',
    about: 'Answers a `request_id` that is not a UUID with 404 instead of 400.',
    breaks: ['billing/request-id-uuid'],
    setup: deciding(idLike(/./)),
  },
  {
    id: 'billing/short-request-id',
    about: 'Accepts a `request_id` that lacks one digit of a UUID.',
    breaks: ['billing/request-id-uuid'],
    setup: deciding(idLike(/^[0-9a-f-]{35}$/)),
  },
  {
    id: 'billing/request-id-of-any-letters',
    about: 'Accepts a `request_id` with letters after f.',
    breaks: ['billing/request-id-uuid'],
    setup: deciding(idLike(/^[0-9a-z-]{36}$/)),
  },
  {
    id: 'billing/request-id-of-any-dashes',
    about: 'Accepts a `request_id` with the dashes in any place.',
    breaks: ['billing/request-id-uuid'],
    setup: deciding(idLike(/^[0-9a-f-]{36}$/)),
  },
  {
    id: 'billing/request-id-with-more-ahead',
    about: 'Accepts a `request_id` that only ends with a UUID.',
    breaks: ['billing/request-id-uuid'],
    setup: deciding(idLike(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)),
  },
  {
    id: 'billing/request-id-with-more-behind',
    about: 'Accepts a `request_id` that only begins with a UUID.',
    breaks: ['billing/request-id-uuid'],
    setup: deciding(idLike(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/)),
  },
  {
    id: 'billing/request-id-crashes',
    about: 'Answers a `request_id` that is not a UUID with 500.',
    breaks: ['billing/request-id-uuid'],
    setup: deciding((base) => ({
      isRequestId: (id, ctx) => {
        if (base.isRequestId(id, ctx)) return true;
        throw new Error('invalid input syntax for type uuid');
      },
    })),
  },
  {
    id: 'billing/request-id-422',
    about: 'Answers a `request_id` that is not a UUID with 422.',
    breaks: ['billing/request-id-uuid'],
    setup: deciding(onlyWhere(all(on('record'), invalid), status(422))),
  },
  {
    id: 'billing/record-absent-empty',
    about: 'Answers a request record that does not exist with 200 and an empty list.',
    breaks: ['billing/record-absent', 'billing/record-foreign'],
    setup: deciding(instead(absent, { data: [] })),
  },
  {
    id: 'billing/record-absent-400',
    about: 'Answers a request record that does not exist with 400, and one of another account with 404.',
    breaks: ['billing/record-absent', 'billing/record-hidden'],
    setup: deciding(onlyWhere(all(absent, not(isForeign)), together(status(400), code('invalid_request')))),
  },
  {
    id: 'billing/record-absent-500',
    about: 'Answers a request record that does not exist with 500.',
    breaks: ['billing/record-absent'],
    setup: deciding(onlyWhere(all(absent, not(isForeign)), together(status(500), code('internal_error')))),
  },
  {
    id: 'billing/record-foreign-by-key',
    about: 'Shows every request record to one of the accounts.',
    breaks: ['billing/record-foreign', 'billing/record-hidden'],
    setup: deciding(onlyWhere(all(on('record'), ofKey('foreign')), foreignRecords)),
  },
  {
    id: 'billing/record-foreign-by-id',
    about: 'Shows the request records of other accounts to the valid key.',
    breaks: ['billing/record-foreign', 'billing/record-hidden'],
    setup: deciding(onlyWhere(all(on('record'), ofKey('valid')), foreignRecords)),
  },
  {
    id: 'billing/record-foreign-by-header',
    about: 'Shows the request records of other accounts if the key is in `x-api-key`.',
    breaks: ['billing/record-foreign', 'billing/record-hidden'],
    setup: deciding(onlyWhere(all(on('record'), by('x-api-key')), foreignRecords)),
  },
  {
    id: 'billing/record-foreign-403',
    about: 'Answers a request record of another account with 403 instead of 404.',
    breaks: ['billing/record-foreign', 'billing/record-hidden'],
    setup: deciding(onlyWhere(all(absent, isForeign), status(403))),
  },
  {
    id: 'billing/record-foreign-told-by-code',
    about: 'Answers a request record of another account with 404 and the code `not_accessible`.',
    breaks: ['billing/record-foreign', 'billing/record-hidden', 'billing-error/code-fits-status'],
    setup: deciding(onlyWhere(all(absent, isForeign), code('not_accessible'))),
  },
  {
    id: 'billing/record-foreign-to-one-key-403',
    about: 'Answers a request record of another account with 403 if the key belongs to a certain account.',
    breaks: ['billing/record-foreign', 'billing/record-hidden'],
    setup: deciding(onlyWhere(all(absent, isForeign, ofKey('foreign')), status(403))),
  },
  {
    id: 'billing/range-reversed-empty',
    about: 'Answers a reversed time range with an empty result instead of 400.',
    breaks: ['billing/range-reversed'],
    setup: deciding(() => ({ isRange: () => true })),
  },
  {
    id: 'billing/range-reversed-crashes',
    about: 'Answers a reversed time range with 500.',
    breaks: ['billing/range-reversed'],
    setup: deciding((base) => ({
      isRange: (start, end, ctx) => {
        if (base.isRange(start, end, ctx)) return true;
        throw new Error('negative interval');
      },
    })),
  },
  {
    id: 'billing/start-ignored-if-no-time',
    about: 'Ignores a start time that cannot be parsed.',
    breaks: ['billing/time-unparseable'],
    setup: deciding((base) => ({
      timeOf: (time, ctx) =>
        base.timeOf(time, ctx) ?? (ctx.request.query.get('start_time') === time ? 0 : undefined),
    })),
  },
  {
    id: 'billing/end-ignored-if-no-time',
    about: 'Ignores an end time that cannot be parsed.',
    breaks: ['billing/time-unparseable'],
    setup: deciding((base) => ({
      timeOf: (time, ctx) =>
        base.timeOf(time, ctx) ?? (ctx.request.query.get('end_time') === time ? ctx.now : undefined),
    })),
  },
  {
    id: 'billing/time-unparseable-crashes',
    about: 'Answers a time that cannot be parsed with 500.',
    breaks: ['billing/time-unparseable'],
    setup: deciding((base) => ({
      timeOf: (time, ctx) => {
        const known = base.timeOf(time, ctx);
        if (known === undefined) throw new Error('Invalid time value');
        return known;
      },
    })),
  },
  {
    id: 'billing/time-unparseable-404',
    about: 'Answers a start time that cannot be parsed with 404.',
    breaks: ['billing/time-unparseable'],
    setup: deciding(
      onlyWhere(
        all(on('usage'), invalid, asked('start_time', /\D/)),
        together(status(404), code('not_found')),
      ),
    ),
  },
  {
    id: 'billing/internal-error-502',
    about: 'Answers an internal error with 502 instead of 500.',
    breaks: ['billing/internal-error'],
    setup: deciding(onlyWhere(on('internalError'), onlyWhere(refusedFor('internal'), status(502)))),
  },
  {
    id: 'billing/internal-error-200',
    about: 'Answers an internal error with 200 and an error body.',
    breaks: ['billing/internal-error'],
    setup: deciding(onlyWhere(all(on('internalError'), refusedFor('internal')), status(200))),
  },
  {
    id: 'billing/internal-error-as-text',
    about: 'Answers an internal error with plain text.',
    breaks: ['billing/internal-error', 'billing-error/json-object'],
    setup: deciding(
      onlyWhere(
        all(on('internalError'), refusedFor('internal')),
        text('text/plain', 'Internal Server Error'),
      ),
    ),
  },
];
