import { withDecisions } from '../combine-setups.ts';
import type { Overrides } from '../gateway/decisions.ts';
import { readSeed } from '../gateway/seed.ts';
import { findRecordById } from '../gateway/state.ts';
import type { Variant } from './variant.ts';

const setRequestIdCheck =
  (isRequestId: (text: string) => boolean): Overrides =>
  () => ({ isRequestId });

const bare = (text: string): string => text.replace(/[{}-]/g, '').toLowerCase();

/**
 * Variants of billing-type endpoints: sections 2.3, 2.4 and 7.2 leave these choices open. Variants of paths and of time
 * formats are in paths-and-parameters.ts.
 */
export const billingVariants: readonly Variant[] = [
  {
    id: 'billing/strict-uuids',
    about: 'Accepts only lower-case UUIDs of version 4 as `request_id`.',
    warns: ['billing/request-id-case'],
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
