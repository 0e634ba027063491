import { withDecisions } from '../combine-setups.ts';
import type { Context, ErrorFields, RequestFailure } from '../gateway/context.ts';
import type { Decisions, Overrides } from '../gateway/decisions.ts';
import { readSeed } from '../gateway/seed.ts';
import { findRecordById } from '../gateway/state.ts';
import type { Json } from '../json.ts';
import { createTextContent, isAuthFailure, withContent } from './responses.ts';
import type { Variant } from './variant.ts';

const isAuth = (failure: RequestFailure): boolean =>
  failure.kind === 'missing-credential' || failure.kind === 'bad-key';

const setAuthCode =
  (code: string): Overrides =>
  (base) => ({ errorCodeOf: (failure, ctx) => (isAuth(failure) ? code : base.errorCodeOf(failure, ctx)) });

/** Replaces the body of 401 errors of billing-type endpoints. */
const setAuthBody =
  (create: (refusal: ErrorFields, ctx: Context) => Json): Overrides =>
  (base) => ({
    createBillingErrorBody: (refusal, ctx) =>
      (isAuth(refusal.failure) ? create : base.createBillingErrorBody)(refusal, ctx),
  });

const setRequestIdCheck =
  (isRequestId: (text: string) => boolean): Overrides =>
  () => ({ isRequestId });

const bare = (text: string): string => text.replace(/[{}-]/g, '').toLowerCase();

const sendInModelForm: Overrides = (base) => ({
  chooseErrorShape: (ctx) => (isAuthFailure(ctx) ? 'model' : base.chooseErrorShape(ctx)),
});

const setSuccessBody =
  (mediaType: string, text: (ctx: Context, base: Decisions) => string): Overrides =>
  (base) => ({
    finish: (response, ctx) =>
      ctx.surface === 'billing' && !ctx.failure
        ? withContent(response, createTextContent(mediaType, text(ctx, base)))
        : response,
  });

/**
 * Variants of billing-type endpoints: sections 2.3, 2.4 and 7.2 leave these choices open. Variants of paths and of time
 * formats are in paths-and-parameters.ts.
 */
