import type { Decisions, Overrides } from '../decisions/index.ts';
import type { Context } from '../gateway/context.ts';
import type { Failure } from '../gateway/failure.ts';
import { readSeed } from '../gateway/seed.ts';
import { recordOf } from '../gateway/state.ts';
import { isAuthFailure, textContent, withContent } from './answers.ts';
import { deciding, type Variant } from './variant.ts';

const isAuth = (failure: Failure): boolean =>
  failure.kind === 'missing-credential' || failure.kind === 'bad-key';

const authCode =
  (code: string): Overrides =>
  (base) => ({ codeOf: (failure, ctx) => (isAuth(failure) ? code : base.codeOf(failure, ctx)) });

/** A gateway that decides itself what is a request id. */
const identifiers =
  (isRequestId: (text: string) => boolean): Overrides =>
  () => ({ isRequestId });

const bare = (text: string): string => text.replace(/[{}-]/g, '').toLowerCase();

const inModelShape: Overrides = (base) => ({
  errorShape: (ctx) => (isAuthFailure(ctx) ? 'model' : base.errorShape(ctx)),
});

const success =
  (mediaType: string, text: (ctx: Context, base: Decisions) => string): Overrides =>
  (base) => ({
    finish: (answer, ctx) =>
      ctx.surface === 'billing' && !ctx.failure
        ? withContent(answer, textContent(mediaType, text(ctx, base)))
        : answer,
  });

/** What sections 2.3, 2.4 and 7.2 leave open about billing-type endpoints; places and formats are in places.ts. */
export const billingVariants: readonly Variant[] = [
  {
    id: 'billing/refused-keys-in-model-shape',
    about: 'Sends 401 errors of billing-type endpoints in the form of model endpoints.',
    setup: deciding(inModelShape),
  },
  {
    id: 'billing/refused-keys-coded-by-type',
    about: 'Sends the type of section 5 as the code of a 401.',
    setup: deciding((base) => ({
      codeOf: (failure, ctx) => (isAuth(failure) ? base.typeOf(failure, ctx) : base.codeOf(failure, ctx)),
    })),
  },
  {
    id: 'billing/refused-keys-coded-by-number',
    about: 'Sends a string of digits as the code of a 401.',
    setup: deciding(authCode('401')),
  },
  {
    id: 'billing/refused-keys-coded-as-invalid',
    about: 'Sends `invalid_request` as the code of a 401.',
    setup: deciding(authCode('invalid_request')),
  },
  {
    id: 'billing/refused-keys-in-either-shape',
    about: 'Sends 401 errors of billing-type endpoints in either form, depending on the node.',
    setup: deciding((base) => ({
      errorShape: (ctx) =>
        isAuthFailure(ctx) && ctx.surface === 'billing' && ctx.number % 2 === 0
          ? 'model'
          : base.errorShape(ctx),
    })),
  },
  {
    id: 'billing/strict-uuids',
    about: 'Accepts only a lower-case UUID of version 4 as `request_id`.',
    setup: deciding(
      identifiers((text) =>
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(text),
      ),
    ),
  },
  {
    id: 'billing/lenient-uuids',
    about: 'Accepts a UUID as `request_id` in braces, without dashes and in upper case.',
    setup: deciding(identifiers((text) => /^[0-9a-f]{32}$/.test(bare(text)))),
  },
  {
    id: 'billing/urn-uuids',
    about: 'Accepts a UUID as `request_id` in the form of a URN, and refuses the nil UUID.',
    setup: deciding((base) => ({
      isRequestId: (text, ctx) =>
        !/^[0-]+$/.test(text) && base.isRequestId(text.replace(/^urn:uuid:/i, ''), ctx),
    })),
  },
  {
    id: 'billing/upper-case-records',
    about: 'Issues request IDs in upper case, with version 7, and finds them in any case.',
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
          findRecord: (id, ctx) => recordOf(ctx.state, id.toUpperCase()) ?? recordOf(ctx.state, id),
        }),
      };
    },
  },
  {
    id: 'billing/latest-record-by-default',
    about: 'Shows the latest request record of the account if `request_id` is missing.',
    setup: deciding((base) => ({
      parameterOf: (name, ctx) =>
        base.parameterOf(name, ctx) ??
        (name === 'request_id'
          ? ctx.state.records.findLast((record) => base.mayRead(record, ctx))?.id
          : undefined),
    })),
  },
  {
    id: 'billing/absent-and-foreign-worded-apart',
    about: 'Sends a different message for each request record that it does not show.',
    setup: deciding((base) => ({
      messageOf: (failure, ctx) =>
        failure.kind === 'unknown-record'
          ? `There is nothing for ${base.parameterOf('request_id', ctx)} to be seen by you at ${ctx.now}.`
          : base.messageOf(failure, ctx),
    })),
  },
  {
    id: 'billing/usage-as-csv',
    about: 'Answers usage, balance and request records with comma-separated values.',
    setup: deciding(success('text/csv', (ctx) => `time,account\n${ctx.now},${ctx.key?.account}\n`)),
  },
  {
    id: 'billing/scalars',
    about: 'Answers billing-type requests with a bare number.',
    setup: deciding(success('application/json', () => '42.50')),
  },
  {
    id: 'billing/no-content',
    about: 'Answers billing-type requests with 204 and no body.',
    setup: deciding(() => ({
      finish: (answer, ctx) =>
        ctx.surface === 'billing' && !ctx.failure
          ? { ...answer, status: 204, content: { kind: 'nothing' } }
          : answer,
    })),
  },
  {
    id: 'billing/empty-range-refused',
    about: 'Refuses a time range whose start equals its end.',
    setup: deciding(() => ({ isRange: (start, end) => start < end })),
  },
  {
    id: 'billing/no-future',
    about: 'Refuses a time range that ends after the clock of the gateway, which is twenty seconds slow.',
    setup: deciding((base) => ({
      isRange: (start, end, ctx) => base.isRange(start, end, ctx) && end <= ctx.now - 20_000,
    })),
  },
  {
    id: 'billing/one-day-at-most',
    about: 'Refuses a time range that is longer than a day.',
    setup: deciding((base) => ({
      isRange: (start, end, ctx) => base.isRange(start, end, ctx) && end - start <= 86_400_000,
    })),
  },
  {
    id: 'billing/end-defaults-to-now',
    about: 'Accepts a time range without a start or an end.',
    setup: deciding((base) => ({
      parameterOf: (name, ctx) =>
        base.parameterOf(name, ctx) ??
        (name === 'end' ? String(Math.floor(ctx.now / 1000)) : name === 'start' ? '0' : undefined),
    })),
  },
];
