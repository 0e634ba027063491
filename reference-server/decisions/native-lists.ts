import type { Context } from '../gateway/context.ts';
import type { Model } from '../gateway/seed.ts';
import type { Json, JsonObject } from '../json.ts';

/** Returns an entry of the model list of family C. */
export function createNativeModelEntry(model: Model, _ctx: Context): JsonObject {
  const methods = ['generateContent', 'streamGenerateContent', 'countTokens'];
  return {
    name: `models/${model.id}`,
    displayName: model.id,
    version: '1',
    inputTokenLimit: 1_000_000,
    outputTokenLimit: 8192,
    supportedGenerationMethods: model.protocols.includes('generate') ? methods : [],
  };
}

/** Returns the body of GET /v1beta/models, with all models on one page. */
export function createNativeModelList(entries: readonly Json[], _ctx: Context): Json {
  return { models: entries };
}
