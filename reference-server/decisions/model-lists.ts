import type { Context } from '../gateway/context.ts';
import type { Model } from '../gateway/seed.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';

const created = 1_735_689_600;

/** Returns an entry of GET /v1/models, with the members that the SDKs of families A and B read. */
export function createModelEntry(model: Model, _ctx: Context): JsonObject {
  return {
    id: model.id,
    object: 'model',
    created,
    owned_by: 'reference-gateway',
    type: 'model',
    display_name: model.id,
    created_at: new Date(created * 1000).toISOString(),
  };
}

/** Returns the body of GET /v1/models, with all models on one page. */
export function createModelList(entries: readonly Json[], _ctx: Context): Json {
  return {
    object: 'list',
    data: entries,
    has_more: false,
    first_id: idOf(entries[0]),
    last_id: idOf(entries.at(-1)),
  };
}

const idOf = (entry: Json | undefined): string | null =>
  isObject(entry) && typeof entry.id === 'string' ? entry.id : null;
