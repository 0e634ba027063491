import { conforming } from '../../../reference-server/gateway/conforming.ts';
import type { Overrides } from '../../../reference-server/gateway/decisions.ts';
import { type Model, readSeed } from '../../../reference-server/gateway/seed.ts';
import { faults, type ReferenceServerOptions } from '../../../reference-server/index.ts';
import { applyWhere, combineOverrides } from '../../../reference-server/overrides.ts';

/**
 * Returns models of the three protocol families in turn, numbered from 1: `gpt-1`, `claude-2`, `gemini-3`, `gpt-4` …
 */
export function fleetOf(size: number): Model[] {
  const kinds: readonly Pick<Model, 'id' | 'protocols'>[] = [
    { id: 'gpt', protocols: ['chat', 'responses'] },
    { id: 'claude', protocols: ['chat', 'messages'] },
    { id: 'gemini', protocols: ['chat', 'generate'] },
  ];
  return Array.from({ length: size }, (_, index): Model => {
    const { id, protocols } = kinds[index % kinds.length] ?? { id: 'gpt', protocols: [] };
    return { id: `${id}-${index + 1}`, protocols, images: true };
  });
}

/** Returns the setup of a reference gateway that also lists these models. `defects` maps model IDs to fault IDs. */
export function gatewayOf(
  models: readonly Model[],
  defects: Readonly<Record<string, string>> = {},
): ReferenceServerOptions {
  const seed = readSeed();
  return { seed: { ...seed, models: [...seed.models, ...models] }, decisions: applyDefects(defects) };
}

/**
 * Returns decisions that apply each fault only to calls of its model. Throws an error if a fault does not exist or
 * replaces no decisions.
 */
function applyDefects(defects: Readonly<Record<string, string>>): Overrides {
  const changes = Object.entries(defects).map(([model, id]) => {
    const decisions = faults.find((fault) => fault.id === id)?.setup().decisions;
    if (!decisions) throw new Error(`The fault ${id} does not exist or replaces no decisions.`);
    return applyWhere((ctx) => conforming.modelIdOf(ctx) === model, decisions);
  });
  return combineOverrides(...changes);
}
