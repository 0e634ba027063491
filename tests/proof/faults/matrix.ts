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
export type Cell = Fault & { readonly facts: Facts; readonly mayViolate: readonly string[] };

/** What a cell is about: its change, and the request with the reason of refusal, by name. `any` stands for all. */
type Facts = Readonly<Record<string, string>>;
type Row = Readonly<Record<string, unknown>>;

const file = join(packageRoot, 'tests', 'proof', 'faults', 'matrix.yaml');
const table = toMapping(readDataFile(file).value);
const rowsOf = (name: string): readonly Row[] => toList(table[name]).map(toMapping);
const textsOf = (values: unknown): readonly string[] => [values].flat().map(String);

/** Returns each combination of one value of each fact. */
const expand = (row: Row): readonly Facts[] =>
  Object.entries(row).reduce<readonly Facts[]>(
    (all, [name, values]) =>
      all.flatMap((facts) => textsOf(values).map((value) => ({ ...facts, [name]: value }))),
    [{}],
  );

/** Whether the facts fit conditions such as `{ operation: [chat, responses], streamed: true }`. */
const fits = (facts: Facts, where: unknown): boolean =>
  Object.entries(toMapping(where)).every(
    ([name, values]) => facts[name] === 'any' || textsOf(values).includes(facts[name] ?? ''),
  );

const operations = rowsOf('operations')
  .flatMap(expand)
  .map((facts): Facts => ({ ...facts, usual: String(facts.usual === facts.place) }));

/** Returns the requests that a cell can be about, each with the rules that come before the rule of the cell. */
function listRequests(): readonly { readonly facts: Facts; readonly before: readonly unknown[] }[] {
  return rowsOf('requests').flatMap(({ refused, where, set, rules }) => {
    const found = operations
      .filter((facts) => fits(facts, where))
      .map((facts) => (toMapping(set).place === undefined ? facts : { ...facts, usual: 'any' }))
      .flatMap((facts) => expand({ parts: 'one', ...facts, ...toMapping(set), refused }));
    return [...new Map(found.map((facts) => [JSON.stringify(facts), facts])).values()].map((facts) => ({
      facts,
      before: toList(fillFacts(rules, facts)),
    }));
  });
}

/** Replaces `{ fact: NAME }` with the fact. */
function fillFacts(value: unknown, facts: Facts): unknown {
  if (Array.isArray(value)) return value.map((item) => fillFacts(item, facts));
  if (!isObject(value)) return value;
  if (typeof value.fact === 'string') return facts[value.fact];
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fillFacts(item, facts)]));
}

/** Returns all cells, of which only some are tested. */
function listCells(): readonly Cell[] {
  const changes = rowsOf('changes');
  return listRequests().flatMap(({ facts: request, before }) => {
    const own = changes.filter(
      ({ where, except }) => fits(request, where) && !toList(except).some((one) => fits(request, one)),
    );
    return own
      .filter(({ name }, index) => own.findIndex((other) => other.name === name) === index)
      .map(({ name, group, change, breaks }) => {
        const facts = { ...request, change: String(name), group: String(group) };
        return createCell(facts, textsOf(breaks), [...before, { match: matchOf(facts, change), change }]);
      });
  });
}

function createCell(facts: Facts, breaks: readonly string[], stated: readonly unknown[]): Cell {
  const { change, operation, place, streamed, refused, key = 'any', parts } = facts;
  const how = { true: 'streamed', false: 'plain' }[streamed ?? ''] ?? 'any';
  const names = ['matrix', change, operation, parts === 'two' ? 'any' : place, how, refused, key];
  const rules: readonly Rule[] = readRules(stated);
  const violates = listViolated(facts, breaks, false);
  return {
    id: names.filter((name) => name !== 'any').join('/'),
    about: rules.map((rule) => `--fault '${JSON.stringify(rule)}'`).join(' '),
    violates,
    mayViolate: listViolated(facts, breaks, true),
    setup: () => applyRulesToGateway(createRules(rules)),
    facts,
  };
}

/** Returns the condition of the rule. A check is skipped before it is known whether it refuses the request. */
function matchOf({ operation, place, streamed, refused }: Facts, change: unknown): Row {
  const varies = operations.some((facts) => facts.operation === operation && facts.streamed !== streamed);
  return {
    operation,
    place,
    ...(streamed !== 'any' && varies && { streamed: streamed === 'true' }),
    ...(!('skip' in toMapping(change)) && { refused: refused === 'none' ? false : refused }),
  };
}

function listViolated(facts: Facts, breaks: readonly string[], may: boolean): readonly string[] {
  const found = rowsOf('expect').filter(
    (row) =>
      (row.may ?? false) === may &&
      fits(facts, { parts: 'one', ...toMapping(row.where) }) &&
      textsOf(row.breaks).some((one) => breaks.includes(one)),
  );
  return [...new Set(found.flatMap(({ requirements }) => textsOf(requirements)))];
}

/**
 * Chooses cells until every combination of values of the facts in a group occurs. Cells are tried in an order that
 * depends only on their names, and in which neighbours have little in common.
 */
function chooseCovering(cells: readonly Cell[], groups: readonly (readonly string[])[]): readonly Cell[] {
  const covered = new Set<string>();
  const waiting = cells
    .map((cell) => ({
      cell,
      order: createHash('sha256').update(cell.id).digest('hex'),
      combinations: groups.map((names) => names.map((name) => `${name} ${cell.facts[name]}`).join()),
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
export const matrix: readonly Cell[] = rowsOf('cover').flatMap(({ where, facts }) =>
  chooseCovering(
    allCells.filter((cell) => fits(cell.facts, where)),
    toList(facts).map(textsOf),
  ),
);
