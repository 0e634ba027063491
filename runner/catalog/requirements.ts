import { type DataFile, DataFileError } from '../../common/data-file.ts';
import { toList, toMapping } from '../../common/mapping.ts';
import type { JsonSchema, Schemas } from '../../common/schemas.ts';
import { readBySchema } from '../../common/validate-data.ts';
import { type AttributeVocabulary, resolveValueSets } from './attributes.ts';
import { type Attributes, type Condition, evaluate, parseCondition } from './condition.ts';
import { type ErrorRows, noErrors } from './errors.ts';
import { dependsOnCalledModels, type Expectation, parseExpectation } from './expectation.ts';
import { expectPart, type SchemaPart } from './schema-parts.ts';
import { canHaveSeveralFaults, expectOneFault } from './several-faults.ts';

export type Level = 'must' | 'should';

/** A rule for gateways: the condition `then` on the exchanges that satisfy the condition `when`. */
export interface Requirement {
  readonly id: string;
  readonly clause: readonly string[];
  readonly level: Level;
  readonly says: string;
  readonly when: Condition;
  readonly then: Expectation;
  /** What the profile declares that the gateway does instead. */
  readonly instead?: Expectation;
  /** Whether the profile adds the requirement to those of the specification. */
  readonly isOwn?: true;
  /** The exchanges that are judged together: those of one case, of one operation, or of the whole run. */
  readonly over: 'case' | 'operation' | 'run';
  /**
   * The result of a 429 that persists although a control after the 429 succeeds. `judged`: the 429 is judged like any
   * other response. `excused`: the check is inconclusive, because earlier requests may have caused the 429.
   */
  readonly transient: 'judged' | 'excused';
  /**
   * The condition under which the response of a control is judged. `control`: the operation works with a valid call.
   * `key`: a control of any operation succeeded. `endpoint`: as `key`, and the endpoint exists. A response of a failed
   * control is not judged if the server returns a web page for every path, or if no model is known.
   */
  readonly needs: 'control' | 'endpoint' | 'key';
  /**
   * The IDs of requirements whose violation makes this requirement impossible to check. For example, if `trace_id` is
   * missing, its format cannot be checked.
   */
  readonly dependsOn: readonly string[];
}

/**
 * A rule that is not checked: the rule cannot be tested from outside (`excluded`), or the specification leaves a
 * question open (`silent`).
 */
export interface UncheckedClause {
  readonly id: string;
  readonly clause: readonly string[];
  readonly kind: 'excluded' | 'silent';
  readonly reason: string;
  readonly when: Condition | undefined;
}

/**
 * Returns the requirements that apply to a request with these attributes. Omits requirements that depend on an unknown
 * attribute. If the expectation of a requirement is `one-fault`, replaces the expectation with the result of
 * `expectOneFault` for the requirements `all`, or omits the requirement if this result is undefined.
 */
export function findRequirements(
  attributes: Attributes,
  requirements: readonly Requirement[],
  all: readonly Requirement[] = requirements,
): Requirement[] {
  const applicable: Requirement[] = [];
  for (const requirement of requirements) {
    if (evaluate(requirement.when, attributes) !== true) continue;
    const { then } = requirement;
    const expected = then.kind === 'one-fault' ? expectOneFault(then.parts, attributes, all) : then;
    if (expected === then) applicable.push(requirement);
    else if (expected) {
      const instead = requirement.instead ?? declaredForOneFault(then, attributes, all);
      // biome-ignore lint/suspicious/noThenProperty: a requirement is never awaited
      applicable.push({ ...requirement, then: expected, ...(instead && { instead }) });
    }
  }
  return applicable;
}

/** Returns the response that the profile declares to one of the invalid parts; undefined if it declares none. */
function declaredForOneFault(
  then: Expectation,
  attributes: Attributes,
  all: readonly Requirement[],
): Expectation | undefined {
  if (then.kind !== 'one-fault' || !all.some(({ instead }) => instead)) return undefined;
  // biome-ignore lint/suspicious/noThenProperty: a requirement is never awaited
  const promised = all.map((one) => (one.instead ? { ...one, then: one.instead } : one));
  return expectOneFault(then.parts, attributes, promised);
}

