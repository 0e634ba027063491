import { withDecisions } from '../combine-setups.ts';
import type { Context } from '../gateway/context.ts';
import type { Overrides } from '../gateway/decisions.ts';
import { inFamily, isStreamed, not } from './conditions.ts';
import type { Fault } from './fault.ts';
import { applyWhere } from './overrides.ts';

const renameModels = (rename: (id: string) => string): Overrides =>
  applyWhere(not(isStreamed), (base) => ({
    findModel: (id, ctx) => base.findModel(id, ctx) ?? base.findModel(rename(id), ctx),
  }));
const detectImages =
  (isSeen: (body: string) => boolean): Overrides =>
  (base) => ({ hasImage: (ctx) => base.hasImage(ctx) && isSeen(JSON.stringify(ctx.body)) });
const acceptRequestIds =
  (rewrite: (id: string) => string): Overrides =>
  (base) => ({ isRequestId: (id, ctx) => base.isRequestId(rewrite(id), ctx) });
const acceptTimes =
  (timeOf: (text: string, ctx: Context) => number): Overrides =>
  (base) => ({
    timeOf: (text, ctx) => {
      const time = base.timeOf(text, ctx) ?? timeOf(text, ctx);
      return Number.isNaN(time) ? undefined : time;
    },
  });

const isEnd = (text: string, { request }: Context): boolean => request.query.get('end_time') === text;

/**
 * Faults in which the gateway accepts some of the models, images, request IDs and time ranges that the gateway must
 * refuse, or refuses such values with the wrong status.
 */
export const nearMissValueFaults: readonly Fault[] = [
  {
    id: 'near-miss/model-before-an-at-sign',
    about: 'Ignores an at sign in a model ID and the rest of the ID in non-streamed calls.',
    violates: ['models/unlisted'],
    setup: withDecisions(renameModels((id) => id.replace(/@.*/, ''))),
  },
  {
    id: 'near-miss/model-before-an-at-sign-in-a-path',
    about: 'Ignores an at sign in a model ID and the rest of the ID in non-streamed calls of family C.',
    violates: ['models/unlisted'],
    setup: withDecisions(
      applyWhere(
        inFamily('C'),
        renameModels((id) => id.replace(/@.*/, '')),
      ),
    ),
  },
  {
    id: 'near-miss/image-without-text',
    about: 'Detects images only in requests that also contain the text `What colour`.',
    violates: ['models/image-to-text-only', 'streams/error-before-start', 'streams/image-to-text-only'],
    setup: withDecisions(detectImages((body) => /What colour/.test(body))),
  },
  {
    id: 'near-miss/request-id-with-an-extension',
    about: 'Ignores the first dot in a `request_id` and the rest of the ID.',
    violates: ['billing/request-id-uuid'],
    setup: withDecisions(acceptRequestIds((id) => id.replace(/\..*/, ''))),
  },
  {
    id: 'near-miss/range-of-a-year',
    about: 'Accepts a time range that is reversed by more than two days.',
    violates: ['billing/range-reversed'],
    setup: withDecisions((base) => ({
      isRange: (start, end, ctx) => start - end > 172_800_000 || base.isRange(start, end, ctx),
    })),
  },
  {
    id: 'near-miss/end-with-letters',
    about: 'Ignores letters after the digits of the end of a time range, but not of its start.',
    violates: ['billing/time-unparseable'],
    setup: withDecisions(
      acceptTimes((text, ctx) => (isEnd(text, ctx) ? Number.parseInt(text, 10) * 1000 : Number.NaN)),
    ),
  },
  {
    id: 'near-miss/infinite-start',
    about: 'Reads the time `Infinity` as 1970-01-01T00:00:00Z.',
    violates: ['billing/time-unparseable'],
    setup: withDecisions(acceptTimes((text) => (text === 'Infinity' ? 0 : Number.NaN))),
  },
  {
    id: 'near-miss/month-13',
    about: 'Accepts month 13 in a date, and reads the date as the current time.',
    violates: ['billing/time-unparseable'],
    setup: withDecisions(acceptTimes((text, { now }) => (/^\d{4}-13-\d\d/.test(text) ? now : Number.NaN))),
  },
];
