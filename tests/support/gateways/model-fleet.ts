import { applyRulesToGateway } from '../../../reference-server/apply-rules.ts';
import type { Setup } from '../../../reference-server/combine-setups.ts';
import { faultTopics } from '../../../reference-server/faults/index.ts';
import { type Model, readSeed } from '../../../reference-server/gateway/seed.ts';
import type { ReferenceServerOptions } from '../../../reference-server/index.ts';
import { readSetupRows } from '../../../reference-server/read-setups.ts';
import type { Rule } from '../../../reference-server/rules/rule.ts';
import { createRules } from '../../../reference-server/rules/rules.ts';

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
  return { seed: { ...seed, models: [...seed.models, ...models] }, ...applyDefects(defects) };
}

/** Applies the rules of each fault only to calls of its model. Throws an error if a fault doesn't exist. */
function applyDefects(defects: Readonly<Record<string, string>>): Setup {
  const rules = Object.entries(defects).flatMap(([model, id]) =>
    // The gateway learns the model only after it has validated the body.
    rulesOf(id).map(({ match, change }) => ({
      match: { ...match, anyOf: [{ body: { model } }, { path: `*/${model}:*` }] },
      change,
    })),
  );
  return applyRulesToGateway(createRules(rules));
}

function rulesOf(id: string): readonly Rule[] {
  const rows = faultTopics.flatMap((topic) => readSetupRows<{ readonly id: string }>('faults', topic));
  const row = rows.find((one) => one.id === id);
  if (!row) throw new Error(`The fault ${id} doesn't exist.`);
  const { rules, match, change } = row;
  return rules ?? (change === undefined ? [] : [{ ...(match && { match }), change }]);
}