/** Whether the requirement applies, or may apply, to a request of which only these attributes are known. */
export function canApply({ when, then }: Requirement, attributes: Attributes): boolean {
  return (
    evaluate(when, attributes) !== false &&
    (then.kind !== 'one-fault' || canHaveSeveralFaults(then.parts, attributes))
  );
}

/**
 * Whether the specification leaves open how a gateway responds to a request with these attributes. The response to such
 * a request cannot violate a pooled requirement on responses.
 */
export function isObservedOnly(
  attributes: Attributes,
  { uncheckedClauses }: { readonly uncheckedClauses: readonly UncheckedClause[] },
): boolean {
  return uncheckedClauses.some(
    ({ kind, when }) => kind === 'silent' && when !== undefined && evaluate(when, attributes) === true,
  );
}

interface RawEntry {
  readonly id: string;
  readonly clause: readonly unknown[];
  readonly level?: Level;
  readonly says?: string;
  readonly when?: unknown;
  readonly then?: unknown;
  readonly over?: Requirement['over'];
  readonly transient?: Requirement['transient'];
  readonly needs?: Requirement['needs'];
  readonly dependsOn?: readonly string[];
  readonly excluded?: string;
  readonly silent?: string;
}

interface RawFile {
  readonly common?: Pick<RawEntry, 'level' | 'over' | 'when'>;
  /** The schema whose parts the requirements of the file enforce. */
  readonly enforces?: string;
  readonly requirements: readonly RawEntry[];
}

export interface RequirementData {
  readonly requirements: readonly Requirement[];
  readonly uncheckedClauses: readonly UncheckedClause[];
}

/** What the entries of a file can refer to, apart from each other. */
interface RequirementContext {
  readonly errors?: ErrorRows;
  /** Requirements of other files, on which the requirements of these files may depend. */
  readonly others?: readonly Requirement[];
}

/**
 * Parses files of requirements. Throws a `DataFileError` if a file is invalid, for example if a condition
 * has an unknown attribute, an ID is defined twice, or a requirement depends on an unknown requirement.
 */
export function readRequirements(
  files: readonly DataFile[],
  attributes: AttributeVocabulary,
  schemas: Schemas,
  { errors = noErrors, others = [] }: RequirementContext = {},
): RequirementData {
  const read: ReadRequirement[] = [];
  const uncheckedClauses: UncheckedClause[] = [];
  const ids = new Set<string>();
  for (const file of files) {
    const raw: RawFile = readBySchema(file, 'requirements', schemas);
    const parts = raw.requirements.flatMap(({ then }) => findPart(then) ?? []);
    for (const [index, own] of raw.requirements.entries()) {
      const fail: Fail = (path, problem) => file.error(['requirements', index, ...path], problem);
      const entry = readEntry(own, raw.common ?? {}, {
        attributes,
        schemas,
        errors,
        fail,
        enforced: raw.enforces,
        parts,
      });
      if (ids.has(entry.id))
        throw fail(
          ['id'],
          `the requirement "${entry.id}" is defined twice. Rename or remove one of the two.`,
        );
      ids.add(entry.id);
      if ('kind' in entry) uncheckedClauses.push(entry);
      else read.push({ requirement: entry, fail });
    }
  }
  checkDependencies(read, others);
  return { requirements: read.map(({ requirement }) => requirement), uncheckedClauses };
}

function checkDependencies(read: readonly ReadRequirement[], others: readonly Requirement[]): void {
  const known = [...others, ...read.map(({ requirement }) => requirement)];
  const overOf = new Map(known.map(({ id, over }) => [id, over]));
  for (const { requirement, fail } of read) {
    const { id, over, dependsOn } = requirement;
    const index = dependsOn.findIndex((other) => overOf.get(other) !== over);
    if (index >= 0)
      throw fail(
        ['dependsOn', index],
        `"${id}" depends on "${dependsOn[index]}", which does not exist or is not \`over: ${over}\`. Correct or remove the ID.`,
      );
  }
}

