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
    about: 'A request_id that is no UUID is looked for, and not found.',
    breaks: ['billing/request-id-uuid'],
    setup: deciding(idLike(/./)),
  },
  {
    id: 'billing/short-request-id',
    about: 'A UUID that lacks a digit is taken for one.',
    breaks: ['billing/request-id-uuid'],
    setup: deciding(idLike(/^[0-9a-f-]{35}$/)),
  },
  {
    id: 'billing/request-id-of-any-letters',
    about: 'A UUID with letters past f is taken for one.',
    breaks: ['billing/request-id-uuid'],
    setup: deciding(idLike(/^[0-9a-z-]{36}$/)),
  },
  {
    id: 'billing/request-id-of-any-dashes',
    about: 'Digits and dashes, as many as a UUID has, are taken for one.',
    breaks: ['billing/request-id-uuid'],
    setup: deciding(idLike(/^[0-9a-f-]{36}$/)),
  },
  {
    id: 'billing/request-id-with-more-ahead',
    about: 'A text that ends in a UUID is taken for one.',
    breaks: ['billing/request-id-uuid'],
    setup: deciding(idLike(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)),
  },
  {
    id: 'billing/request-id-with-more-behind',
    about: 'A text that begins with a UUID is taken for one.',
    breaks: ['billing/request-id-uuid'],
    setup: deciding(idLike(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/)),
  },
  {
    id: 'billing/request-id-crashes',
    about: 'A request_id that is no UUID is answered 500.',
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
    about: 'A request_id that is no UUID is answered 422.',
    breaks: ['billing/request-id-uuid'],
    setup: deciding(onlyWhere(all(on('record'), invalid), status(422))),
  },
  {
    id: 'billing/record-absent-empty',
    about: 'A record that does not exist is answered as an empty one.',
    breaks: ['billing/record-absent', 'billing/record-foreign'],
    setup: deciding(instead(absent, { data: [] })),
  },
  {
    id: 'billing/record-absent-400',
    about: 'A record that does not exist is an invalid request; one of another account is not found.',
    breaks: ['billing/record-absent', 'billing/record-hidden'],
    setup: deciding(onlyWhere(all(absent, not(isForeign)), together(status(400), code('invalid_request')))),
  },
  {
    id: 'billing/record-absent-500',
    about: 'A record that does not exist is answered 500.',
    breaks: ['billing/record-absent'],
    setup: deciding(onlyWhere(all(absent, not(isForeign)), together(status(500), code('internal_error')))),
  },
  {
    id: 'billing/record-foreign-by-key',
    about: 'Some accounts may read every record.',
    breaks: ['billing/record-foreign', 'billing/record-hidden'],
    setup: deciding(onlyWhere(all(on('record'), ofKey('foreign')), foreignRecords)),
  },
  {
    id: 'billing/record-foreign-by-id',
    about: 'Whoever knows its id may read a record of some accounts.',
    breaks: ['billing/record-foreign', 'billing/record-hidden'],
    setup: deciding(onlyWhere(all(on('record'), ofKey('valid')), foreignRecords)),
  },
  {
    id: 'billing/record-foreign-by-header',
    about: 'Whose record it is, is not asked of a key in x-api-key.',
    breaks: ['billing/record-foreign', 'billing/record-hidden'],
    setup: deciding(onlyWhere(all(on('record'), by('x-api-key')), foreignRecords)),
  },
  {
    id: 'billing/record-foreign-403',
    about: 'A record of another account is forbidden, and not absent.',
    breaks: ['billing/record-foreign', 'billing/record-hidden'],
    setup: deciding(onlyWhere(all(absent, isForeign), status(403))),
  },
  {
    id: 'billing/record-foreign-told-by-code',
    about: 'A record of another account is answered 404 with a code of its own.',
    breaks: ['billing/record-foreign', 'billing/record-hidden', 'billing-error/code-fits-status'],
    setup: deciding(onlyWhere(all(absent, isForeign), code('not_accessible'))),
  },
  {
    id: 'billing/record-foreign-to-one-key-403',
    about: 'The key of another account gets 403 for a record that it may not read.',
    breaks: ['billing/record-foreign', 'billing/record-hidden'],
    setup: deciding(onlyWhere(all(absent, isForeign, ofKey('foreign')), status(403))),
  },
  {
    id: 'billing/range-reversed-empty',
    about: 'A reversed time range is answered with nothing in it.',
    breaks: ['billing/range-reversed'],
    setup: deciding(() => ({ isRange: () => true })),
  },
  {
    id: 'billing/range-reversed-crashes',
    about: 'A reversed time range is answered 500.',
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
    about: 'A start that is no time is taken for the beginning of time.',
    breaks: ['billing/time-unparseable'],
    setup: deciding((base) => ({
      timeOf: (time, ctx) =>
        base.timeOf(time, ctx) ?? (ctx.request.query.get('start_time') === time ? 0 : undefined),
    })),
  },
  {
    id: 'billing/end-ignored-if-no-time',
    about: 'An end that is no time is taken for now.',
    breaks: ['billing/time-unparseable'],
    setup: deciding((base) => ({
      timeOf: (time, ctx) =>
        base.timeOf(time, ctx) ?? (ctx.request.query.get('end_time') === time ? ctx.now : undefined),
    })),
  },
  {
    id: 'billing/time-unparseable-crashes',
    about: 'A time that cannot be parsed is answered 500.',
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
    about: 'A time that cannot be parsed leads to nothing that is found.',
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
    about: 'An internal error is answered 502.',
    breaks: ['billing/internal-error'],
    setup: deciding(onlyWhere(on('internalError'), onlyWhere(refusedFor('internal'), status(502)))),
  },
  {
    id: 'billing/internal-error-200',
    about: 'An internal error is answered 200 with an error in the body.',
    breaks: ['billing/internal-error'],
    setup: deciding(onlyWhere(all(on('internalError'), refusedFor('internal')), status(200))),
  },
  {
    id: 'billing/internal-error-as-text',
    about: 'An internal error is a line of text.',
    breaks: ['billing/internal-error', 'billing-error/json-object'],
    setup: deciding(
      onlyWhere(
        all(on('internalError'), refusedFor('internal')),
        text('text/plain', 'Internal Server Error'),
      ),
    ),
  },
];
