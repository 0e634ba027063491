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
    about: 'Chat answers a model that does not exist with another one.',
    breaks: ['models/unlisted', 'streams/unlisted-model', 'streams/error-before-start'],
    setup: deciding(onlyWhere(on('chat'), answeringAnyModel)),
  },
  {
    id: 'models/unlisted-answered-in-family-b',
    about: 'Family B answers a model that does not exist with another one.',
    breaks: ['models/unlisted', 'streams/unlisted-model', 'streams/error-before-start'],
    setup: deciding(onlyWhere(inFamily('B'), answeringAnyModel)),
  },
  {
    id: 'models/unlisted-404',
    about: 'Responses answers a model that does not exist 404.',
    breaks: ['models/unlisted', 'streams/unlisted-model'],
    setup: deciding(onlyWhere(all(on('responses'), unlisted), status(404))),
  },
  {
    id: 'models/unlisted-500-in-family-c',
    about: 'Family C answers a model that does not exist 500.',
    breaks: ['models/unlisted', 'streams/unlisted-model'],
    setup: deciding(onlyWhere(all(inFamily('C'), unlisted), status(500))),
  },
  {
    id: 'models/unlisted-404-by-header',
    about: 'Who sends x-api-key is answered 404 for a model that does not exist, whatever the protocol.',
    breaks: ['models/unlisted', 'streams/unlisted-model'],
    setup: deciding(onlyWhere(all(by('x-api-key'), unlisted), status(404))),
  },
  {
    id: 'models/unlisted-404-by-bearer-in-family-c',
    about: 'Family C answers a bearer token 404 for a model that does not exist.',
    breaks: ['models/unlisted'],
    setup: deciding(onlyWhere(all(inFamily('C'), by('bearer'), unlisted), status(404))),
  },
  {
    id: 'models/unlisted-503',
    about: 'Chat answers a model that does not exist 503, as if no provider had room.',
    breaks: ['models/unlisted', 'streams/unlisted-model'],
    setup: deciding(onlyWhere(all(on('chat'), unlisted), status(503))),
  },
  {
    id: 'models/unlisted-called-invalid',
    about: 'A model that does not exist is called an invalid request.',
    breaks: ['models/unlisted', 'streams/unlisted-model'],
    setup: deciding(onlyWhere(unlisted, type('invalid_request_error'))),
  },
  {
    id: 'models/unlisted-called-unsupported',
    about: 'Family C says that it does not support a model that does not exist.',
    breaks: ['models/unlisted', 'streams/unlisted-model'],
    setup: deciding(onlyWhere(all(inFamily('C'), unlisted), type('model_not_supported'))),
  },
  {
    id: 'models/beginning-is-enough',
    about: 'A model ID that goes on behind that of a model is taken for it.',
    breaks: ['models/unlisted', 'streams/error-before-start', 'streams/unlisted-model'],
    setup: deciding((base) => ({
      findModel: (id, ctx) =>
        base.findModel(id, ctx) ?? ctx.state.models.find((model) => id.startsWith(`${model.id}-`)),
    })),
  },
  {
    id: 'models/unlisted-of-a-provider-404',
    about: 'A model ID that begins as those of a provider is left to it, and its 404 passed on.',
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
    about: 'A streamed call of a model that does not exist is answered 404.',
    breaks: ['streams/unlisted-model'],
    setup: deciding(onlyWhere(all(streamed, unlisted), status(404))),
  },
  {
    id: 'models/unsupported-called-unlisted',
    about: 'A model that cannot be called is called not available.',
    breaks: ['models/unsupported', 'streams/unsupported-model'],
    setup: deciding(onlyWhere(unsupported, type('model_not_available'))),
  },
  {
    id: 'models/unsupported-answered',
    about: 'Responses answers with a model that cannot be called.',
    breaks: ['models/unsupported', 'streams/unsupported-model', 'streams/error-before-start'],
    setup: deciding(onlyWhere(on('responses'), supportingAll)),
  },
  {
    id: 'models/unsupported-404-in-family-c',
    about: 'Family C answers a model that cannot be called 404.',
    breaks: ['models/unsupported', 'streams/unsupported-model'],
    setup: deciding(onlyWhere(all(inFamily('C'), unsupported), status(404))),
  },
  {
    id: 'models/unsupported-410-in-family-b',
    about: 'Family B answers a model that cannot be called 410.',
    breaks: ['models/unsupported'],
    setup: deciding(onlyWhere(all(on('messages'), not(streamed), unsupported), status(410))),
  },
  {
    id: 'models/unsupported-streamed',
    about: 'A model that cannot be called can be streamed.',
    breaks: ['streams/unsupported-model', 'streams/error-before-start'],
    setup: deciding(onlyWhere(streamed, supportingAll)),
  },
  {
    id: 'models/mismatched-401',
    about: 'Chat answers a model of another protocol 401.',
    breaks: ['models/mismatched', 'streams/mismatched-model', 'model-error/type-fits-status-family-a'],
    setup: deciding(onlyWhere(all(on('chat'), mismatched), status(401))),
  },
  {
    id: 'models/mismatched-answered-by-responses',
    about: 'Responses answers with a Claude-type model.',
    breaks: ['models/mismatched', 'streams/mismatched-model', 'streams/error-before-start'],
    setup: deciding(onlyWhere(on('responses'), translating)),
  },
  {
    id: 'models/mismatched-answered-in-family-c',
    about: 'Family C answers with a model of another protocol.',
    breaks: ['models/mismatched', 'streams/mismatched-model', 'streams/error-before-start'],
    setup: deciding(onlyWhere(inFamily('C'), translating)),
  },
  {
    id: 'models/mismatched-called-unlisted',
    about: 'Family B says that a model of another protocol is not available.',
    breaks: ['models/mismatched', 'streams/mismatched-model'],
    setup: deciding(onlyWhere(all(inFamily('B'), mismatched), type('model_not_available'))),
  },
  {
    id: 'models/mismatched-501',
    about: 'Family C answers a model of another protocol 501.',
    breaks: ['models/mismatched', 'streams/mismatched-model'],
    setup: deciding(onlyWhere(all(inFamily('C'), mismatched), status(501))),
  },
  {
    id: 'models/mismatched-streamed',
    about: 'Chat streams from a model of another protocol.',
    breaks: ['streams/mismatched-model', 'streams/error-before-start'],
    setup: deciding(onlyWhere(all(on('chat'), streamed), translating)),
  },
  {
    id: 'models/image-dropped',
    about: 'Chat drops an image for a text-only model and answers.',
    breaks: ['models/image-to-text-only', 'streams/image-to-text-only', 'streams/error-before-start'],
    setup: deciding(onlyWhere(on('chat'), seeingNoImage)),
  },
  {
    id: 'models/image-dropped-by-responses',
    about: 'Responses drops an image for a text-only model and answers.',
    breaks: ['models/image-to-text-only', 'streams/image-to-text-only', 'streams/error-before-start'],
    setup: deciding(onlyWhere(on('responses'), seeingNoImage)),
  },
  {
    id: 'models/image-dropped-in-family-b',
    about: 'Family B drops an image for a text-only model and answers.',
    breaks: ['models/image-to-text-only', 'streams/image-to-text-only', 'streams/error-before-start'],
    setup: deciding(onlyWhere(inFamily('B'), seeingNoImage)),
  },
  {
    id: 'models/image-crashes-family-c',
    about: 'Family C answers an image for a text-only model 500.',
    breaks: ['models/image-to-text-only', 'streams/image-to-text-only'],
    setup: deciding(onlyWhere(all(inFamily('C'), image), status(500))),
  },
  {
    id: 'models/image-called-unsupported',
    about: 'An image for a text-only model makes it a model that is not supported.',
    breaks: ['models/image-to-text-only', 'streams/image-to-text-only'],
    setup: deciding(onlyWhere(image, type('model_not_supported'))),
  },
  {
    id: 'models/image-415-on-responses',
    about: 'Responses answers an image for a text-only model 415.',
    breaks: ['models/image-to-text-only', 'streams/image-to-text-only'],
    setup: deciding(onlyWhere(all(on('responses'), image), answered(415, 'unsupported_media_type'))),
  },
  {
    id: 'models/image-dropped-when-streamed',
    about: 'A streamed call drops an image for a text-only model.',
    breaks: ['streams/image-to-text-only', 'streams/error-before-start'],
    setup: deciding(onlyWhere(streamed, seeingNoImage)),
  },
  {
    id: 'models/message-names-no-model',
    about: 'The message about a model that does not exist names nothing.',
    breaks: ['models/message-names-model'],
    setup: deciding(onlyWhere(unlisted, message('Not available, see the documentation.'))),
  },
  {
    id: 'models/message-of-unsupported-names-no-model',
    about: 'In family C the message about a model that cannot be called names nothing.',
    breaks: ['models/message-names-model'],
    setup: deciding(onlyWhere(all(inFamily('C'), unsupported), message('Not supported.'))),
  },
];
