import { withDecisions } from '../combine-setups.ts';
import type { Overrides } from '../gateway/decisions.ts';
import {
  allOf,
  byHeader,
  not,
  onOperation,
  type RequestCondition,
  refusedFor,
  withKey,
} from './conditions.ts';
import type { Fault } from './fault.ts';
import { applyWhere, combineOverrides, setCode, setStatus } from './overrides.ts';

const isInvalidParameter = refusedFor('invalid-parameter');
const isUnknownRecord = refusedFor('unknown-record');
const showAllRecords: Overrides = () => ({ mayRead: () => true });

const acceptRequestIds =
  (form: RegExp): Overrides =>
  (base) => ({
    isRequestId: (id, ctx) => base.isRequestId(id, ctx) || form.test(id),
  });
const hasQuery =
  (name: string, form: RegExp): RequestCondition =>
  ({ request }) =>
    form.test(request.query.get(name) ?? '');
const asksForForeignRecord: RequestCondition = ({ request, profile, key }) =>
  request.query.get('request_id') ===
  (key?.role === 'foreign' ? profile.records.own : profile.records.foreign);

/**
 * Faults of billing-type endpoints: requests that must fail succeed, or errors have the wrong status, code or format.
 */
export const billingFaults: readonly Fault[] = [
  {
    id: 'billing/short-request-id',
    about: 'Accepts any 35 lowercase hexadecimal digits and dashes as `request_id`.',
    violates: ['billing/request-id-uuid'],
    setup: withDecisions(acceptRequestIds(/^[0-9a-f-]{35}$/)),
  },
  {
    id: 'billing/request-id-of-any-letters',
    about: 'Accepts any 36 lowercase letters, digits and dashes as `request_id`.',
    violates: ['billing/request-id-uuid', 'billing/request-id-dashes'],
    setup: withDecisions(acceptRequestIds(/^[0-9a-z-]{36}$/)),
  },
  {
    id: 'billing/request-id-with-more-ahead',
    about: 'Accepts a `request_id` with other characters before the UUID.',
    violates: ['billing/request-id-uuid'],
    setup: withDecisions(acceptRequestIds(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)),
  },
  {
    id: 'billing/request-id-422',
    about: 'Responds with 422 if `request_id` is not a UUID.',
    violates: ['billing/request-id-uuid', 'billing/request-id-dashes'],
    setup: withDecisions(applyWhere(allOf(onOperation('record'), isInvalidParameter), setStatus(422))),
  },
  {
    id: 'billing/record-absent-400',
    about:
      'Responds with 400 if a request record does not exist, and with 404 if the record belongs to another account.',
    violates: ['billing/record-absent', 'billing/record-hidden'],
    setup: withDecisions(
      applyWhere(
        allOf(isUnknownRecord, not(asksForForeignRecord)),
        combineOverrides(setStatus(400), setCode('invalid_request')),
      ),
    ),
  },
  {
    id: 'billing/record-absent-500',
    about: 'Responds with 500 if a request record does not exist.',
    violates: ['billing/record-absent'],
    setup: withDecisions(
      applyWhere(
        allOf(isUnknownRecord, not(asksForForeignRecord)),
        combineOverrides(setStatus(500), setCode('internal_error')),
      ),
    ),
  },
  {
    id: 'billing/record-foreign-by-key',
    about: 'Shows the request records of all accounts to the key `foreign`.',
    violates: ['billing/record-foreign', 'billing/record-hidden'],
    setup: withDecisions(applyWhere(allOf(onOperation('record'), withKey('foreign')), showAllRecords)),
  },
  {
    id: 'billing/record-foreign-by-header',
    about: 'Shows the request records of all accounts if the key is in `x-api-key`.',
    violates: ['billing/record-foreign', 'billing/record-hidden'],
    setup: withDecisions(applyWhere(allOf(onOperation('record'), byHeader('x-api-key')), showAllRecords)),
  },
  {
    id: 'billing/record-foreign-to-one-key-403',
    about: 'Responds with 403 to the key `foreign` if a request record belongs to another account.',
    violates: ['billing/record-foreign', 'billing/record-hidden'],
    setup: withDecisions(
      applyWhere(allOf(isUnknownRecord, asksForForeignRecord, withKey('foreign')), setStatus(403)),
    ),
  },
  {
    id: 'billing/range-reversed-crashes',
    about: 'Responds to a reversed time range with 500.',
    violates: ['billing/range-reversed'],
    setup: withDecisions((base) => ({
      isRange: (start, end, ctx) => {
        if (base.isRange(start, end, ctx)) return true;
        throw new Error('negative interval');
      },
    })),
  },
  {
    id: 'billing/end-ignored-if-no-time',
    about: 'Ignores an end time that cannot be parsed.',
    violates: ['billing/time-unparseable'],
    setup: withDecisions((base) => ({
      timeOf: (time, ctx) =>
        base.timeOf(time, ctx) ?? (ctx.request.query.get('end_time') === time ? ctx.now : undefined),
    })),
  },
  {
    id: 'billing/time-unparseable-crashes',
    about: 'Responds with 500 if a time cannot be parsed.',
    violates: ['billing/time-unparseable'],
    setup: withDecisions((base) => ({
      timeOf: (time, ctx) => {
        const known = base.timeOf(time, ctx);
        if (known === undefined) throw new Error('Invalid time value');
        return known;
      },
    })),
  },
  {
    id: 'billing/time-unparseable-404',
    about: 'Responds with 404 if the start time cannot be parsed.',
    violates: ['billing/time-unparseable'],
    setup: withDecisions(
      applyWhere(
        allOf(onOperation('usage'), isInvalidParameter, hasQuery('start_time', /\D/)),
        combineOverrides(setStatus(404), setCode('not_found')),
      ),
    ),
  },
  {
    id: 'billing/internal-error-502',
    about: 'Responds with 502 instead of 500 on the operation `internalError`.',
    violates: ['billing/internal-error'],
    setup: withDecisions(
      applyWhere(onOperation('internalError'), applyWhere(refusedFor('internal'), setStatus(502))),
    ),
  },
];
