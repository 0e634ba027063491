import { withDecisions } from '../combine-setups.ts';
import type { Overrides } from '../gateway/decisions.ts';
import { allOf, byHeader, inFamily, isStreamed, not } from './conditions.ts';
import type { Fault } from './fault.ts';
import { applyWhere, combineOverrides } from './overrides.ts';

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
