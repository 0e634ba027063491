import type { Overrides } from '../decisions/index.ts';
import { answered, deciding, message, onlyWhere, status, type } from './changes.ts';
import { all, by, inFamily, not, on, refusedFor, streamed } from './conditions.ts';
import type { Fault } from './fault.ts';

const unlisted = refusedFor('unknown-model');
const unsupported = refusedFor('unsupported-model');
const mismatched = refusedFor('mismatched-model');
const image = refusedFor('image-refused');

const answeringAnyModel: Overrides = (base) => ({
  findModel: (id, ctx) =>
    base.findModel(id, ctx) ?? ctx.state.models.find((model) => base.speaks(model, ctx)),
});
const supportingAll: Overrides = () => ({ isSupported: () => true });
const translating: Overrides = () => ({ speaks: () => true });
const seeingNoImage: Overrides = () => ({ hasImage: () => false });

/** A model that must be refused is called, or refused in another way. */
export const modelFaults: readonly Fault[] = [
  {
    id: 'models/unlisted-answered',
    about: 'Answers a call of an unlisted model with another model on chat.',
    breaks: ['models/unlisted', 'streams/unlisted-model', 'streams/error-before-start'],
    setup: deciding(onlyWhere(on('chat'), answeringAnyModel)),
  },
  {
    id: 'models/unlisted-answered-in-family-b',
    about: 'Answers a call of an unlisted model with another model in family B.',
    breaks: ['models/unlisted', 'streams/unlisted-model', 'streams/error-before-start'],
    setup: deciding(onlyWhere(inFamily('B'), answeringAnyModel)),
  },
  {
    id: 'models/unlisted-404',
    about: 'Answers an unlisted model with 404 instead of 400 on responses.',
    breaks: ['models/unlisted', 'streams/unlisted-model'],
    setup: deciding(onlyWhere(all(on('responses'), unlisted), status(404))),
  },
  {
    id: 'models/unlisted-500-in-family-c',
    about: 'Answers an unlisted model with 500 in family C.',
    breaks: ['models/unlisted', 'streams/unlisted-model'],
    setup: deciding(onlyWhere(all(inFamily('C'), unlisted), status(500))),
  },
  {
    id: 'models/unlisted-404-by-header',
    about: 'Answers an unlisted model with 404 instead of 400 if the key is in `x-api-key`.',
    breaks: ['models/unlisted', 'streams/unlisted-model'],
    setup: deciding(onlyWhere(all(by('x-api-key'), unlisted), status(404))),
  },
  {
    id: 'models/unlisted-404-by-bearer-in-family-c',
    about: 'Answers an unlisted model with 404 instead of 400 in family C if the key is in `Authorization`.',
    breaks: ['models/unlisted'],
    setup: deciding(onlyWhere(all(inFamily('C'), by('bearer'), unlisted), status(404))),
  },
  {
    id: 'models/unlisted-503',
    about: 'Answers an unlisted model with 503 on chat, as if no provider were available.',
    breaks: ['models/unlisted', 'streams/unlisted-model'],
    setup: deciding(onlyWhere(all(on('chat'), unlisted), status(503))),
  },
  {
    id: 'models/unlisted-called-invalid',
    about: 'Answers an unlisted model with the type `invalid_request_error`.',
    breaks: ['models/unlisted', 'streams/unlisted-model'],
    setup: deciding(onlyWhere(unlisted, type('invalid_request_error'))),
  },
  {
    id: 'models/unlisted-called-unsupported',
    about: 'Answers an unlisted model with the type `model_not_supported` in family C.',
    breaks: ['models/unlisted', 'streams/unlisted-model'],
    setup: deciding(onlyWhere(all(inFamily('C'), unlisted), type('model_not_supported'))),
  },
  {
    id: 'models/beginning-is-enough',
    about: 'Accepts a model ID that is a listed one followed by a dash and any text.',
    breaks: ['models/unlisted', 'streams/error-before-start', 'streams/unlisted-model'],
    setup: deciding((base) => ({
      findModel: (id, ctx) =>
        base.findModel(id, ctx) ?? ctx.state.models.find((model) => id.startsWith(`${model.id}-`)),
    })),
  },
  {
    id: 'models/unlisted-of-a-provider-404',
    about: 'Answers an unlisted model with 404 if its ID begins with `gpt-`, `claude-` or `gemini-`.',
    breaks: ['models/unlisted', 'streams/unlisted-model'],
    setup: deciding(
      onlyWhere(
        all(unlisted, ({ modelId = '' }) => /^(gpt|claude|gemini)-/.test(modelId)),
        status(404),
      ),
    ),
  },
  {
    id: 'models/unlisted-streamed-404',
    about: 'Answers a streaming call of an unlisted model with 404.',
    breaks: ['streams/unlisted-model'],
    setup: deciding(onlyWhere(all(streamed, unlisted), status(404))),
  },
  {
    id: 'models/unsupported-called-unlisted',
    about: 'Answers an unsupported model with the type `model_not_available`.',
    breaks: ['models/unsupported', 'streams/unsupported-model'],
    setup: deciding(onlyWhere(unsupported, type('model_not_available'))),
  },
  {
    id: 'models/unsupported-answered',
    about: 'Answers a call of an unsupported model with 200 on responses.',
    breaks: ['models/unsupported', 'streams/unsupported-model', 'streams/error-before-start'],
    setup: deciding(onlyWhere(on('responses'), supportingAll)),
  },
  {
    id: 'models/unsupported-404-in-family-c',
    about: 'Answers an unsupported model with 404 in family C.',
    breaks: ['models/unsupported', 'streams/unsupported-model'],
    setup: deciding(onlyWhere(all(inFamily('C'), unsupported), status(404))),
  },
  {
    id: 'models/unsupported-410-in-family-b',
    about: 'Answers an unsupported model with 410 in family B.',
    breaks: ['models/unsupported'],
    setup: deciding(onlyWhere(all(on('messages'), not(streamed), unsupported), status(410))),
  },
  {
    id: 'models/unsupported-streamed',
    about: 'Answers streaming calls of an unsupported model with 200.',
    breaks: ['streams/unsupported-model', 'streams/error-before-start'],
    setup: deciding(onlyWhere(streamed, supportingAll)),
  },
  {
    id: 'models/mismatched-401',
    about: 'Answers a model of another protocol with 401 on chat.',
    breaks: ['models/mismatched', 'streams/mismatched-model', 'model-error/type-fits-status-family-a'],
    setup: deciding(onlyWhere(all(on('chat'), mismatched), status(401))),
  },
  {
    id: 'models/mismatched-answered-by-responses',
    about: 'Answers a call of a Claude-type model with 200 on responses.',
    breaks: ['models/mismatched', 'streams/mismatched-model', 'streams/error-before-start'],
    setup: deciding(onlyWhere(on('responses'), translating)),
  },
  {
    id: 'models/mismatched-answered-in-family-c',
    about: 'Answers a call of a model of another protocol with 200 in family C.',
    breaks: ['models/mismatched', 'streams/mismatched-model', 'streams/error-before-start'],
    setup: deciding(onlyWhere(inFamily('C'), translating)),
  },
  {
    id: 'models/mismatched-called-unlisted',
    about: 'Answers a model of another protocol with the type `model_not_available` in family B.',
    breaks: ['models/mismatched', 'streams/mismatched-model'],
    setup: deciding(onlyWhere(all(inFamily('B'), mismatched), type('model_not_available'))),
  },
  {
    id: 'models/mismatched-501',
    about: 'Answers a model of another protocol with 501 in family C.',
    breaks: ['models/mismatched', 'streams/mismatched-model'],
    setup: deciding(onlyWhere(all(inFamily('C'), mismatched), status(501))),
  },
  {
    id: 'models/mismatched-streamed',
    about: 'Answers streaming calls of a model of another protocol with 200 on chat.',
    breaks: ['streams/mismatched-model', 'streams/error-before-start'],
    setup: deciding(onlyWhere(all(on('chat'), streamed), translating)),
  },
  {
    id: 'models/image-dropped',
    about: 'Drops an image for a text-only model and answers 200 on chat.',
    breaks: ['models/image-to-text-only', 'streams/image-to-text-only', 'streams/error-before-start'],
    setup: deciding(onlyWhere(on('chat'), seeingNoImage)),
  },
  {
    id: 'models/image-dropped-by-responses',
    about: 'Drops an image for a text-only model and answers 200 on responses.',
    breaks: ['models/image-to-text-only', 'streams/image-to-text-only', 'streams/error-before-start'],
    setup: deciding(onlyWhere(on('responses'), seeingNoImage)),
  },
  {
    id: 'models/image-dropped-in-family-b',
    about: 'Drops an image for a text-only model and answers 200 in family B.',
    breaks: ['models/image-to-text-only', 'streams/image-to-text-only', 'streams/error-before-start'],
    setup: deciding(onlyWhere(inFamily('B'), seeingNoImage)),
  },
  {
    id: 'models/image-crashes-family-c',
    about: 'Answers an image for a text-only model with 500 in family C.',
    breaks: ['models/image-to-text-only', 'streams/image-to-text-only'],
    setup: deciding(onlyWhere(all(inFamily('C'), image), status(500))),
  },
  {
    id: 'models/image-called-unsupported',
    about: 'Answers an image for a text-only model with the type `model_not_supported`.',
    breaks: ['models/image-to-text-only', 'streams/image-to-text-only'],
    setup: deciding(onlyWhere(image, type('model_not_supported'))),
  },
  {
    id: 'models/image-415-on-responses',
    about: 'Answers an image for a text-only model with 415 on responses.',
    breaks: ['models/image-to-text-only', 'streams/image-to-text-only'],
    setup: deciding(onlyWhere(all(on('responses'), image), answered(415, 'unsupported_media_type'))),
  },
  {
    id: 'models/image-dropped-when-streamed',
    about: 'Drops an image for a text-only model on streaming calls and answers 200.',
    breaks: ['streams/image-to-text-only', 'streams/error-before-start'],
    setup: deciding(onlyWhere(streamed, seeingNoImage)),
  },
  {
    id: 'models/message-names-no-model',
    about: 'Sends a message about an unlisted model that does not name the model.',
    breaks: ['models/message-names-model'],
    setup: deciding(onlyWhere(unlisted, message('Not available, see the documentation.'))),
  },
  {
    id: 'models/message-of-unsupported-names-no-model',
    about: 'Sends a message about an unsupported model that does not name the model in family C.',
    breaks: ['models/message-names-model'],
    setup: deciding(onlyWhere(all(inFamily('C'), unsupported), message('Not supported.'))),
  },
];
