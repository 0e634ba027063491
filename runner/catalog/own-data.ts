import { createHash } from 'node:crypto';
import { basename, extname } from 'node:path';
import type { DataFile, DataPath } from '../../common/data-file.ts';
import { toList, toMapping } from '../../common/mapping.ts';
import type { AttributeVocabulary } from './attributes.ts';
import type { Catalog } from './catalog.ts';
import { type Clauses, checkClausesOf } from './clauses.ts';
import { type Expectation, isAboutOneResponse } from './expectation.ts';
import { checkFixtureNames } from './fixture-names.ts';
import { type Requirement, readRequirements } from './requirements.ts';
import { readScenarios, type Scenario } from './scenarios.ts';

/** The files of requirements and scenarios that a profile adds to those of this package. */
export interface OwnData {
  readonly requirements: readonly DataFile[];
  readonly scenarios: readonly DataFile[];
}

export const noOwnData: OwnData = { requirements: [], scenarios: [] };

/** Prefixes of IDs and names of suites in reports that no file of the catalog has. */
const otherPrefixes = ['clients', 'fuzz', 'recorded'];

/**
 * Returns the catalog with own requirements, their clauses, and own scenarios. They add to what the specification
 * demands, and change nothing of it. Throws a `DataFileError` if a file is invalid.
 */
export function addOwnData(catalog: Catalog, own: OwnData): Catalog {
  if (own.requirements.length + own.scenarios.length === 0) return catalog;
  const { ledger, attributes, schemas, errors, fixtures } = catalog;
  const ofPackage = [...ledger.requirements, ...ledger.uncheckedClauses, ...catalog.clientDuties];
  const taken = new Set([
    ...ofPackage.map(({ id }) => prefixOf(id)),
    ...catalog.scenarios.map(({ suite }) => suite),
    ...otherPrefixes,
  ]);
  const { requirements } = readRequirements(own.requirements, attributes, schemas, {
    errors,
    others: ledger.requirements,
  });
  for (const file of own.requirements) checkEntries(file, taken);
  const clauses = addClauses(own.requirements, catalog.clauses);
  for (const file of own.requirements) {
    checkClausesOf(file, clauses);
    checkExpectations(file, requirements, catalog);
  }
  const scenarios = readOwnScenarios(own.scenarios, taken, catalog);
  for (const [file, read] of scenarios) checkFixtureNames(file, read, fixtures);
  return {
    ...catalog,
    ledger: {
      ...ledger,
      requirements: [
        ...ledger.requirements,
        ...requirements.map((item): Requirement => ({ ...item, isOwn: true })),
      ],
    },
    clauses,
    scenarios: [...catalog.scenarios, ...scenarios.flatMap(([, read]) => read)],
    revision: `${catalog.revision}+${hash(own)}`,
  };
}

function prefixOf(id: string): string {
  return id.split('/')[0] ?? '';
}

/** The first 12 hexadecimal digits of the SHA-256 hash of the contents, without comments and white space. */
function hash({ requirements, scenarios }: OwnData): string {
  const contents = [
    requirements.map(({ value }) => value),
    scenarios.map((file) => [suiteOf(file), file.value]),
  ];
  return createHash('sha256').update(JSON.stringify(contents)).digest('hex').slice(0, 12);
}

/** Checks the IDs, and that each entry is a requirement: own data can't take anything out of the judgement. */
function checkEntries(file: DataFile, taken: ReadonlySet<string>): void {
  for (const [index, entry] of toList(toMapping(file.value).requirements).entries()) {
    const { id, ...members } = toMapping(entry);
    const prefix = prefixOf(String(id));
    if (taken.has(prefix))
      throw file.error(
        ['requirements', index, 'id'],
        `the requirements of this package have IDs that begin with "${prefix}/". Begin "${id}" with a name of your own, such as "ours/".`,
      );
    const unchecked = ['excluded', 'silent'].find((name) => name in members);
    if (unchecked !== undefined)
      throw file.error(
        ['requirements', index, unchecked],
        `a requirement of your own can't be \`${unchecked}\`. Remove this entry.`,
      );
  }
}

