import { formatSuggestion } from '../../../common/nearest.ts';
import { wrapWords } from '../../../common/wrap.ts';
import { listFaults } from '../../../reference-server/faults/index.ts';
import { listVariants } from '../../../reference-server/variants/index.ts';
import { catalogOfPackage } from '../../catalog/catalog.ts';
import { operationIds } from '../../catalog/operations.ts';
import { loadSdkSpec } from '../../clients/sdk-spec.ts';
import { type CoverageCounts, measureScenarios } from '../../plan/coverage.ts';
import { plan } from '../../plan/plan.ts';
import { createEverythingProfile } from '../../profile/everything-profile.ts';
import { UsageError } from '../../profile/profile.ts';
import { createPromise, type GatewayPromise } from '../../profile/promise.ts';

type Rows = readonly (readonly string[])[];

const lists: Readonly<Record<string, (promise: GatewayPromise) => Rows>> = {
  requirements: ({ requirements, uncheckedClauses, clientDuties, schemas }) => [
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
  ],
  clauses: ({ clauses }) => [...clauses].sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true })),
  cases: (promise) => plan(promise).cases.map((item) => [item.id]),
  coverage: (promise) => {
    const planned = new Set(plan(promise).cases.map(({ id }) => id));
    const own = measureScenarios(promise, (id) => (planned.has(id) ? 'judged' : undefined));
    const share = ({ judged, total }: CoverageCounts): string =>
      total === 0 ? 'none' : `${judged} of ${total}`;
    return own.map(({ scenario, cases, points, pairs, combinations }) => [
      `${scenario.suite}/${scenario.id}`,
      `${cases} of ${points} cases`,
      `pairs: ${share(pairs)}`,
      `named combinations of three: ${share(combinations)}`,
    ]);
  },
  suites: ({ scenarios }) => scenarios.map(({ suite, id, about }) => [`${suite}/${id}`, about]),
  operations: ({ operations }) =>
    operationIds.map((id) => [
      id,
      operations[id].request ?? '(stated by the profile)',
      operations[id].headers.join(', '),
    ]),
  faults: () =>
    listFaults().map(({ id, about, violates }) => [id, `${about} Violates ${violates.join(', ')}.`]),
  variants: () => listVariants().map(({ id, about }) => [id, about]),
};

/**
 * Formats the list `what`, such as `faults`, as a table. If the list has several columns, wraps the last column to
 * fit into lines of `width` characters. Rejects with a `UsageError` if the list does not exist.
 */
export async function listCommand(what = 'requirements', width: number): Promise<string> {
  const createRows = Object.hasOwn(lists, what) ? lists[what] : undefined;
  if (!createRows) {
    const known = Object.keys(lists);
    throw new UsageError(
      `Unknown list "${what}".${formatSuggestion(what, known) || ` Expected one of: ${known.join(', ')}.`}`,
    );
  }
  const catalog = await catalogOfPackage();
  const promise = createPromise(catalog, createEverythingProfile(catalog));
  return `${formatTable(createRows(promise), width).join('\n')}\n`;
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
