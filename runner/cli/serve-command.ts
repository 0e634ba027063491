import { combineSetups, faults, serveReference, variants } from '../../reference-server/index.ts';
import { suggestion } from '../catalog/nearest.ts';
import { UsageError } from '../profile/profile.ts';

/** The flags of `serve`. */
export interface ServeFlags {
  readonly host: string;
  readonly port: number;
  readonly fault: readonly string[];
  readonly variant: readonly string[];
}

/** Serves the reference gateway, with the named faults and variants, until it is told to stop; throws UsageError. */
export async function serveCommand({ host, port, fault, variant }: ServeFlags): Promise<void> {
  const chosen = [
    ...fault.map((id) => find('fault', id, faults)),
    ...variant.map((id) => find('variant', id, variants)),
  ];
  for (const { id, about } of chosen) process.stderr.write(`${id}: ${about}\n`);
  await serveReference({ host, port, setup: combineSetups(chosen.map(({ setup }) => setup())) });
}

function find<T extends { readonly id: string }>(what: string, id: string, known: readonly T[]): T {
  const found = known.find((item) => item.id === id);
  if (found) return found;
  const hint =
    suggestion(
      id,
      known.map((item) => item.id),
    ) || ` \`conformance list ${what}s\` shows them.`;
  throw new UsageError(`There is no ${what} "${id}".${hint}`);
}
