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
  /** The rows of the table from which the cell is made, and by which it is judged. */
  readonly rows: readonly Row[];
};

/** What a cell is about: its change, and the request with the reason of refusal, by name. `any` stands for all. */
type Facts = Readonly<Record<string, string>>;
type Row = Readonly<Record<string, unknown>>;

const file = join(packageRoot, 'tests', 'proof', 'faults', 'matrix.yaml');
const table = toMapping(readDataFile(file).value);
const groups = toMapping(table.groups);
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
const valuesOf = (fact = ''): readonly string[] =>
  fact in groups ? textsOf(groups[fact]) : [fact];

/** Whether the facts fit conditions such as `{ operation: [chat, responses], streamed: true }`. */
const fits = (facts: Facts, where: unknown): boolean =>
  Object.entries(toMapping(where)).every(
    ([name, values]) =>
      facts[name] === 'any' || textsOf(values).some((value) => valuesOf(facts[name]).includes(value)),
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
  if (typeof value.fact === 'string') return valuesOf(facts[value.fact]);
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
    setup: () => applyRulesToGateway(createRules(rules)),
    facts,
    rows: [request.row, row, ...violated],
  };
}

/** Returns the condition of the rule. A check is skipped before it is known whether it refuses the request. */
function matchOf({ operation, place, streamed, refused }: Facts, change: unknown): Row {
  const varies = operations.some((facts) => facts.operation === operation && facts.streamed !== streamed);
  return {
    operation,
    ...(place !== 'any' && { place }),
    ...(streamed !== 'any' && varies && { streamed: streamed === 'true' }),
    ...(!('skip' in toMapping(change)) && { refused: refused === 'none' ? false : valuesOf(refused) }),
  };
}

/**
 * Chooses cells until, with those chosen before, every combination of values of the facts in a group occurs. Cells are
 * tried in an order that depends only on their names, and in which neighbours have little in common.
 */
function chooseCovering(
  cells: readonly Cell[],
  groups: readonly (readonly string[])[],
  before: readonly Cell[],
): readonly Cell[] {
  const combinationsOf = ({ facts }: Cell): readonly string[] =>
    groups.map((names) => names.map((name) => `${name} ${facts[name]}`).join());
  const covered = new Set(cells.filter((cell) => before.includes(cell)).flatMap(combinationsOf));
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
export const matrix: readonly Cell[] = rowsOf('cover').reduce<readonly Cell[]>((chosen, { where, facts }) => {
  const candidates = allCells.filter((cell) => fits(cell.facts, where));
  return [...new Set([...chosen, ...chooseCovering(candidates, toList(facts).map(textsOf), chosen)])];
}, []);

/** Returns the rows of the table that no tested cell needs, as JSON. */
export function listUnusedRows(): readonly string[] {
  const used = new Set(matrix.flatMap(({ rows }) => rows));
  return [...requests, ...changes, ...expectations]
    .filter((row) => !used.has(row))
    .map((row) => JSON.stringify(row));
}
