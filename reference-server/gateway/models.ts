import { isObject, type Json, objectsIn } from '../json.ts';
import type { Context } from './context.ts';
import type { Decisions } from './decisions.ts';
import { readParameter } from './routes.ts';
import { type Responder, succeed } from './successes.ts';

/** Responds with all models on one page. */
export const respondWithModelList: Responder = (ctx, decide) => {
  const { list, entry } = formsOf(ctx, decide);
  return succeed(
    list(
      decide.listModels(ctx).map((model) => entry(model, ctx)),
      ctx,
    ),
    ctx,
    decide,
  );
};

export const respondWithModel: Responder = (ctx, decide) => {
  const id = decide.modelIdOf(ctx) ?? '';
  const model = decide.listModels(ctx).find((listed) => listed.id === id);
  return model
    ? succeed(formsOf(ctx, decide).entry(model, ctx), ctx, decide)
    : { kind: 'refused', failure: { kind: 'unknown-model', model: id } };
};

const formsOf = (ctx: Context, decide: Decisions) =>
  ctx.family === 'C'
    ? { list: decide.createNativeModelList, entry: decide.createNativeModelEntry }
    : { list: decide.createModelList, entry: decide.createModelEntry };

/** Decisions about models: whether a call may be made (4 rules 3 to 5, 7.1), and the model lists (4, 9). */
export const models = {
  /**
   * Returns the model ID of a request from the parameter `model` of the route, or else from the member `model` of the
   * body; undefined if neither contains a model ID, or if the request matches no operation.
   */
  modelIdOf(ctx) {
    if (ctx.match.kind !== 'found') return undefined;
    const inPath = readParameter(ctx.match, 'model', { query: ctx.request.query, body: ctx.body });
    if (inPath !== undefined) return inPath;
    const inBody = isObject(ctx.body) ? ctx.body.model : undefined;
    return typeof inBody === 'string' ? inBody : undefined;
  },

  /** Finds the listed model with exactly this ID. An unknown ID yields 400 `model_not_available` (4 rule 3). */
  findModel: (id, ctx) => ctx.state.models.find((model) => model.id === id),

  /** Whether a model supports the protocol of the operation (4 rule 4). */
  supportsProtocol: (model, ctx) =>
    ctx.operation?.protocol !== undefined && model.protocols.includes(ctx.operation.protocol),

  /** Whether a listed model is available. If not, the response is 400 `model_not_available` (4 rule 3). */
  isAvailable: (model) => model.available !== false,

  /** Whether a listed model can be called at present. If not, the response is 400 `model_not_supported` (7.1). */
  isSupported: (model) => model.supported !== false,

  /** Whether a model accepts images (4 rule 5). */
  acceptsImages: (model) => model.images,

  /** Whether the input of a request contains an image, in the form of any protocol (4 rule 5). */
  hasImage(ctx) {
    const { body } = ctx;
    if (!isObject(body)) return false;
    // Only the input is searched, since the schema of a tool may mention images without containing one.
    for (const part of objectsIn(carriers.map((carrier) => body[carrier]))) if (isImage(part)) return true;
    return false;
  },

  /** Whether an account can pay for a call: its balance must be above zero. "Too low" is not defined (7.1). */
  canPay: (account) => account !== undefined && account.balance > 0,

  listModels: (ctx) => ctx.state.models,

  /** Returns an entry of GET /v1/models, with the members that the SDKs of families A and B read. */
  createModelEntry: (model) => ({
    id: model.id,
    object: 'model',
    created,
    owned_by: 'reference-gateway',
    type: 'model',
    display_name: model.id,
    created_at: new Date(created * 1000).toISOString(),
  }),

  createModelList: (entries) => ({
    object: 'list',
    data: entries,
    has_more: false,
    first_id: idOf(entries[0]),
    last_id: idOf(entries.at(-1)),
  }),

  /** Returns an entry of GET /v1beta/models, with the members that the SDKs of family C read. */
  createNativeModelEntry: (model) => ({
    name: `models/${model.id}`,
    displayName: model.id,
    version: '1',
    inputTokenLimit: 1_000_000,
    outputTokenLimit: 8192,
    supportedGenerationMethods: model.protocols.includes('generate')
      ? ['generateContent', 'streamGenerateContent', 'countTokens']
      : [],
  }),

  createNativeModelList: (entries) => ({ models: entries }),
} satisfies Partial<Decisions>;

const imageTypes: readonly unknown[] = ['image_url', 'input_image', 'image'];
const carriers = ['messages', 'input', 'contents', 'system'];
const attachments = ['inlineData', 'inline_data', 'fileData', 'file_data'];

function isImage(part: Record<string, unknown>): boolean {
  if (imageTypes.includes(part.type)) return true;
  return attachments.some((name) => {
    const attachment = part[name];
    if (!isObject(attachment)) return false;
    const mediaType = attachment.mimeType ?? attachment.mime_type;
    return typeof mediaType !== 'string' || mediaType.toLowerCase().startsWith('image/');
  });
}

const created = 1_735_689_600;

const idOf = (entry: Json | undefined): string | null =>
  isObject(entry) && typeof entry.id === 'string' ? entry.id : null;
