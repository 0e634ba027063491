import type { DataFile } from '../../common/data-file.ts';
import { toList, toMapping } from '../../common/mapping.ts';
import { formatSuggestion } from '../../common/nearest.ts';
import type { Schemas } from '../../common/schemas.ts';
import type { AttributeVocabulary } from './attributes.ts';
import type { Attributes } from './condition.ts';
import type { Expectation } from './expectation.ts';
import type { AcceptedHeader } from './operations.ts';
import { type Clauses, checkClauses, type Requirement } from './requirements.ts';
import { isInStatusSet, type StatusSet } from './status-set.ts';
import { readBySchema } from './validate-data.ts';

export type ErrorSubject = 'key' | 'account' | 'model' | 'request' | 'rate' | 'gateway';

/** An error of section 7. */
export interface ErrorRow {
  readonly name: string;
  /** The statuses of the error, by family if the families differ. */
  readonly status: number | Readonly<Record<'A' | 'B' | 'C', number>>;
  readonly about: ErrorSubject;
  /** Whether the same request may succeed later. */
  readonly retry: boolean;
  readonly clause: readonly string[];
  /** The headers whose key is wrong, according to the error; empty if the error does not say that a key is wrong. */
  readonly refuses: readonly AcceptedHeader[];
  /** The attribute of a request that explains the error, if no other part of the request is invalid. */
  readonly shows: Attributes | undefined;
}

/** The rows of `specs/errors.yaml`, by name: the values of `error.type` (7.1), and of `error.code` (7.2). */
export interface ErrorRows {
  readonly types: ReadonlyMap<string, ErrorRow>;
  readonly codes: ReadonlyMap<string, ErrorRow>;
}

type RawRow = Omit<ErrorRow, 'name' | 'refuses' | 'shows'> & Partial<Pick<ErrorRow, 'refuses' | 'shows'>>;
type RawErrors = { readonly [Kind in keyof ErrorRows]: Readonly<Record<string, RawRow>> };

const kinds = ['types', 'codes'] as const satisfies readonly (keyof ErrorRows)[];

/** Returns the statuses of an error; without a family, those of all families. */
export function statusesOf({ status }: Pick<ErrorRow, 'status'>, family?: string): readonly number[] {
  if (typeof status === 'number') return [status];
  return family === 'A' || family === 'B' || family === 'C'
    ? [status[family]]
    : [...new Set(Object.values(status))];
}

/** Parses `specs/errors.yaml`. Throws a `DataFileError` for an unknown clause or attribute. */
export function readErrors(
  file: DataFile,
  attributes: AttributeVocabulary,
  clauses: Clauses,
  schemas: Schemas,
): ErrorRows {
  const raw: RawErrors = readBySchema(file, 'errors', schemas);
  const readRows = (kind: keyof ErrorRows): ReadonlyMap<string, ErrorRow> =>
    new Map(
      Object.entries(raw[kind]).map(([name, { refuses = [], shows, ...row }]) => {
        checkClauses(file, [kind, name, 'clause'], row.clause, clauses);
        for (const [attribute, value] of Object.entries(shows ?? {})) {
          const complaint = attributes.complaint(attribute, value);
          if (complaint !== undefined) throw file.error([kind, name, 'shows', attribute], complaint);
        }
        return [name, { name, refuses, shows, ...row }];
      }),
    );
  return { types: readRows('types'), codes: readRows('codes') };
}

/** An error that a requirement names, with the status that the requirement expects with it. */
interface NamedError {
  readonly kind: keyof ErrorRows;
  readonly name: string;
  readonly status: StatusSet | undefined;
}

/**
 * Checks that requirements name only errors of `errors`, each with a status of its row, and that a requirement expects
 * each of the errors. Throws a `DataFileError` otherwise. `files` are the files of the requirements.
 */
export function checkErrorNames(
  { file, errors }: { readonly file: DataFile; readonly errors: ErrorRows },
  requirements: readonly Requirement[],
  files: readonly DataFile[],
): void {
  const expected = new Set<string>();
  for (const { id, when, then } of requirements) {
    const conditions = when.answer?.type?.values ?? [];
    const named = namesIn(then);
    for (const { kind, name } of named) expected.add(`${kind} ${name}`);
    for (const { kind, name, status } of [
      ...named,
      ...conditions.map((name): NamedError => ({ kind: 'types', name, status: when.answer?.status })),
    ]) {
      const row = errors[kind].get(name);
      if (row && (!status || statusesOf(row).some((one) => isInStatusSet(status, one)))) continue;
      const problem = row
        ? `the status of "${name}" is ${statusesOf(row).join(' or ')}. Correct the status, or the row in specs/errors.yaml.`
        : `unknown error "${name}".${formatSuggestion(name, errors[kind].keys()) || ' Add a row to specs/errors.yaml.'}`;
      throw errorOf(id, problem, files);
    }
  }
  for (const kind of kinds)
    for (const name of errors[kind].keys())
      if (!expected.has(`${kind} ${name}`))
        throw file.error([kind, name], `no requirement expects "${name}". Add one, or remove the row.`);
}

function errorOf(id: string, problem: string, files: readonly DataFile[]): Error {
  for (const file of files) {
    const index = toList(toMapping(file.value).requirements).findIndex((entry) => toMapping(entry).id === id);
    if (index >= 0) return file.error(['requirements', index], `"${id}": ${problem}`);
  }
  return new Error(`"${id}": ${problem}`);
}

function namesIn(then: Expectation, status?: StatusSet): readonly NamedError[] {
  switch (then.kind) {
    case 'type':
      return then.types.map((name) => ({ kind: 'types', name, status }));
    case 'code':
      return then.codes.map((name) => ({ kind: 'codes', name, status }));
    case 'is':
      return then.at === '/error/type'
        ? toList(then.schema.enum).map((name) => ({ kind: 'types', name: String(name), status }))
        : [];
    case 'all': {
      const own = then.of.find((part) => part.kind === 'status')?.status ?? status;
      return then.of.flatMap((part) => namesIn(part, own));
    }
    case 'any':
      return then.of.flatMap((part) => namesIn(part, status));
    case 'some':
      return namesIn(then.of, status);
    case 'none':
      return [then.of, ...(then.after ? [then.after] : [])].flatMap((part) => namesIn(part));
    case 'same':
      return then.after ? namesIn(then.after) : [];
    default:
      return [];
  }
}
