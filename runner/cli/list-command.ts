import { faults, variants } from '../../reference-server/index.ts';
import { type Catalog, loadCatalog } from '../catalog/catalog.ts';
import { suggestion } from '../catalog/nearest.ts';
import { operationIds } from '../catalog/operations.ts';
import { plan } from '../plan/plan.ts';
import { UsageError } from '../profile/profile.ts';
import { everythingProfile } from './everything-profile.ts';

const lists: Readonly<Record<string, (catalog: Catalog) => string[]>> = {
  requirements: ({ ledger }) =>
    table([
      ...ledger.requirements.map(({ id, level, says }) => [id, level, says]),
      ...ledger.unchecked.map(({ id, kind, reason }) => [id, kind, reason]),
    ]),
  cases: (catalog) => plan(catalog, everythingProfile(catalog)).cases.map((item) => item.id),
  suites: (catalog) => table(catalog.scenarios.map(({ suite, id, about }) => [`${suite}/${id}`, about])),
  operations: ({ operations }) =>
    table(
      operationIds.map((id) => [
        id,
        operations[id].request ?? '(stated by the profile)',
        operations[id].headers.join(', '),
      ]),
    ),
  faults: () => table(faults.map(({ id, about, breaks }) => [id, about, breaks.join(', ')])),
  variants: () => table(variants.map(({ id, about }) => [id, about])),
};

/** The text of a list; throws UsageError where there is no such list. */
export async function listCommand(what: string): Promise<string> {
  const make = Object.hasOwn(lists, what) ? lists[what] : undefined;
  if (!make) {
    const known = Object.keys(lists);
    throw new UsageError(
      `There is no list of "${what}".${suggestion(what, known) || ` There are: ${known.join(', ')}.`}`,
    );
  }
  return `${make(await loadCatalog()).join('\n')}\n`;
}

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = rows.reduce<number[]>(
    (max, row) => row.map((cell, index) => Math.max(max[index] ?? 0, cell.length)),
    [],
  );
  return rows.map((row) =>
    row.map((cell, index) => (index < row.length - 1 ? cell.padEnd(widths[index] ?? 0) : cell)).join('  '),
  );
}
