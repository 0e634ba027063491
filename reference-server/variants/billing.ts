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
    about: 'A 401 of a billing-type endpoint has the shape of model endpoints.',
    setup: deciding(inModelShape),
  },
  {
    id: 'billing/refused-keys-coded-by-type',
    about: 'The code of a 401 is the type of section 5.',
    setup: deciding((base) => ({
      codeOf: (failure, ctx) => (isAuth(failure) ? base.typeOf(failure, ctx) : base.codeOf(failure, ctx)),
    })),
  },
  {
    id: 'billing/refused-keys-coded-by-number',
    about: 'The code of a 401 is a text of digits.',
    setup: deciding(authCode('401')),
  },
  {
    id: 'billing/refused-keys-coded-as-invalid',
    about: 'The code of a 401 is `invalid_request`.',
    setup: deciding(authCode('invalid_request')),
  },
  {
    id: 'billing/refused-keys-in-either-shape',
    about: 'The shape of a 401 changes from node to node.',
    setup: deciding((base) => ({
      errorShape: (ctx) =>
        isAuthFailure(ctx) && ctx.surface === 'billing' && ctx.number % 2 === 0
          ? 'model'
          : base.errorShape(ctx),
    })),
  },
  {
    id: 'billing/strict-uuids',
    about: 'A request id must be a UUID of version 4 in lower case.',
    setup: deciding(
      identifiers((text) =>
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(text),
      ),
    ),
  },
  {
    id: 'billing/lenient-uuids',
    about: 'A request id may be a UUID in any writing: braced, without dashes, in upper case.',
    setup: deciding(identifiers((text) => /^[0-9a-f]{32}$/.test(bare(text)))),
  },
  {
    id: 'billing/urn-uuids',
    about: 'A request id may be a UUID as a URN; the nil UUID is none.',
    setup: deciding((base) => ({
      isRequestId: (text, ctx) =>
        !/^[0-]+$/.test(text) && base.isRequestId(text.replace(/^urn:uuid:/i, ''), ctx),
    })),
  },
  {
    id: 'billing/upper-case-records',
    about: 'Request ids are in upper case and of version 7, and found in any case.',
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
    about: 'Without a request id the latest record of the caller is shown.',
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
    about: 'A record of another account is refused in other words than one that does not exist.',
    setup: deciding((base) => ({
      messageOf: (failure, ctx) =>
        failure.kind === 'unknown-record'
          ? `There is nothing for ${base.parameterOf('request_id', ctx)} to be seen by you at ${ctx.now}.`
          : base.messageOf(failure, ctx),
    })),
  },
  {
    id: 'billing/usage-as-csv',
    about: 'Usage, balance and records are tables of comma-separated values.',
    setup: deciding(success('text/csv', (ctx) => `time,account\n${ctx.now},${ctx.key?.account}\n`)),
  },
  {
    id: 'billing/scalars',
    about: 'A billing-type endpoint answers with a bare number.',
    setup: deciding(success('application/json', () => '42.50')),
  },
  {
    id: 'billing/no-content',
    about: 'A billing-type endpoint answers 204, with nothing.',
    setup: deciding(() => ({
      finish: (answer, ctx) =>
        ctx.surface === 'billing' && !ctx.failure
          ? { ...answer, status: 204, content: { kind: 'nothing' } }
          : answer,
    })),
  },
  {
    id: 'billing/empty-range-refused',
    about: 'A range must end after it starts; one that is empty is refused.',
    setup: deciding(() => ({ isRange: (start, end) => start < end })),
  },
  {
    id: 'billing/no-future',
    about: 'A range must not end later than the gateway’s clock, which is twenty seconds slow.',
    setup: deciding((base) => ({
      isRange: (start, end, ctx) => base.isRange(start, end, ctx) && end <= ctx.now - 20_000,
    })),
  },
  {
    id: 'billing/one-day-at-most',
    about: 'A range must not be longer than a day.',
    setup: deciding((base) => ({
      isRange: (start, end, ctx) => base.isRange(start, end, ctx) && end - start <= 86_400_000,
    })),
  },
  {
    id: 'billing/end-defaults-to-now',
    about: 'Either end of the range may be left out.',
    setup: deciding((base) => ({
      parameterOf: (name, ctx) =>
        base.parameterOf(name, ctx) ??
        (name === 'end' ? String(Math.floor(ctx.now / 1000)) : name === 'start' ? '0' : undefined),
    })),
  },
];
