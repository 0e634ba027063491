import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { readDataFile } from '../../../common/data-file.ts';
import { isObject, toList, toMapping } from '../../../common/mapping.ts';
import { packageRoot } from '../../../common/package-root.ts';
import { applyRulesToGateway } from '../../../reference-server/apply-rules.ts';
import type { Fault } from '../../../reference-server/faults/fault.ts';
import { readRules } from '../../../reference-server/read-rules.ts';
import type { Rule } from '../../../reference-server/rules/rule.ts';
import { createRules } from '../../../reference-server/rules/rules.ts';

/** A fault of the matrix. Its `about` is the flags with which `serve` shows it. */
export type Cell = Fault & {
  readonly facts: Facts;
  readonly mayViolate: readonly string[];
  readonly rules: readonly Rule[];
  /** The rows of the table from which the cell is made, and by which it is judged. */
  readonly rows: readonly Row[];
};

/** What a cell is about: its change, and the request with the reason of refusal, by name. `any` stands for all. */
type Facts = Readonly<Record<string, string>>;
type Row = Readonly<Record<string, unknown>>;

const file = join(packageRoot, 'tests', 'proof', 'faults', 'matrix.yaml');
const table = toMapping(readDataFile(file).value);
const named = toMapping(table.groups);
const rowsOf = (name: string): readonly Row[] => toList(table[name]).map(toMapping);
const textsOf = (values: unknown): readonly string[] => [values].flat().map(String);

/** Returns each combination of one value of each fact. */
const expand = (row: Row): readonly Facts[] =>
  Object.entries(row).reduce<readonly Facts[]>(
    (all, [name, values]) =>
      all.flatMap((facts) => textsOf(values).map((value) => ({ ...facts, [name]: value }))),
    [{}],
  );

/** Returns the values for which a fact stands. */
const valuesOf = (fact = ''): readonly string[] => (fact in named ? textsOf(named[fact]) : [fact]);

/** Returns a fact as a rule states it: as a text or a list. */
function oneOf(fact: string | undefined): unknown {
  const values = valuesOf(fact);
  return values.length === 1 ? values[0] : values;
}

/** Whether the facts fit conditions such as `{ operation: [chat, responses], streamed: true }`. */
const fits = (facts: Facts, where: unknown): boolean =>
  Object.entries(toMapping(where)).every(
    ([name, values]) =>
      facts[name] === 'any' ||
      textsOf(values)
        .flatMap(valuesOf)
        .some((value) => valuesOf(facts[name]).includes(value)),
  );

const [requests, changes, expectations] = [rowsOf('requests'), rowsOf('changes'), rowsOf('expect')];
const operations = rowsOf('operations')
  .flatMap(expand)
  .map((facts): Facts => ({ ...facts, usual: String(facts.usual === facts.place) }));

type Request = { readonly facts: Facts; readonly row: Row };

/** Returns the requests that a cell can be about. */
function listRequests(): readonly Request[] {
  return requests.flatMap((row) => {
    const { refused, where, set } = row;
    const found = operations
      .filter((facts) => fits(facts, where))
      .map((facts) => (toMapping(set).place === undefined ? facts : { ...facts, usual: 'any' }))
      .flatMap((facts) => expand({ parts: 'one', ...facts, ...toMapping(set), refused }));
    const distinct = new Map(found.map((facts) => [JSON.stringify(facts), facts]));
    return [...distinct.values()].map((facts) => ({ facts, row }));
  });
}

/** Replaces `{ fact: NAME }` with the fact. */
function fillFacts(value: unknown, facts: Facts): unknown {
  if (Array.isArray(value)) return value.map((item) => fillFacts(item, facts));
  if (!isObject(value)) return value;
  if (typeof value.fact === 'string') return oneOf(facts[value.fact]);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fillFacts(item, facts)]));
}

/** Returns all cells, of which only some are tested. */
function listCells(): readonly Cell[] {
  return listRequests().flatMap((request) => {
    const own = changes.filter(
      ({ where, except }) =>
        fits(request.facts, where) && !toList(except).some((one) => fits(request.facts, one)),
    );
    return own
      .filter(({ name }, index) => own.findIndex((other) => other.name === name) === index)
      .map((row) => createCell(request, row));
  });
}

function createCell(request: Request, row: Row): Cell {
  const facts: Facts = { ...request.facts, change: String(row.name), group: String(row.group) };
  const { change, operation, place, streamed, refused = '', key = 'any', parts } = facts;
  const how = { true: 'streamed', false: 'plain' }[streamed ?? ''] ?? 'any';
  const names = ['matrix', change, operation, parts === 'two' ? 'any' : place, how, refused, key];
  const rules: readonly Rule[] = readRules([
    ...toList(fillFacts(request.row.rules, facts)),
    { match: matchOf(facts, row.change), change: row.change },
  ]);
  const broken = textsOf(row.breaks);
  const violated = expectations.filter(
    ({ where, breaks }) =>
      fits(facts, { parts: 'one', ...toMapping(where) }) &&
      textsOf(breaks).some((one) => broken.includes(one)),
  );
  const list = (rows: readonly Row[]): readonly string[] => [
    ...new Set(rows.flatMap(({ requirements }) => textsOf(requirements))),
  ];
  return {
    id: names.filter((name) => name !== 'any').join('/'),
    about: rules.map((rule) => `--fault '${JSON.stringify(rule)}'`).join(' '),
    violates: list(violated.filter(({ may }) => may !== true)),
    mayViolate: list(violated.filter(({ may }) => may === true)),
    ...setupOf(rules),
    facts,
    rules,
    rows: [request.row, row, ...violated],
  };
}

