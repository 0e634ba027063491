import type { Overrides } from '../decisions/index.ts';
import { isObject } from '../json.ts';
import { comparing, deciding, onlyWhere, together } from './changes.ts';
import { all, by, inFamily, not, streamed } from './conditions.ts';
import type { Fault } from './fault.ts';

const everyKey = [
  'auth/bad-bearer-token',
  'auth/bad-x-api-key',
  'auth/bad-x-goog-api-key',
  'auth/billing-bad-bearer-token',
  'auth/billing-bad-x-api-key',
];
const keysAlike = (same: (sent: string, key: string) => boolean) =>
  deciding(comparing((sent, key) => sent.length === key.length && same(sent, key)));
const sumOf = (text: string): number => Buffer.from(text).reduce((sum, byte) => sum + byte, 0);

const modelsAlike =
  (same: (asked: string, id: string) => boolean): Overrides =>
  (base) => ({
    findModel: (id, ctx) => base.findModel(id, ctx) ?? ctx.state.models.find((model) => same(id, model.id)),
  });

/** Keys, models, records and ranges that differ from a right one by little, and are taken for it. */
export const nearMissFaults: readonly Fault[] = [
  {
    id: 'near-miss/key-first-letter',
    about: 'The first letter of a key behind its prefix is not compared.',
    breaks: everyKey,
    setup: keysAlike((sent, key) => sent.slice(0, 3) + sent.slice(4) === key.slice(0, 3) + key.slice(4)),
  },
  {
    id: 'near-miss/key-last-letter',
    about: 'The last letter of a key is not compared.',
    breaks: everyKey,
    setup: keysAlike((sent, key) => sent.slice(0, -1) === key.slice(0, -1)),
  },
  {
    id: 'near-miss/key-without-its-end',
    about: 'A key that lacks its last letter is taken.',
    breaks: everyKey,
    setup: deciding(comparing((sent, key) => sent === key.slice(0, -1))),
  },
  {
    id: 'near-miss/key-by-its-sum',
    about: 'Two keys are the same where their letters add up to the same.',
    breaks: everyKey,
    setup: keysAlike((sent, key) => sumOf(sent) === sumOf(key)),
  },
  {
    id: 'near-miss/key-prefix',
    about: 'Whatever a key begins with is taken for its prefix.',
    breaks: everyKey,
    setup: keysAlike((sent, key) => sent.slice(3) === key.slice(3)),
  },
  {
    id: 'near-miss/key-in-an-object',
    about: 'A key is looked up in a plain object, which has members of its own.',
    breaks: everyKey,
    setup: deciding(comparing((sent) => sent in {})),
  },
  {
    id: 'near-miss/model-end',
    about: 'A model ID that ends in that of a model is taken for it.',
    breaks: ['models/unlisted'],
    setup: deciding(modelsAlike((asked, id) => asked.endsWith(id))),
  },
  {
    id: 'near-miss/model-beginning-streamed',
    about: 'A model ID that goes on behind that of a model can be streamed.',
    breaks: ['streams/unlisted-model', 'streams/error-before-start'],
    setup: deciding(
      onlyWhere(
        streamed,
        modelsAlike((asked, id) => asked.startsWith(id)),
      ),
    ),
  },
  {
    id: 'near-miss/model-in-an-object',
    about: 'A model is looked up in a plain object, which has members of its own.',
    breaks: ['models/unlisted'],
    setup: deciding((base) => ({
      findModel: (id, ctx) =>
        base.findModel(id, ctx) ??
        (id in {} ? ctx.state.models.find((model) => base.speaks(model, ctx)) : undefined),
    })),
  },
  {
    id: 'near-miss/request-id-first-group',
    about: 'The first group of a request_id may have any letters.',
    breaks: ['billing/request-id-uuid'],
    setup: deciding((base) => ({
      isRequestId: (id, ctx) => base.isRequestId(id.replace(/^[0-9a-z]{8}/, '00000000'), ctx),
    })),
  },
  {
    id: 'near-miss/range-of-hours',
    about: 'A time range is compared by its hours.',
    breaks: ['billing/range-reversed'],
    setup: deciding(() => ({ isRange: (start, end) => start - end < 3_600_000 })),
  },
  {
    id: 'near-miss/request-id-by-header',
    about: 'A request_id is not looked at where the key stands in x-api-key.',
    breaks: ['billing/request-id-uuid'],
    setup: deciding(onlyWhere(by('x-api-key'), () => ({ isRequestId: () => true }))),
  },
  {
    id: 'near-miss/foreign-record-by-header',
    about: 'The own key reads records of another account from x-api-key.',
    breaks: ['billing/record-foreign', 'billing/record-hidden'],
    setup: deciding(
      onlyWhere(
        all(by('x-api-key'), ({ key }) => key?.role === 'valid'),
        () => ({ mayRead: () => true }),
      ),
    ),
  },
  {
    id: 'near-miss/range-by-header',
    about: 'A time range is not looked at where the key stands in x-api-key.',
    breaks: ['billing/range-reversed'],
    setup: deciding(onlyWhere(by('x-api-key'), () => ({ isRange: () => true }))),
  },
  {
    id: 'near-miss/models-by-header',
    about: 'Family B and C call any model where the key stands in Authorization.',
    breaks: ['models/unsupported', 'models/mismatched', 'models/image-to-text-only'],
    setup: deciding(
      onlyWhere(
        all(inFamily('B', 'C'), by('bearer'), not(streamed)),
        together(() => ({ isSupported: () => true, speaks: () => true, hasImage: () => false })),
      ),
    ),
  },
  {
    id: 'near-miss/image-in-an-earlier-message',
    about: 'An image is looked for in the last message alone.',
    breaks: ['models/image-to-text-only'],
    setup: deciding((base) => ({
      hasImage: (ctx) => {
        const { messages, input, contents } = isObject(ctx.body) ? ctx.body : {};
        const last = [messages, input, contents].find(Array.isArray)?.at(-1);
        return base.hasImage(ctx) && /image/.test(JSON.stringify(last));
      },
    })),
  },
];
