import { withDecisions } from '../combine-setups.ts';
import type { Overrides } from '../gateway/decisions.ts';
import { allOf, byHeader, inFamily, isStreamed, not, onOperation, refusedFor } from './conditions.ts';
import type { Fault } from './fault.ts';
import { applyWhere, setStatus, setStatusAndType, setType } from './overrides.ts';

const everyUnlisted = ['models/unlisted', 'models/unusual-id', 'streams/unlisted-model'];

const isUnlisted = refusedFor('unknown-model');
const isUnsupported = refusedFor('unsupported-model');
const isMismatched = refusedFor('mismatched-model');
const isImageRefused = refusedFor('image-refused');

const substituteModel: Overrides = (base) => ({
  findModel: (id, ctx) =>
    base.findModel(id, ctx) ?? ctx.state.models.find((model) => base.supportsProtocol(model, ctx)),
});
const supportEveryModel: Overrides = () => ({ isSupported: () => true });
const acceptEveryProtocol: Overrides = () => ({ supportsProtocol: () => true });
const ignoreImages: Overrides = () => ({ hasImage: () => false });

/**
 * Faults in which the gateway serves a model call that the gateway must refuse, or refuses such a call with the wrong
 * status, type or message.
 */
export const modelFaults: readonly Fault[] = [
  {
    id: 'models/unlisted-answered-in-family-b',
    about: 'Serves a call to an unlisted model with another model in family B.',
    violates: [...everyUnlisted, 'streams/error-before-start'],
    setup: withDecisions(applyWhere(inFamily('B'), substituteModel)),
  },
  {
    id: 'models/unlisted-404',
    about: 'Responds to calls to an unlisted model with 404 instead of 400 on `responses`.',
    violates: ['models/unlisted', 'streams/unlisted-model', 'model-error/status-fits-type'],
    setup: withDecisions(applyWhere(allOf(onOperation('responses'), isUnlisted), setStatus(404))),
  },
  {
    id: 'models/unlisted-500-in-family-c',
    about: 'Responds to calls to an unlisted model with 500 in family C.',
    violates: ['models/unlisted', 'streams/unlisted-model', 'model-error/status-fits-type'],
    setup: withDecisions(applyWhere(allOf(inFamily('C'), isUnlisted), setStatus(500))),
  },
  {
    id: 'models/unlisted-404-by-header',
    about: 'Responds to calls to an unlisted model with 404 instead of 400 if the key is in `x-api-key`.',
    violates: [...everyUnlisted, 'model-error/status-fits-type'],
    setup: withDecisions(applyWhere(allOf(byHeader('x-api-key'), isUnlisted), setStatus(404))),
  },
  {
    id: 'models/unlisted-404-by-bearer-in-family-c',
    about:
      'Responds to calls to an unlisted model with 404 instead of 400 in family C if the key is in `Authorization`.',
    violates: ['models/unlisted', 'streams/unlisted-model', 'model-error/status-fits-type'],
    setup: withDecisions(applyWhere(allOf(inFamily('C'), byHeader('bearer'), isUnlisted), setStatus(404))),
  },
  {
    id: 'models/unlisted-called-invalid',
    about: 'Responds to calls to an unlisted model with the type `invalid_request_error`.',
    violates: ['models/unlisted', 'streams/unlisted-model'],
    setup: withDecisions(applyWhere(isUnlisted, setType('invalid_request_error'))),
  },
  {
    id: 'models/unlisted-called-unsupported',
    about: 'Responds to calls to an unlisted model with the type `model_not_supported` in family C.',
    violates: ['models/unlisted', 'streams/unlisted-model'],
    setup: withDecisions(applyWhere(allOf(inFamily('C'), isUnlisted), setType('model_not_supported'))),
  },
  {
    id: 'models/unlisted-streamed-404',
    about: 'Responds to a streamed call to an unlisted model with 404.',
    violates: ['streams/unlisted-model', 'model-error/status-fits-type'],
    setup: withDecisions(applyWhere(allOf(isStreamed, isUnlisted), setStatus(404))),
  },
  {
    id: 'models/unsupported-404-in-family-c',
    about: 'Responds to calls to an unsupported model with 404 in family C.',
    violates: ['models/unsupported', 'streams/unsupported-model', 'model-error/status-fits-type'],
    setup: withDecisions(applyWhere(allOf(inFamily('C'), isUnsupported), setStatus(404))),
  },
  {
    id: 'models/unsupported-410-in-family-b',
    about: 'Responds with 410 to non-streamed calls of family B to an unsupported model.',
    violates: ['models/unsupported', 'model-error/status-fits-type'],
    setup: withDecisions(
      applyWhere(allOf(onOperation('messages'), not(isStreamed), isUnsupported), setStatus(410)),
    ),
  },
  {
    id: 'models/unsupported-streamed',
    about: 'Responds to streamed calls to an unsupported model with 200.',
    violates: ['streams/unsupported-model', 'streams/error-before-start'],
    setup: withDecisions(applyWhere(isStreamed, supportEveryModel)),
  },
  {
    id: 'models/mismatched-401',
    about: 'Responds to calls to a model of another protocol with 401 on `chat`.',
    violates: ['models/mismatched', 'streams/mismatched-model', 'model-error/type-fits-status-family-a'],
    setup: withDecisions(applyWhere(allOf(onOperation('chat'), isMismatched), setStatus(401))),
  },
  {
    id: 'models/mismatched-answered-in-family-c',
    about: 'Responds to calls to a model of another protocol with 200 in family C.',
    violates: ['models/mismatched', 'streams/mismatched-model', 'streams/error-before-start'],
    setup: withDecisions(applyWhere(inFamily('C'), acceptEveryProtocol)),
  },
  {
    id: 'models/mismatched-called-unlisted',
    about:
      'Responds to calls to a model of another protocol with the type `model_not_available` in family B.',
    violates: ['models/mismatched', 'streams/mismatched-model'],
    setup: withDecisions(applyWhere(allOf(inFamily('B'), isMismatched), setType('model_not_available'))),
  },
  {
    id: 'models/mismatched-501',
    about: 'Responds to calls to a model of another protocol with 501 in family C.',
    violates: ['models/mismatched', 'streams/mismatched-model'],
    setup: withDecisions(applyWhere(allOf(inFamily('C'), isMismatched), setStatus(501))),
  },
  {
    id: 'models/mismatched-streamed',
    about: 'Responds to streamed calls to a model of another protocol with 200 on `chat`.',
    violates: ['streams/mismatched-model', 'streams/error-before-start'],
    setup: withDecisions(applyWhere(allOf(onOperation('chat'), isStreamed), acceptEveryProtocol)),
  },
  {
    id: 'models/image-dropped-by-responses',
    about: 'Drops an image for a text-only model and responds with 200 on `responses`.',
    violates: ['models/image-to-text-only', 'streams/image-to-text-only', 'streams/error-before-start'],
    setup: withDecisions(applyWhere(onOperation('responses'), ignoreImages)),
  },
  {
    id: 'models/image-dropped-in-family-b',
    about: 'Drops an image for a text-only model and responds with 200 in family B.',
    violates: ['models/image-to-text-only', 'streams/image-to-text-only', 'streams/error-before-start'],
    setup: withDecisions(applyWhere(inFamily('B'), ignoreImages)),
  },
  {
    id: 'models/image-crashes-family-c',
    about: 'Responds to an image for a text-only model with 500 in family C.',
    violates: ['models/image-to-text-only', 'streams/image-to-text-only'],
    setup: withDecisions(applyWhere(allOf(inFamily('C'), isImageRefused), setStatus(500))),
  },
  {
    id: 'models/image-called-unsupported',
    about: 'Responds to an image for a text-only model with the type `model_not_supported`.',
    violates: ['models/image-to-text-only', 'streams/image-to-text-only'],
    setup: withDecisions(applyWhere(isImageRefused, setType('model_not_supported'))),
  },
  {
    id: 'models/image-415-on-responses',
    about:
      'Responds to an image for a text-only model with 415 and the type `unsupported_media_type` on `responses`.',
    violates: ['models/image-to-text-only', 'streams/image-to-text-only'],
    setup: withDecisions(
      applyWhere(
        allOf(onOperation('responses'), isImageRefused),
        setStatusAndType(415, 'unsupported_media_type'),
      ),
    ),
  },
  {
    id: 'models/image-dropped-when-streamed',
    about: 'Drops an image for a text-only model on streamed calls and responds with 200.',
    violates: ['streams/image-to-text-only', 'streams/error-before-start'],
    setup: withDecisions(applyWhere(isStreamed, ignoreImages)),
  },
];
