import { groupBy } from '../../../common/lists.ts';
import { wrapWords } from '../../../common/wrap.ts';
import type { AttributeClass } from '../../plan/attribute-classes.ts';
import {
  type Combination,
  type CombinationState,
  type Combinations,
  listCombinations,
  sumUp,
} from '../../plan/coverage.ts';
import { plan } from '../../plan/plan.ts';
import type { GatewayPromise } from '../../profile/promise.ts';
import { formatPercentage } from '../../view/counts.ts';

/** The columns of the table: the title and the state that is counted. */
const columns: readonly (readonly [string, CombinationState])[] = [
  ['sent', 'judged'],
  ['not chosen', 'not-chosen'],
  ['ambiguous', 'ambiguous'],
  ['not judged', 'unspecified'],
  ['impossible', 'impossible'],
];

/** Formats the coverage of a default run, and the combinations that it could send and doesn't. */
export function formatCoverageList(promise: GatewayPromise, width: number): string[] {
  return [
    ...wrapWords(
      { width },
      '',
      'A default run with a profile that states everything, `setup` included. A run with another profile covers less.',
    ),
    '',
    ...formatCombinations(listCombinations(promise, plan(promise).cases), width),
  ];
}

export function formatCombinations({ pairs, triples }: Combinations, width: number): string[] {
  const isOpen = ({ state }: Combination): boolean => state === 'not-chosen';
  const openPairs = pairs.filter(isOpen);
  const keys = new Set(openPairs.map(({ classes }) => keyOf(classes)));
  const ownTriples = triples.filter(
    (item) =>
      isOpen(item) &&
      !item.classes.some((left) => keys.has(keyOf(item.classes.filter((other) => other !== left)))),
  );
  const section = (title: string, items: readonly Combination[]): string[] =>
    items.length === 0 ? [] : ['', title, ...formatGroups(items, width)];
  return [
    ...formatTable([
      ['', ...columns.map(([title]) => title), 'coverage'],
      formatRow('pairs', pairs),
      formatRow('triples', triples),
    ]),
    ...section('Pairs not chosen', openPairs),
    ...section('Triples not chosen, although each of their pairs is sent', ownTriples),
  ];
}

function formatRow(name: string, combinations: readonly Combination[]): string[] {
  const counts = new Map(
    groupBy(combinations, ({ state }) => state).map(([state, { length }]) => [state, length] as const),
  );
  return [
    name,
    ...columns.map(([, state]) => String(counts.get(state) ?? 0)),
    formatPercentage(sumUp(counts)),
  ];
}

function formatTable(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, index) => (index === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[index] ?? 0)))
      .join('  '),
  );
}

function keyOf(classes: readonly AttributeClass[]): string {
  return classes.map(({ attribute, name }) => `${attribute}=${name}`).join(' ');
}

/** Formats the combinations of each group of attributes: the first values, and after a colon the last values. */
function formatGroups(items: readonly Combination[], width: number): string[] {
  const groups = groupBy(items, ({ classes }) => classes.map(({ attribute }) => attribute).join(' × '));
  return groups.flatMap(([attributes, own]) => {
    let rows = own.map(({ classes }) => classes.map(({ name }) => name));
    // Rows that differ only in one column are merged, first in the last column.
    for (let column = (rows[0]?.length ?? 0) - 1; column >= 0; column--)
      rows = groupBy(rows, (row) => row.toSpliced(column, 1).join('\n')).map(([, same]) =>
        (same[0] ?? []).with(column, [...new Set(same.map((row) => row[column] ?? ''))].join(', ')),
      );
    return [
      `  ${attributes}`,
      ...rows.flatMap((row) =>
        wrapWords({ width }, '    ', `${row.slice(0, -1).join(' × ')}: ${row.at(-1)}`, 2),
      ),
    ];
  });
}
