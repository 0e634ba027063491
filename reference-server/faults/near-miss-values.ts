import { withDecisions } from '../combine-setups.ts';
import type { Context } from '../gateway/context.ts';
import type { Overrides } from '../gateway/decisions.ts';
import { inFamily, isStreamed, not, onOperation } from './conditions.ts';
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
const crashOnModels = (isHit: (id: string) => boolean): Overrides =>
  applyWhere(not(isStreamed), (base) => ({
    findModel: (id, ctx) => {
      if (isHit(id)) throw new Error('a defect');
      return base.findModel(id, ctx);
    },
  }));

const severalMismatched = {
  messages: { good: 'claude-reference', mismatched: ['gpt-reference', 'gemini-reference'] },
};

/**
 * Faults in which the gateway accepts some of the models, images, request IDs and time ranges that the gateway must
 * refuse, or refuses such values with the wrong status.
 */
export const nearMissValueFaults: readonly Fault[] = [
  {
    id: 'near-miss/model-before-a-colon',
    about: 'Ignores a colon in a model ID and the rest of the ID in non-streamed calls.',
    violates: ['models/unlisted'],
    setup: withDecisions(renameModels((id) => id.replace(/:.*/, ''))),
  },
  {
    id: 'near-miss/model-with-a-quote-crash',
    about: 'Responds with 500 to a model ID with a quotation mark in non-streamed chat calls.',
    violates: ['models/unusual-id'],
    setup: withDecisions(
      applyWhere(
        onOperation('chat'),
        crashOnModels((id) => id.includes('"')),
      ),
    ),
  },
  {
    id: 'near-miss/long-model-crash',
    about: 'Responds with 500 to a model ID of more than 255 characters in non-streamed calls of family B.',
    violates: ['models/unusual-id'],
    setup: withDecisions(
      applyWhere(
        inFamily('B'),
        crashOnModels((id) => id.length > 255),
      ),
    ),
  },
  {
    id: 'near-miss/model-outside-ascii-crash',
    about: 'Responds with 500 to non-streamed calls to a model whose ID has letters outside ASCII.',
    violates: ['models/unusual-id'],
    setup: withDecisions(crashOnModels((id) => /[^\x20-\x7e]/.test(id))),
  },
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
    id: 'near-miss/model-after-a-slash',
    about: 'Ignores everything before the last slash of a model ID in non-streamed calls.',
    violates: ['models/unlisted'],
    setup: withDecisions(renameModels((id) => id.replace(/.*\//, ''))),
  },
  {
    id: 'near-miss/second-mismatched-model',
    about: 'Accepts Gemini models in family B, for which the profile lists two mismatched models.',
    violates: ['models/mismatched', 'streams/mismatched-model', 'streams/error-before-start'],
    setup: () => ({
      profile: { models: severalMismatched },
      decisions: (base) => ({
        supportsProtocol: (model, ctx) =>
          base.supportsProtocol(model, ctx) || (ctx.family === 'B' && model.id.startsWith('gemini')),
      }),
    }),
  },
  {
    id: 'near-miss/image-by-its-address',
    about: 'Detects only images in base64.',
    violates: ['models/image-to-text-only', 'streams/error-before-start', 'streams/image-to-text-only'],
    setup: withDecisions(detectImages((body) => /base64|"data"/.test(body))),
  },
  {
    id: 'near-miss/image-as-jpeg',
    about: 'Detects images only in bodies that contain `png`.',
    violates: ['models/image-to-text-only', 'streams/error-before-start', 'streams/image-to-text-only'],
    setup: withDecisions(detectImages((body) => /png/.test(body))),
  },
  {
    id: 'near-miss/image-in-snake-case',
    about: 'Detects no images in bodies that contain `inline_data`.',
    violates: ['models/image-to-text-only', 'streams/error-before-start', 'streams/image-to-text-only'],
    setup: withDecisions(detectImages((body) => !body.includes('inline_data'))),
  },
  {
    id: 'near-miss/image-without-text',
    about: 'Detects images only in requests that also contain the text `What colour`.',
    violates: ['models/image-to-text-only', 'streams/error-before-start', 'streams/image-to-text-only'],
    setup: withDecisions(detectImages((body) => /What colour/.test(body))),
  },
  {
    id: 'near-miss/request-id-empty',
    about: 'Responds with 404 instead of 400 if `request_id` is empty.',
    violates: ['billing/request-id-uuid'],
    setup: withDecisions((base) => ({ isRequestId: (id, ctx) => id === '' || base.isRequestId(id, ctx) })),
  },
  {
    id: 'near-miss/request-id-with-a-line-break',
    about: 'Accepts a line break after a `request_id`, as `$` in a Python pattern does.',
    violates: ['billing/request-id-uuid'],
    setup: withDecisions(acceptRequestIds((id) => id.replace(/\n$/, ''))),
  },
  {
    id: 'near-miss/request-id-in-other-brackets',
    about:
      'Ignores the characters around a `request_id` of 38 characters, as the Go package `google/uuid` does.',
    violates: ['billing/request-id-uuid'],
    setup: withDecisions(acceptRequestIds((id) => (id.length === 38 ? id.slice(1, -1) : id))),
  },
  {
    id: 'near-miss/request-id-with-full-width-digits',
    about: 'Accepts full-width digits in a `request_id`, as the Python class `UUID` does.',
    violates: ['billing/request-id-uuid'],
    setup: withDecisions(
      acceptRequestIds((id) => id.replace(/[０-９]/g, (digit) => digit.normalize('NFKC'))),
    ),
  },
  {
    id: 'near-miss/request-id-with-an-extension',
    about: 'Ignores the first dot in a `request_id` and the rest of the ID.',
    violates: ['billing/request-id-uuid'],
    setup: withDecisions(acceptRequestIds((id) => id.replace(/\..*/, ''))),
  },
  {
    id: 'near-miss/request-id-with-other-dashes',
    about: 'Ignores the positions of the dashes in a `request_id`, as the Python class `UUID` does.',
    violates: ['billing/request-id-dashes'],
    setup: withDecisions(
      acceptRequestIds((id) =>
        id.length === 36
          ? id.replaceAll('-', '').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
          : id,
      ),
    ),
  },
  {
    id: 'near-miss/range-of-a-second',
    about: 'Accepts a time range that is reversed by less than ten seconds.',
    violates: ['billing/range-reversed'],
    setup: withDecisions(() => ({ isRange: (start, end) => start - end < 10_000 })),
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
    id: 'near-miss/range-compared-as-texts',
    about: 'Compares the digits of the two times as texts, as JavaScript does with query parameters.',
    violates: ['billing/range-reversed'],
    setup: withDecisions(() => ({ isRange: (start, end) => String(start) <= String(end) })),
  },
  {
    id: 'near-miss/time-with-letters',
    about: 'Ignores letters after the digits of a time.',
    violates: ['billing/time-unparseable'],
    setup: withDecisions(acceptTimes((text) => Number.parseInt(text, 10) * 1000)),
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
  {
    id: 'near-miss/time-without-an-end',
    about: 'Accepts every text that JavaScript converts to a number, such as `Infinity`, as a time.',
    violates: ['billing/time-unparseable'],
    setup: withDecisions(acceptTimes((text) => Number(text))),
  },
  {
    id: 'near-miss/date-rolled-over',
    about:
      'Accepts dates that do not exist, such as 29 February in a common year, and reads such a date as a day of the next month.',
    violates: ['billing/time-unparseable'],
    setup: () => ({
      profile: { timeFormat: 'iso-datetime' },
      decisions: acceptTimes((text) =>
        /^\d{4}-\d\d-\d\dT[\d:]+Z$/.test(text) ? Date.parse(text) : Number.NaN,
      ),
    }),
  },
];