function addClauses(files: readonly DataFile[], ofPackage: Clauses): Clauses {
  const clauses = new Map(ofPackage);
  for (const file of files)
    for (const [name, text] of Object.entries(toMapping(toMapping(file.value).clauses))) {
      const fail = (problem: string): Error => file.error(['clauses', name], problem);
      if (!/^\p{L}[^;]*$/u.test(name))
        throw fail(
          `the name of the clause "${name}" must begin with a letter and contain no semicolon. Rename the clause.`,
        );
      if (clauses.has(name)) throw fail(`the clause "${name}" is defined twice. Rename or remove one.`);
      clauses.set(name, String(text));
    }
  return clauses;
}

/** Checks what the schema of requirements leaves open, so that no mistake shows only when a response is judged. */
function checkExpectations(
  file: DataFile,
  requirements: readonly Requirement[],
  { attributes, schemas }: Pick<Catalog, 'attributes' | 'schemas'>,
): void {
  for (const [index, entry] of toList(toMapping(file.value).requirements).entries()) {
    const requirement = requirements.find(({ id }) => id === toMapping(entry).id);
    const fail = (problem: string): Error =>
      file.error(['requirements', index, 'then'], `${problem} Correct the expectation.`);
    for (const part of requirement ? partsOf(requirement.then) : [])
      if (part.kind === 'one-fault') throw fail('`response: of-one-fault` is only for the specification.');
      else if (part !== requirement?.then && !isAboutOneResponse(part))
        throw fail('An expectation on several responses must stand alone, not in or next to another one.');
      else if (part.kind === 'is') attempt(() => schemas.problems(part.schema, null), fail);
      else if (part.kind === 'path') attempt(() => new RegExp(part.pattern), fail);
      else if (part.kind === 'attribute')
        for (const value of part.matcher.values) checkAttribute(attributes, part.name, value, fail);
  }
}

function checkAttribute(
  attributes: AttributeVocabulary,
  name: string,
  value: string,
  fail: (problem: string) => Error,
): void {
  const complaint = attributes.complaint(name, value);
  if (complaint !== undefined) throw fail(complaint);
}

function attempt(action: () => unknown, fail: (problem: string) => Error): void {
  try {
    action();
  } catch (error) {
    throw fail(`${error instanceof Error ? error.message : error}.`);
  }
}

function partsOf(then: Expectation): readonly Expectation[] {
  const inner = [
    ...('of' in then ? [then.of].flat() : []),
    ...('after' in then && then.after ? [then.after] : []),
  ];
  return [then, ...inner.flatMap(partsOf)];
}

/** Returns the names of the suites: those of the files of scenarios. */
export function listOwnSuites({ scenarios }: OwnData): string[] {
  return scenarios.map(suiteOf);
}

function suiteOf({ file }: DataFile): string {
  return basename(file, extname(file));
}

function readOwnScenarios(
  files: readonly DataFile[],
  taken: ReadonlySet<string>,
  { attributes, schemas }: Pick<Catalog, 'attributes' | 'schemas'>,
): readonly (readonly [DataFile, readonly Scenario[]])[] {
  const suites = new Map<string, string>();
  return files.map((file) => {
    const suite = suiteOf(file);
    const fail = (path: DataPath, problem: string): Error => file.error(path, problem);
    if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(suite))
      throw fail(
        [],
        `the name of the file is the name of its suite, and must have only lower-case letters, digits and dashes. Rename the file.`,
      );
    if (taken.has(suite))
      throw fail(
        [],
        `the name of the file is the name of its suite, and "${suite}" is taken. Rename the file.`,
      );
    const other = suites.get(suite);
    if (other !== undefined)
      throw fail(
        [],
        `${other} has the same name, which is the name of its suite. Rename one of the two files.`,
      );
    suites.set(suite, file.file);
    const scenarios = readScenarios(suite, file, schemas, attributes);
    for (const [index, { phase, pool }] of scenarios.entries()) {
      if (pool || phase === 'pooled')
        throw fail(
          ['scenarios', index, pool ? 'pool' : 'phase'],
          'the cases of the suite "pooled" also judge your requirements with `over: operation` and `over: run`. Remove this scenario.',
        );
      if (phase === 'controls')
        throw fail(
          ['scenarios', index, 'phase'],
          'the controls of this package show what can be judged. Choose another phase, or remove this property.',
        );
    }
    return [file, scenarios];
  });
}
