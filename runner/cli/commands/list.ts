import { compileGlob } from '../../../common/glob.ts';
import { formatSuggestionOrList } from '../../../common/nearest.ts';
import { wrapWords } from '../../../common/wrap.ts';
import { listFaults } from '../../../reference-server/faults/index.ts';
import { listVariants } from '../../../reference-server/variants/index.ts';
import { catalogOfPackage } from '../../catalog/catalog.ts';
import { knownOperationIds } from '../../catalog/operations.ts';
import { loadSdkSpec } from '../../clients/sdk-spec.ts';
import { plan } from '../../plan/plan.ts';
import { UsageError } from '../../profile/profile.ts';
import type { GatewayPromise } from '../../profile/promise.ts';
import { type FlagsOf, listNames } from '../command-table.ts';
import { createEverythingPromise } from '../io/target.ts';
import { formatCoverageList } from './list-coverage.ts';

type Rows = readonly (readonly string[])[];

interface ListOptions {
  readonly width: number;
  /** A pattern for the first column; undefined for all rows. */
  readonly pattern: string | undefined;
}

type CreateLines = (promise: GatewayPromise, options: ListOptions) => string[];

const table =
  (createRows: (promise: GatewayPromise) => Rows): CreateLines =>
  (promise, { width, pattern }) => {
    const matches = pattern === undefined ? () => true : compileGlob(pattern);
    const rows = createRows(promise).filter(([id = '']) => matches(id));
    if (rows.length === 0) throw new UsageError(`Nothing in this list matches "${pattern}".`);
    return formatTable(rows, width);
  };

const lists: Readonly<Record<(typeof listNames)[number], CreateLines>> = {
  requirements: table(({ requirements, uncheckedClauses, clientDuties, schemas }) => [
    ...requirements.map(({ id, level, says }) => [id, level, says]),
    // Some client duties are also excluded requirements of the gateway. Such an ID is listed once, as a client duty.
    ...uncheckedClauses
      .filter(({ id }) => !clientDuties.some((duty) => duty.id === id))
      .map(({ id, kind, reason }) => [id, kind, reason]),
    ...[...clientDuties, ...loadSdkSpec(schemas).requirements].map(({ id, level, says }) => [
      id,
      level,
      says,
    ]),
  ]),
  clauses: table(({ clauses }) =>
    [...clauses].sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true })),
  ),
  cases: table((promise) => plan(promise).cases.map((item) => [item.id])),
  coverage: (promise, { width }) => formatCoverageList(promise, width),
  suites: table(({ scenarios }) => scenarios.map(({ suite, id, about }) => [`${suite}/${id}`, about])),
  operations: table(({ operations }) =>
    knownOperationIds.map((id) => [
      id,
      operations[id].request ?? '(stated by the profile)',
      operations[id].headers.join(', '),
    ]),
  ),
  faults: table(() =>
    listFaults().map(({ id, about, violates }) => [id, `${about} Violates ${violates.join(', ')}.`]),
  ),
  variants: table(() => listVariants().map(({ id, about }) => [id, about])),
};

/**
 * Formats the list `what`, such as `faults`, as a table of the rows whose first column matches a pattern. If the list has
 * several columns, wraps the last column to fit into lines of `width` characters. Rejects with a `UsageError` if the list
 * does not exist or nothing matches.
 */
export async function listCommand(
  what = 'requirements',
  flags: FlagsOf<'list'>,
  options: ListOptions,
): Promise<string> {
  const name = listNames.find((known) => known === what);
  if (!name) throw new UsageError(`Unknown list "${what}".${formatSuggestionOrList(what, listNames)}`);
  const promise = createEverythingPromise(flags, await catalogOfPackage());
  return `${lists[name](promise, options).join('\n')}\n`;
}

/**
 * The minimum width of the last column, in characters. If less space is left, the last column is printed below the
 * other columns.
 */
const narrowest = 36;

function formatTable(rows: Rows, width: number): string[] {
  const widths = rows.reduce<number[]>(
    (max, row) => row.map((cell, index) => Math.max(max[index] ?? 0, cell.length)),
    [],
  );
  const isWide = width - widths.slice(0, -1).reduce((sum, cell) => sum + cell + 2, 0) >= narrowest;
  return rows.flatMap((row) => {
    const last = row.at(-1) ?? '';
    const cells = row.slice(0, -1).map((cell, index) => `${cell.padEnd(widths[index] ?? 0)}  `);
    if (cells.length === 0) return [last];
    return isWide
      ? wrapWords({ width }, cells.join(''), last)
      : [cells.join('').trimEnd(), ...wrapWords({ width }, '    ', last)];
  });
}
