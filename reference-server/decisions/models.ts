import type { Context } from '../gateway/context.ts';
import { readParameter } from '../gateway/routes.ts';
import type { Model } from '../gateway/seed.ts';
import { isObject, objectsIn } from '../json.ts';

/**
 * Returns the model ID of a request from the parameter `model` of the route, or else from the member `model` of the
 * body; undefined if neither contains a model ID, or if the request matches no operation.
 */
export function modelIdOf(ctx: Context): string | undefined {
  if (ctx.match.kind !== 'found') return undefined;
  const inPath = readParameter(ctx.match, 'model', { query: ctx.request.query, body: ctx.body });
  if (inPath !== undefined) return inPath;
  const inBody = isObject(ctx.body) ? ctx.body.model : undefined;
  return typeof inBody === 'string' ? inBody : undefined;
}

/**
 * Finds the listed model with exactly this ID; undefined if no such model exists. For an unknown ID, the response is
 * 400 `model_not_available` (4 rule 3).
 */
export function findModel(id: string, ctx: Context): Model | undefined {
  return ctx.state.models.find((model) => model.id === id);
}

/** Returns the models of the model list. */
export function listModels(ctx: Context): readonly Model[] {
  return ctx.state.models;
}

/** Whether a model supports the protocol of the operation (4 rule 4). */
export function supportsProtocol(model: Model, ctx: Context): boolean {
  return ctx.operation?.protocol !== undefined && model.protocols.includes(ctx.operation.protocol);
}

/** Whether a listed model can currently be called. If not, the response is 400 `model_not_supported` (7.1). */
export function isSupported(model: Model, _ctx: Context): boolean {
  return model.supported !== false;
}

/** Whether a model accepts images (4 rule 5). */
export function acceptsImages(model: Model, _ctx: Context): boolean {
  return model.images;
}

const imageTypes: readonly unknown[] = ['image_url', 'input_image', 'image'];
const carriers = ['messages', 'input', 'contents', 'system'];
const attachments = ['inlineData', 'inline_data', 'fileData', 'file_data'];

/** Whether the input of a request contains an image, in the form of any protocol. */
export function hasImage(ctx: Context): boolean {
  const { body } = ctx;
  if (!isObject(body)) return false;
  // Only the input is searched, since the schema of a tool may mention images without containing one.
  for (const part of objectsIn(carriers.map((carrier) => body[carrier]))) if (isImage(part)) return true;
  return false;
}

function isImage(part: Record<string, unknown>): boolean {
  if (imageTypes.includes(part.type)) return true;
  return attachments.some((name) => {
    const attachment = part[name];
    if (!isObject(attachment)) return false;
    const mediaType = attachment.mimeType ?? attachment.mime_type;
    return typeof mediaType !== 'string' || mediaType.toLowerCase().startsWith('image/');
  });
}
