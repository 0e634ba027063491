import type { Context } from '../gateway/context.ts';
import { readParameter } from '../gateway/routes.ts';
import type { Model } from '../gateway/seed.ts';
import { isObject, objectsIn } from '../json.ts';

/** The model that a request names: in the path where the operation has it there, else in the body. */
export function modelIdOf(ctx: Context): string | undefined {
  if (ctx.match.kind !== 'found') return undefined;
  const inPath = readParameter(ctx.match, 'model', { query: ctx.request.query, body: ctx.body });
  if (inPath !== undefined) return inPath;
  const inBody = isObject(ctx.body) ? ctx.body.model : undefined;
  return typeof inBody === 'string' ? inBody : undefined;
}

/** The listed model of exactly that ID; none is 400 `model_not_available` (4 rule 3). */
export function findModel(id: string, ctx: Context): Model | undefined {
  return ctx.state.models.find((model) => model.id === id);
}

/** The models that the lists show. */
export function listedModels(ctx: Context): readonly Model[] {
  return ctx.state.models;
}

/** Whether a model may be called in the dialect of this operation (4 rule 4). */
export function speaks(model: Model, ctx: Context): boolean {
  return ctx.operation?.protocol !== undefined && model.protocols.includes(ctx.operation.protocol);
}

/** Whether a listed model can currently be called; if not, 400 `model_not_supported` (7.1). */
export function isSupported(model: Model, _ctx: Context): boolean {
  return model.supported !== false;
}

/** Whether a model takes images (4 rule 5). */
export function takesImages(model: Model, _ctx: Context): boolean {
  return model.images;
}

const imageTypes: readonly unknown[] = ['image_url', 'input_image', 'image'];
const carriers = ['messages', 'input', 'contents', 'system'];
const attachments = ['inlineData', 'inline_data', 'fileData', 'file_data'];

/** Whether what a request gives the model to read holds an image, in the form of any dialect. */
export function hasImage(ctx: Context): boolean {
  const { body } = ctx;
  if (!isObject(body)) return false;
  // Only what the model reads: a tool's schema may speak of images without holding one.
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
