import { type Fixtures, matchesModel } from '../catalog/fixtures.ts';
import { list, mapping } from '../catalog/mapping.ts';

/** The model IDs of a model list, whatever its shape: of each item of a list its `id`, `name` or `model`, or the text itself. */
export function listedModels(value: unknown): string[] {
  const found: string[] = [];
  let open: unknown[] = [value];
  while (open.length > 0) {
    const next: unknown[] = [];
    for (const item of open) {
      if (!Array.isArray(item)) {
        // One by one, since a call takes no more than some hundred thousand at once.
        for (const inner of Object.values(mapping(item))) next.push(inner);
        continue;
      }
      for (const entry of list(item)) {
        const { id, name, model } = mapping(entry);
        const named = [entry, id, name, model].find((text) => typeof text === 'string');
        if (typeof named === 'string') found.push(named.replace(/^models\//, ''));
        else next.push(entry);
      }
    }
    open = next;
  }
  return [...new Set(found)];
}

/** The listed models to try for an operation, the likeliest first, as `fixtures/discovery.yaml` says. */
export function candidates(
  operation: string,
  listed: readonly string[],
  discovery: Fixtures['discovery'],
): string[] {
  const usable = listed.filter((id) => !matchesModel(discovery.avoid, id));
  const preferred = (discovery.prefer[operation] ?? []).flatMap((pattern) =>
    usable.filter((id) => matchesModel(pattern, id)),
  );
  return [...new Set(preferred)].slice(0, discovery.tries);
}