const setupOf = (rules: readonly Rule[]): Pick<Fault, 'setup'> => ({
  setup: () => applyRulesToGateway(createRules(rules)),
});

/** Returns the condition of the rule. A check is skipped before it is known whether it refuses the request. */
function matchOf({ operation, place, streamed, refused }: Facts, change: unknown): Row {
  const varies = operations.some((facts) => facts.operation === operation && facts.streamed !== streamed);
  return {
    operation,
    ...(place !== 'any' && { place }),
    ...(streamed !== 'any' && varies && { streamed: streamed === 'true' }),
    ...(!('skip' in toMapping(change)) && { refused: refused === 'none' ? false : oneOf(refused) }),
  };
}

/**
 * Chooses cells until, with those chosen before, every combination of values of the facts in a group occurs. Cells are
 * tried in an order that depends only on their names, and in which neighbours have little in common.
 */
function chooseCovering(
  cells: readonly Cell[],
  groups: readonly (readonly string[])[],
  before: ReadonlySet<Cell>,
): readonly Cell[] {
  const combinationsOf = ({ facts }: Cell): readonly string[] =>
    groups.map((names) => names.map((name) => `${name} ${facts[name]}`).join());
  const covered = new Set(cells.filter((cell) => before.has(cell)).flatMap(combinationsOf));
  const waiting = cells
    .map((cell) => ({
      cell,
      order: createHash('sha256').update(cell.id).digest('hex'),
      combinations: combinationsOf(cell),
    }))
    .sort((a, b) => (a.order < b.order ? -1 : 1));
  const gainOf = ({ combinations }: (typeof waiting)[number]): number =>
    combinations.filter((one) => !covered.has(one)).length;
  const chosen = new Set<Cell>();
  for (let gain = groups.length; gain > 0; gain -= 1) {
    for (const item of waiting) {
      if (gainOf(item) !== gain) continue;
      chosen.add(item.cell);
      for (const one of item.combinations) covered.add(one);
    }
  }
  return cells.filter((cell) => chosen.has(cell));
}

const allCells = listCells();

/** The cells that are tested. */
export const matrix: readonly Cell[] = chooseCells();

function chooseCells(): readonly Cell[] {
  const chosen = new Set<Cell>();
  for (const { where, facts } of rowsOf('cover')) {
    const candidates = allCells.filter((cell) => fits(cell.facts, where));
    for (const cell of chooseCovering(candidates, toList(facts).map(textsOf), chosen)) chosen.add(cell);
  }
  return allCells.filter((cell) => chosen.has(cell));
}

/** Returns the rows of the table that no tested cell needs, as JSON. */
export function listUnusedRows(): readonly string[] {
  const used = new Set(matrix.flatMap(({ rows }) => rows));
  return [...requests, ...changes, ...expectations]
    .filter((row) => !used.has(row))
    .map((row) => JSON.stringify(row));
}

/** A gateway with several cells. */
export type CellGroup = Fault & { readonly cells: readonly Cell[] };

/**
 * Returns gateways with all cells, so that fewer runs are needed. The cells of a gateway are about different operations
 * and violate different requirements, so each is still seen apart. A cell that refuses valid requests is alone, since
 * the suite can then judge less; and only one cell of a gateway changes the order of checks.
 */
export function groupCells(cells: readonly Cell[]): readonly CellGroup[] {
  const groups: { readonly cells: Cell[]; readonly taken: Set<string> }[] = [];
  for (const cell of cells) {
    const { violates, mayViolate, facts, rules } = cell;
    const takes = [
      ...violates,
      ...mayViolate,
      `operation ${facts.operation}`,
      ...(rules.length > 1 ? ['order of checks'] : []),
    ];
    const isAlone = facts.refused === 'none';
    const group = isAlone
      ? undefined
      : groups.find(({ taken }) => !taken.has(alone) && !takes.some((one) => taken.has(one)));
    if (group) group.cells.push(cell);
    else groups.push({ cells: [cell], taken: new Set(isAlone ? [alone] : []) });
    const { taken } = group ?? groups.at(-1) ?? { taken: new Set<string>() };
    for (const one of takes) taken.add(one);
  }
  return groups.map((group) => combineCells(group.cells));
}

const alone = 'valid requests';

/** Returns a gateway with these cells. */
export function combineCells(cells: readonly Cell[]): CellGroup {
  const ids = cells.map(({ id }) => id);
  return {
    id: ids.length > 1 ? `${ids[0]} and ${ids.length - 1} more` : ids.join(),
    about: cells.map(({ about }) => about).join(' '),
    violates: cells.flatMap(({ violates }) => violates),
    ...setupOf(cells.flatMap(({ rules }) => rules)),
    cells,
  };
}
