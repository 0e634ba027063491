import { withDecisions } from '../combine-setups.ts';
import type { Overrides } from '../decisions/index.ts';
import { allOf, byHeader, inFamily, isStreamed, not } from './conditions.ts';
import type { Fault } from './fault.ts';
import { applyWhere, combineOverrides, compareKeys } from './overrides.ts';

const everyKey = [
  'auth/bad-bearer-token',
  'auth/bad-x-api-key',
  'auth/bad-x-goog-api-key',
  'auth/billing-bad-bearer-token',
  'auth/billing-bad-x-api-key',
];
const compareKeysOfOneLength = (same: (sent: string, key: string) => boolean) =>
  withDecisions(compareKeys((sent, key) => sent.length === key.length && same(sent, key)));
const sumBytes = (text: string): number => Buffer.from(text).reduce((sum, byte) => sum + byte, 0);

const compareModels =
  (same: (sent: string, id: string) => boolean): Overrides =>
  (base) => ({
    findModel: (id, ctx) => base.findModel(id, ctx) ?? ctx.state.models.find((model) => same(id, model.id)),
  });

/**
 * Faults in which the gateway accepts some of the keys, models, images, record requests and time ranges that the
 * gateway must refuse.
 */
export const nearMissFaults: readonly Fault[] = [
  {
    id: 'near-miss/key-first-letter',
    about: 'Does not compare the first character after the prefix of a key.',
    violates: [...everyKey, 'streams/bad-api-key', 'streams/bad-bearer-token'],
    setup: compareKeysOfOneLength(
      (sent, key) => sent.slice(0, 3) + sent.slice(4) === key.slice(0, 3) + key.slice(4),
    ),
  },
  {
    id: 'near-miss/key-last-letter',
    about: 'Does not compare the last character of a key.',
    violates: [...everyKey, 'streams/bad-api-key', 'streams/bad-bearer-token'],
    setup: compareKeysOfOneLength((sent, key) => sent.slice(0, -1) === key.slice(0, -1)),
  },
  {
    id: 'near-miss/key-without-its-end',
    about: 'Accepts a key without its last character.',
    violates: [...everyKey, 'streams/bad-api-key', 'streams/bad-bearer-token'],
    setup: withDecisions(compareKeys((sent, key) => sent === key.slice(0, -1))),
  },
  {
    id: 'near-miss/key-by-its-sum',
    about: 'Compares keys by their length and the sum of their bytes.',
    violates: [...everyKey, 'streams/bad-api-key', 'streams/bad-bearer-token'],
    setup: compareKeysOfOneLength((sent, key) => sumBytes(sent) === sumBytes(key)),
  },
  {
    id: 'near-miss/key-prefix',
    about: 'Accepts any three characters as the prefix of a key.',
    violates: [...everyKey, 'streams/bad-api-key', 'streams/bad-bearer-token'],
    setup: compareKeysOfOneLength((sent, key) => sent.slice(3) === key.slice(3)),
  },
  {
    id: 'near-miss/key-in-an-object',
    about: 'Looks up a key in a plain object, so that names of inherited members are accepted.',
    violates: [...everyKey, 'streams/bad-api-key', 'streams/bad-bearer-token'],
    setup: withDecisions(compareKeys((sent) => sent in {})),
  },
  {
    id: 'near-miss/model-beginning-streamed',
    about: 'Accepts a model ID that begins with a listed ID on streamed calls.',
    violates: ['streams/unlisted-model', 'streams/error-before-start'],
    setup: withDecisions(
      applyWhere(
        isStreamed,
        compareModels((sent, id) => sent.startsWith(id)),
      ),
    ),
  },
  {
    id: 'near-miss/request-id-first-group',
    about: 'Accepts any lowercase letters in the first group of a `request_id`.',
    violates: ['billing/request-id-uuid'],
    setup: withDecisions((base) => ({
      isRequestId: (id, ctx) => base.isRequestId(id.replace(/^[0-9a-z]{8}/, '00000000'), ctx),
    })),
  },
  {
    id: 'near-miss/range-of-hours',
    about: 'Accepts a time range that is reversed by less than one hour.',
    violates: ['billing/range-reversed'],
    setup: withDecisions(() => ({ isRange: (start, end) => start - end < 3_600_000 })),
  },
  {
    id: 'near-miss/request-id-by-header',
    about: 'Does not validate `request_id` if the key is in `x-api-key`.',
    violates: ['billing/request-id-uuid', 'billing/request-id-dashes'],
    setup: withDecisions(applyWhere(byHeader('x-api-key'), () => ({ isRequestId: () => true }))),
  },
  {
    id: 'near-miss/foreign-record-by-header',
    about: 'Shows the request records of all accounts to the valid key in `x-api-key`.',
    violates: ['billing/record-foreign', 'billing/record-hidden'],
    setup: withDecisions(
      applyWhere(
        allOf(byHeader('x-api-key'), ({ key }) => key?.role === 'valid'),
        () => ({ mayRead: () => true }),
      ),
    ),
  },
  {
    id: 'near-miss/range-by-header',
    about: 'Accepts a reversed time range if the key is in `x-api-key`.',
    violates: ['billing/range-reversed'],
    setup: withDecisions(applyWhere(byHeader('x-api-key'), () => ({ isRange: () => true }))),
  },
  {
    id: 'near-miss/models-by-header',
    about:
      'Accepts every listed model and every image in non-streamed calls of families B and C if the key is in `Authorization`.',
    violates: ['models/unsupported', 'models/mismatched', 'models/image-to-text-only'],
    setup: withDecisions(
      applyWhere(
        allOf(inFamily('B', 'C'), byHeader('bearer'), not(isStreamed)),
        combineOverrides(() => ({
          isSupported: () => true,
          supportsProtocol: () => true,
          hasImage: () => false,
        })),
      ),
    ),
  },
];
