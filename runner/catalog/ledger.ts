import type { DataFile } from '../../contract/data-file.ts';
import { mapping } from '../../contract/mapping.ts';
import { type Condition, evaluate, type Facts, parseCondition } from './condition.ts';
import { asksForCalledModels, type Expectation, parseExpectation } from './expectation.ts';
import { type FactVocabulary, holdFacts } from './facts.ts';

export type Level = 'must' | 'should';

/** A rule over facts: where `when` holds, the answer must be what `then` says. */
export interface Requirement {
  readonly id: string;
  /** The places of the specification that it rests on. */
  readonly clause: readonly string[];
  readonly level: Level;
  /** The rule in our own words. */
  readonly says: string;
  readonly when: Condition;
  readonly then: Expectation;
  /** `case`: judged on the exchanges of each case; else once over all exchanges of an operation, or of the run. */
  readonly over: 'case' | 'operation' | 'run';
  /**
   * What a 429 or 5xx means that persists while a control succeeds just after: `judged`, both are answers like
   * any other; `excused`, a 429 may be a limit that has nothing to do with the request.
   */
  readonly transient: 'judged' | 'excused';
  /** What must be known to be good for a good call to be judged: its operation, its endpoint, or only the key. */
  readonly needs: 'control' | 'endpoint' | 'key';
  /** Requirements whose violation leaves nothing to judge here: without `trace_id`, its form can't be checked. */
  readonly dependsOn: readonly string[];
}

/** A clause that is not checked: it can't be tested from outside, or the specification leaves it open. */
export interface UncheckedEntry {
  readonly id: string;
  readonly clause: readonly string[];
  readonly kind: 'excluded' | 'silent';
  readonly reason: string;
  /** The exchanges in which an observation is made. */
  readonly when: Condition | undefined;
}

export interface Ledger {
  readonly requirements: readonly Requirement[];
  readonly unchecked: readonly UncheckedEntry[];
}

/** The requirements that apply to a request with these facts, in their order; where an unknown fact decides, none does. */
export function requirementsFor(facts: Facts, requirements: readonly Requirement[]): Requirement[] {
  return requirements.filter(({ when }) => evaluate(when, facts) === true);
}

const members = [
  'id',
  'clause',
  'level',
  'says',
  'when',
  'then',
  'over',
  'transient',
  'needs',
  'dependsOn',
  'excluded',
  'silent',
];

/** Reads the files of `specs/requirements`; throws DataFileError where an entry isn't of its form. */
export function readLedger(files: readonly DataFile[], facts: FactVocabulary): Ledger {
  const requirements: Requirement[] = [];
  const unchecked: UncheckedEntry[] = [];
  const ids = new Set<string>();
  for (const file of files) {
    const common = mapping(mapping(file.value).common);
    const entries: unknown = mapping(file.value).requirements;
    if (!Array.isArray(entries)) throw file.error([], 'a ledger file has a list of `requirements`');
    for (const [index, raw] of entries.entries()) {
      const entry = readEntry(file, index, raw, common, facts);
      if (ids.has(entry.id))
        throw file.error(['requirements', index, 'id'], `"${entry.id}" stands twice in the ledger`);
      ids.add(entry.id);
      if ('kind' in entry) unchecked.push(entry);
      else requirements.push(entry);
    }
  }
  checkDependencies(requirements, files);
  return { requirements, unchecked };
}

function checkDependencies(requirements: readonly Requirement[], files: readonly DataFile[]): void {
  const overOf = new Map(requirements.map(({ id, over }) => [id, over]));
  for (const { id, over, dependsOn } of requirements) {
    const wrong = dependsOn.find((other) => overOf.get(other) !== over);
    const [file] = files;
    if (wrong !== undefined && file)
      throw file.error([], `"${id}" depends on "${wrong}", which is not a requirement over the same ${over}`);
  }
}

function readEntry(
  file: DataFile,
  index: number,
  raw: unknown,
  common: Record<string, unknown>,
  facts: FactVocabulary,
): Requirement | UncheckedEntry {
  const fail = (path: readonly (string | number)[], problem: string): Error =>
    file.error(['requirements', index, ...path], problem);
  const own: Record<string, unknown> = mapping(raw);
  for (const name of Object.keys(own)) {
    if (!members.includes(name)) throw fail([name], `a requirement has no member "${name}"`);
  }
  const { id } = own;
  if (typeof id !== 'string') throw fail([], 'a requirement has an `id`');
  const clause = Array.isArray(own.clause) ? own.clause.map(String) : [];
  if (clause.length === 0) throw fail(['clause'], `"${id}" names no clause`);
  const rawWhen = own.when === undefined ? undefined : mergeWhen(common.when, own.when);
  const when = (value: unknown): Condition => {
    const condition = parseCondition(value, (path, problem) => fail(['when', ...path], problem));
    holdFacts(condition, facts, (problem) => fail(['when'], problem));
    return condition;
  };
  for (const kind of ['excluded', 'silent'] as const) {
    const reason = own[kind];
    if (typeof reason === 'string') {
      return { id, clause, kind, reason, when: rawWhen === undefined ? undefined : when(rawWhen) };
    }
  }
  const {
    level,
    over = 'case',
    transient = 'excused',
    needs = 'control',
    says,
    dependsOn = [],
  } = { ...common, ...own };
  if (level !== 'must' && level !== 'should') throw fail(['level'], `"${id}": \`level\` is must or should`);
  if (over !== 'case' && over !== 'operation' && over !== 'run')
    throw fail(['over'], '`over` is case, operation or run');
  if (transient !== 'judged' && transient !== 'excused')
    throw fail(['transient'], '`transient` is judged or excused');
  if (needs !== 'control' && needs !== 'endpoint' && needs !== 'key')
    throw fail(['needs'], '`needs` is control, endpoint or key');
  if (!Array.isArray(dependsOn)) throw fail(['dependsOn'], '`dependsOn` must be a list of requirement ids');
  if (typeof says !== 'string') throw fail([], `"${id}" doesn't say what it requires`);
  const condition = when(rawWhen ?? common.when ?? {});
  if (condition.answer && over === 'case')
    throw fail(['when'], `"${id}" asks for an answer, so it is \`over\` an operation or the run`);
  const then = parseExpectation(own.then, (path, problem) => fail(['then', ...path], problem));
  if (over === 'case' && asksForCalledModels(then))
    throw fail(['then'], `"${id}" needs the models of all calls, so it is \`over\` an operation or the run`);
  return {
    id,
    clause,
    level,
    says,
    when: condition,
    then,
    over,
    transient,
    needs,
    dependsOn: dependsOn.map(String),
  };
}

/** The common condition of a file with an entry's own members over it; the answer's members likewise. */
function mergeWhen(common: unknown, own: unknown): unknown {
  const base: Record<string, unknown> = mapping(common);
  const over: Record<string, unknown> = mapping(own);
  const answer = { ...mapping(base.answer), ...mapping(over.answer) };
  return { ...base, ...over, ...(Object.keys(answer).length > 0 && { answer }) };
}
