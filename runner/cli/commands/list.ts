import { suggestion } from '../../../contract/nearest.ts';
import { faults, variants } from '../../../reference-server/index.ts';
import { type Catalog, loadCatalog } from '../../catalog/catalog.ts';
import { operationIds } from '../../catalog/operations.ts';
import { loadSdkSpec } from '../../clients/sdk-spec.ts';
import { plan } from '../../plan/plan.ts';
import { everythingProfile } from '../../profile/everything-profile.ts';
import { UsageError } from '../../profile/profile.ts';
import { hang } from '../../text/wrap.ts';

type Rows = readonly (readonly string[])[];

const lists: Readonly<Record<string, (catalog: Catalog) => Rows>> = {
  requirements: ({ requirements, uncheckedClauses, clientDuties }) => [
    ...requirements.map(({ id, level, says }) => [id, level, says]),
    // The ledger of the gateway has some duties of clients too, as excluded.
    ...uncheckedClauses
      .filter(({ id }) => !clientDuties.some((duty) => duty.id === id))
      .map(({ id, kind, reason }) => [id, kind, reason]),
    ...[...clientDuties, ...loadSdkSpec().requirements].map(({ id, level, says }) => [id, level, says]),
  ],
  cases: (catalog) => plan(catalog, everythingProfile(catalog)).cases.map((item) => [item.id]),
  suites: (catalog) => catalog.scenarios.map(({ suite, id, about }) => [`${suite}/${id}`, about]),
  operations: ({ operations }) =>
    operationIds.map((id) => [
      id,
      operations[id].request ?? '(stated by the profile)',
      operations[id].headers.join(', '),
    ]),
  faults: () => faults.map(({ id, about, breaks }) => [id, `${about} Breaks ${breaks.join(', ')}.`]),
  variants: () => variants.map(({ id, about }) => [id, about]),
};

/** The text of a list for lines of so many characters; throws UsageError where there is no such list. */
export async function listCommand(what: string, width: number): Promise<string> {
  const make = Object.hasOwn(lists, what) ? lists[what] : undefined;
  if (!make) {
    const known = Object.keys(lists);
    throw new UsageError(
      `There is no list of "${what}".${suggestion(what, known) || ` There are: ${known.join(', ')}.`}`,
    );
  }
  return `${table(make(await loadCatalog()), width).join('\n')}\n`;
}

/** The narrowest last column; where there is less room, it stands below the others. */
const narrowest = 36;

/** Rows in columns, a line each; where they are too long for the width, the last column is wrapped. */
function table(rows: Rows, width: number): string[] {
  const widths = rows.reduce<number[]>(
    (max, row) => row.map((cell, index) => Math.max(max[index] ?? 0, cell.length)),
    [],
  );
  const beside = width - widths.slice(0, -1).reduce((sum, cell) => sum + cell + 2, 0) >= narrowest;
  return rows.flatMap((row) => {
    const last = row.at(-1) ?? '';
    const cells = row.slice(0, -1).map((cell, index) => `${cell.padEnd(widths[index] ?? 0)}  `);
    if (cells.length === 0) return [last];
    return beside
      ? hang({ width }, cells.join(''), last)
      : [cells.join('').trimEnd(), ...hang({ width }, '    ', last)];
  });
}