export const billingVariants: readonly Variant[] = [
  {
    id: 'billing/refused-keys-in-model-shape',
    about: 'Sends 401 errors of billing-type endpoints in the form of model endpoints.',
    setup: withDecisions(sendInModelForm),
  },
  {
    id: 'billing/refused-keys-coded-by-type',
    about: 'Sends the type of section 5 as the code of 401 errors of billing-type endpoints.',
    setup: withDecisions((base) => ({
      errorCodeOf: (failure, ctx) =>
        isAuth(failure) ? base.errorTypeOf(failure, ctx) : base.errorCodeOf(failure, ctx),
    })),
  },
  {
    id: 'billing/refused-keys-coded-by-number',
    about: 'Sends the string `401` as the code of 401 errors of billing-type endpoints.',
    setup: withDecisions(setAuthCode('401')),
  },
  {
    id: 'billing/refused-keys-coded-as-invalid',
    about: 'Sends `invalid_request` as the code of 401 errors of billing-type endpoints.',
    warns: ['auth/billing-code-of-401'],
    setup: withDecisions(setAuthCode('invalid_request')),
  },
  {
    id: 'billing/refused-keys-in-either-shape',
    about:
      'Sends 401 errors of billing-type endpoints in the form of model endpoints to every second request.',
    setup: withDecisions((base) => ({
      chooseErrorShape: (ctx) =>
        isAuthFailure(ctx) && ctx.surface === 'billing' && ctx.number % 2 === 0
          ? 'model'
          : base.chooseErrorShape(ctx),
    })),
  },
  {
    id: 'billing/refused-keys-by-code',
    about: 'Sends 401 errors of billing-type endpoints with a code and a message, without a type.',
    setup: withDecisions(setAuthBody(({ code, message }) => ({ error: { code, message } }))),
  },
  {
    id: 'billing/refused-keys-by-type',
    about: 'Sends 401 errors of billing-type endpoints with only a type.',
    setup: withDecisions(setAuthBody(({ type }) => ({ error: { type } }))),
  },
  {
    id: 'billing/refused-keys-with-both',
    about:
      'Sends 401 errors of billing-type endpoints with all members of sections 2.2 and 2.3, a string as the code, and further members.',
    setup: withDecisions(
      setAuthBody(({ type, code, message }, { traceId }) => ({
        error: { type, code, message, details: null, param: null },
        trace_id: traceId,
        success: false,
      })),
    ),
  },
  {
    id: 'billing/strict-uuids',
    about: 'Accepts only lower-case UUIDs of version 4 as `request_id`.',
    setup: withDecisions(
      setRequestIdCheck((text) =>
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(text),
      ),
    ),
  },
  {
    id: 'billing/lenient-uuids',
    about:
      'Accepts a UUID as `request_id` in braces, in upper case, or with dashes missing or at other positions.',
    warns: ['billing/request-id-dashes'],
    setup: withDecisions(setRequestIdCheck((text) => /^[0-9a-f]{32}$/.test(bare(text)))),
  },
  {
    id: 'billing/urn-uuids',
    about: 'Accepts a UUID as `request_id` in the format of a URN, and rejects the nil UUID.',
    setup: withDecisions((base) => ({
      isRequestId: (text, ctx) =>
        !/^[0-]+$/.test(text) && base.isRequestId(text.replace(/^urn:uuid:/i, ''), ctx),
    })),
  },
  {
    id: 'billing/upper-case-records',
    about:
      'Has request records whose IDs are upper-case UUIDs of version 7, and finds the IDs in upper and lower case.',
    setup: () => {
      const seed = readSeed();
      return {
        seed: {
          ...seed,
          records: {
            own: { ...seed.records.own, id: '0190B3C4-5D6E-7F80-9A1B-2C3D4E5F6A7B' },
            foreign: { ...seed.records.foreign, id: '0190B3C4-5D6E-7F80-9A1B-2C3D4E5F6A7C' },
          },
        },
        decisions: () => ({
          findRecord: (id, ctx) =>
            findRecordById(ctx.state, id.toUpperCase()) ?? findRecordById(ctx.state, id),
        }),
      };
    },
  },
  {
    id: 'billing/latest-record-by-default',
    about: 'Shows the latest request record of the account if `request_id` is missing.',
    setup: withDecisions((base) => ({
      parameterOf: (name, ctx) =>
        base.parameterOf(name, ctx) ??
        (name === 'request_id'
          ? ctx.state.records.findLast((record) => base.mayRead(record, ctx))?.id
          : undefined),
    })),
  },
  {
    id: 'billing/absent-and-foreign-worded-apart',
    about: 'Sends a message with the ID and the time if a request record cannot be read.',
    setup: withDecisions((base) => ({
      errorMessageOf: (failure, ctx) =>
        failure.kind === 'unknown-record'
          ? `You cannot read ${base.parameterOf('request_id', ctx)} at ${ctx.now}.`
          : base.errorMessageOf(failure, ctx),
    })),
  },
  {
    id: 'billing/usage-as-csv',
    about: 'Sends usage, balance and request records as comma-separated values.',
    setup: withDecisions(
      setSuccessBody('text/csv', (ctx) => `time,account\n${ctx.now},${ctx.key?.account}\n`),
    ),
  },
  {
    id: 'billing/scalars',
    about: 'Responds to valid billing-type requests with only a number.',
    setup: withDecisions(setSuccessBody('application/json', () => '42.50')),
  },
  {
    id: 'billing/errors-in-data',
    about:
      'Responds to valid billing-type requests with an error next to data, or with the error of a recorded call.',
    setup: withDecisions(
      setSuccessBody('application/json', ({ operation }) =>
        JSON.stringify({
          error: { code: 'upstream_error', message: 'The last call failed.' },
          ...(operation?.id !== 'record' && { balance: 42 }),
        }),
      ),
    ),
  },
  {
    id: 'billing/no-content',
    about: 'Responds to valid billing-type requests with 204 and no body.',
    setup: withDecisions(() => ({
      finish: (response, ctx) =>
        ctx.surface === 'billing' && !ctx.failure
          ? { ...response, status: 204, content: { kind: 'nothing' } }
          : response,
    })),
  },
  {
    id: 'billing/empty-range-refused',
    about: 'Rejects a time range whose start equals its end.',
    setup: withDecisions(() => ({ isRange: (start, end) => start < end })),
  },
  {
    id: 'billing/no-future',
    about:
      'Rejects a time range that ends after the current time of the gateway, whose clock is twenty seconds slow.',
    setup: withDecisions((base) => ({
      isRange: (start, end, ctx) => base.isRange(start, end, ctx) && end <= ctx.now - 20_000,
    })),
  },
  {
    id: 'billing/one-day-at-most',
    about: 'Rejects a time range that is longer than a day.',
    setup: withDecisions((base) => ({
      isRange: (start, end, ctx) => base.isRange(start, end, ctx) && end - start <= 86_400_000,
    })),
  },
  {
    id: 'billing/end-defaults-to-now',
    about: 'Accepts a time range without a start or an end.',
    setup: withDecisions((base) => ({
      parameterOf: (name, ctx) =>
        base.parameterOf(name, ctx) ??
        (name === 'end' ? String(Math.floor(ctx.now / 1000)) : name === 'start' ? '0' : undefined),
    })),
  },
];
