import type { Fixtures } from '../catalog/fixtures.ts';
import { mapping } from '../catalog/mapping.ts';

/** The model IDs that a model list names, whatever its shape: the first of `id`, `name`, `model` in each entry, or plain texts. */
export function listedModels(value: unknown): string[] {
  const found: string[] = [];
  visit(value);
  return [...new Set(found)];

  function visit(item: unknown): void {
    if (Array.isArray(item)) {
      for (const entry of item) {
        if (typeof entry === 'string') found.push(entry);
        else visit(entry);
      }
      return;
    }
    const members = mapping(item);
    const id = [members.id, members.name, members.model].find((text) => typeof text === 'string');
    if (typeof id === 'string') found.push(id.replace(/^models\//, ''));
    else for (const [, inner] of Object.entries(members)) visit(inner);
  }
}

/** The listed models to try for an operation, the likeliest first, as `fixtures/discovery.yaml` says. */
export function candidates(
  operation: string,
  listed: readonly string[],
  discovery: Fixtures['discovery'],
): string[] {
  const usable = listed.filter((id) => !discovery.avoid.test(id));
  const preferred = (discovery.prefer[operation] ?? []).flatMap((pattern) =>
    usable.filter((id) => pattern.test(id)),
  );
  return [...new Set(preferred)].slice(0, discovery.tries);
}
