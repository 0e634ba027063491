import type { DataFile } from '../../common/data-file.ts';
import { toList, toMapping } from '../../common/mapping.ts';
import { formatSuggestion } from '../../common/nearest.ts';
import { type ErrorRows, errorKinds, statusesOf } from './errors.ts';
import type { Expectation } from './expectation.ts';
import type { Requirement } from './requirements.ts';
import { isInStatusSet, type StatusSet } from './status-set.ts';

/** An error that a requirement names, with the status that the requirement expects with it. */
interface NamedError {
  readonly kind: keyof ErrorRows;
  readonly name: string;
  readonly status?: StatusSet | undefined;
  /** Whether the requirement expects this error, instead of any error. */
  readonly isExpected: boolean;
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
    for (const { kind, name, isExpected } of named) if (isExpected) expected.add(`${kind} ${name}`);
    for (const { kind, name, status } of [
      ...named,
      ...conditions.map(
        (name): NamedError => ({ kind: 'types', name, status: when.answer?.status, isExpected: false }),
      ),
    ]) {
      const row = errors[kind].get(name);
      if (row && (!status || statusesOf(row).some((one) => isInStatusSet(status, one)))) continue;
      const problem = row
        ? `the status of "${name}" is ${statusesOf(row).join(' or ')}. Correct the status, or the row in specs/errors.yaml.`
        : `unknown error "${name}".${formatSuggestion(name, errors[kind].keys()) || ' Add a row to specs/errors.yaml.'}`;
      throw errorOf(id, problem, files);
    }
  }
  for (const kind of errorKinds)
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

/** Returns the errors that an expectation names. */
export function namesIn(then: Expectation, status?: StatusSet): readonly NamedError[] {
  switch (then.kind) {
    case 'type':
      return then.types.map((name) => ({ kind: 'types', name, status, isExpected: true }));
    case 'code':
      return then.codes.map((name) => ({ kind: 'codes', name, status, isExpected: true }));
    case 'is':
      return then.at === '/error/type'
        ? toList(then.schema.enum).map((name) => ({
            kind: 'types',
            name: String(name),
            status,
            isExpected: false,
          }))
        : [];
    case 'all': {
      const own = then.of.find((part) => part.kind === 'status')?.status ?? status;
      return then.of.flatMap((part) => namesIn(part, own));
    }
    case 'any':
      // An expectation of any row is made from the rows themselves.
      return then.isAnyRow ? [] : then.of.flatMap((part) => namesIn(part, status));
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