interface ReadRequirement {
  readonly requirement: Requirement;
  readonly fail: Fail;
}

type Fail = (path: readonly (string | number)[], problem: string) => Error;

interface EntryContext {
  readonly attributes: AttributeVocabulary;
  readonly schemas: Schemas;
  readonly errors: ErrorRows;
  readonly fail: Fail;
  readonly enforced: string | undefined;
  readonly parts: readonly SchemaPart[];
}

function readEntry(
  own: RawEntry,
  common: NonNullable<RawFile['common']>,
  { attributes, schemas, errors, fail, enforced, parts }: EntryContext,
): Requirement | UncheckedClause {
  const { id, excluded, silent } = own;
  const clause = own.clause.map(String);
  const readWhen = (value: unknown): Condition => {
    const condition = parseCondition(value, (path, problem) => fail(['when', ...path], problem));
    return resolveValueSets(condition, attributes, (problem) => fail(['when'], problem));
  };
  const ownWhen = own.when === undefined ? undefined : mergeWhen(common.when, own.when);
  const reason = excluded ?? silent;
  if (reason !== undefined) {
    const kind = excluded === undefined ? 'silent' : 'excluded';
    return { id, clause, kind, reason, when: ownWhen === undefined ? undefined : readWhen(ownWhen) };
  }
  const {
    level,
    over = 'case',
    transient = 'excused',
    needs = 'control',
    says = '',
    dependsOn = [],
  } = { ...common, ...own };
  if (level === undefined) throw fail([], `"${id}" has no \`level\`. Add this property.`);
  const condition = readWhen(ownWhen ?? common.when ?? {});
  if (condition.answer && over === 'case')
    throw fail(
      ['when'],
      `"${id}" has a condition on the response. Add \`over: operation\` or \`over: run\`.`,
    );
  const findSchema = (name: string): JsonSchema => {
    if (!schemas.names.includes(name))
      throw fail(['then'], `the schema "${name}" does not exist. Use the name of a schema in specs/schemas.`);
    return schemas.resolved(name);
  };
  const part = findPart(own.then);
  const readPart = (one: SchemaPart): Expectation => {
    if (enforced === undefined)
      throw fail(['then'], `the file names no schema. Add \`enforces: SCHEMA\` to the file.`);
    return expectPart(findSchema(enforced), one, parts);
  };
  const readThen = (): Expectation => {
    try {
      return part
        ? readPart(part)
        : parseExpectation(own.then, { findSchema, parts: attributes.parts, errors });
    } catch (error) {
      if (error instanceof DataFileError) throw error;
      const problem = error instanceof Error ? error.message : error;
      throw fail(['then'], part ? `${problem}. Correct the part or the schema.` : `${problem}`);
    }
  };
  const then = readThen();
  if (over === 'case' && dependsOnCalledModels(then))
    throw fail(['then'], `"${id}" needs the models of all calls. Add \`over: operation\` or \`over: run\`.`);
  return { id, clause, level, says, when: condition, then, over, transient, needs, dependsOn };
}

/** Returns the part of a schema that a `then` enforces; undefined for any other `then`. */
function findPart(then: unknown): SchemaPart | undefined {
  const { at, enforces } = toMapping(then);
  if (enforces === undefined) return undefined;
  return { at: String(at), enforces: enforces === 'rest' ? 'rest' : toList(enforces).map(String) };
}

/**
 * Merges the common condition of a file with the condition of an entry. The properties of the entry take precedence.
 * The properties of `answer` are merged in the same way.
 */
function mergeWhen(common: unknown, own: unknown): unknown {
  const base: Record<string, unknown> = toMapping(common);
  const over: Record<string, unknown> = toMapping(own);
  const answer = { ...toMapping(base.answer), ...toMapping(over.answer) };
  return { ...base, ...over, ...(Object.keys(answer).length > 0 && { answer }) };
}
