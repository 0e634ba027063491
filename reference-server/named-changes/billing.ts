import type { Context, RequestFailure } from '../gateway/context.ts';
import type { Overrides } from '../gateway/decisions.ts';
import { findRecordById } from '../gateway/state.ts';
import type { NamedChanges } from './named-change.ts';

/** Reads a request ID after it is rewritten. */
const rewriteRequestId =
  (rewrite: (id: string) => string): Overrides =>
  (base) => ({ isRequestId: (id, ctx) => base.isRequestId(rewrite(id), ctx) });

/** Reads a time also by another parser, whose NaN means that it is no time. */
const alsoParseTime =
  (parse: (text: string) => number): Overrides =>
  (base) => ({
    timeOf(text, ctx) {
      const time = base.timeOf(text, ctx) ?? parse(text);
      return Number.isNaN(time) ? undefined : time;
    },
  });

const isForeign = (failure: RequestFailure, { state, request }: Context): boolean =>
  failure.kind === 'unknown-record' &&
  findRecordById(state, request.query.get('request_id') ?? '') !== undefined;

/** Changes of request records, time ranges and the rate limit. */
export const billingChanges: NamedChanges = {
  'request-id-of-36-characters': {
    about: 'any 36 hexadecimal digits and dashes in lower case are a request ID',
    decisions: (base) => ({
      isRequestId: (id, ctx) => base.isRequestId(id, ctx) || /^[0-9a-f-]{36}$/.test(id),
    }),
  },
  'request-id-in-lower-case': {
    about: 'a request ID has no upper-case letters',
    decisions: (base) => ({ isRequestId: (id, ctx) => !/[A-F]/.test(id) && base.isRequestId(id, ctx) }),
  },
  'record-found-with-its-case': {
    about: 'a request record is looked up with the case of its ID',
    decisions: () => ({ findRecord: (id, ctx) => findRecordById(ctx.state, id) }),
  },
  'request-id-with-more-after-it': {
    about: 'a request ID can have more characters after it',
    decisions: (base) => ({ isRequestId: (id, ctx) => base.isRequestId(id.slice(0, 36), ctx) }),
  },
  'request-id-before-a-line-break': {
    about: 'a line break after a request ID is ignored, as by $ in a Python pattern',
    decisions: rewriteRequestId((id) => id.replace(/\n$/, '')),
  },
  'request-id-in-any-brackets': {
    about: 'the first and last of 38 characters are ignored, as in the Go package google/uuid',
    decisions: rewriteRequestId((id) => (id.length === 38 ? id.slice(1, -1) : id)),
  },
  'request-id-with-full-width-digits': {
    about: 'full-width digits in a request ID are digits, as in the Python class UUID',
    decisions: rewriteRequestId((id) => id.replace(/[０-９]/g, (digit) => digit.normalize('NFKC'))),
  },
  'request-id-with-other-dashes': {
    about: 'the dashes of a request ID can be anywhere, as in the Python class UUID',
    decisions: rewriteRequestId((id) =>
      id.length === 36
        ? id.replaceAll('-', '').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
        : id,
    ),
  },
  'foreign-record-forbidden': {
    about: 'a request record is looked up before its owner, and refused to others with 403',
    decisions: (base) => ({
      errorStatusOf: (failure, ctx) => (isForeign(failure, ctx) ? 403 : base.errorStatusOf(failure, ctx)),
    }),
  },
  'foreign-record-coded': {
    about: 'a request record of another account has a code of its own, not_accessible',
    decisions: (base) => ({
      errorCodeOf: (failure, ctx) =>
        isForeign(failure, ctx) ? 'not_accessible' : base.errorCodeOf(failure, ctx),
    }),
  },
  'unreadable-start-ignored': {
    about: 'a start that is no time is 1970-01-01',
    decisions: (base) => ({
      timeOf: (text, ctx) =>
        base.timeOf(text, ctx) ?? (ctx.request.query.get('start_time') === text ? 0 : undefined),
    }),
  },
  'time-before-letters': {
    about: 'what follows the digits of a time is ignored, as by parseInt in JavaScript',
    decisions: alsoParseTime((text) => Number.parseInt(text, 10) * 1000),
  },
  'time-as-any-number': {
    about: 'each text that JavaScript converts to a number is a time',
    decisions: alsoParseTime(Number),
  },
  'date-rolled-over': {
    about: 'a day that the month lacks is a day of the next month',
    decisions: alsoParseTime((text) =>
      /^\d{4}-\d\d-\d\dT[\d:]+Z$/.test(text) ? Date.parse(text) : Number.NaN,
    ),
  },
  'range-with-tolerance': {
    about: 'a time range can be reversed by ten seconds, for clocks that differ',
    decisions: () => ({ isRange: (start, end) => start - end < 10_000 }),
  },
  'range-compared-as-texts': {
    about: 'the two times of a range are compared as texts',
    decisions: () => ({ isRange: (start, end) => String(start) <= String(end) }),
  },
  'limit-for-all-keys': {
    about: '20 billing-type requests in 300 ms are the limit of all keys together',
    decisions: () => {
      let times: number[] = [];
      return {
        grantRequest({ now }) {
          times = times.filter((time) => now - time < 300);
          if (times.length >= 20) return { kind: 'refused', retryAfter: 0 };
          times.push(now);
          return { kind: 'granted' };
        },
      };
    },
  },
};
