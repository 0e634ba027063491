import type { DataFile, DataPath } from '../../common/data-file.ts';
import { toMapping } from '../../common/mapping.ts';
import { formatSuggestion } from '../../common/nearest.ts';

/** The sentences of the specification, by the name of the clause. */
export type Clauses = ReadonlyMap<string, string>;

/** Parses `specs/clauses.yaml`. Throws a `DataFileError` if a clause has no sentence. */
export function readClauses(file: DataFile): Clauses {
  return new Map(
    Object.entries(toMapping(file.value)).map(([name, sentence]) => {
      if (typeof sentence !== 'string')
        throw file.error(
          [name],
          `the clause "${name}" has no sentence. Add the sentence of the specification.`,
        );
      return [name, sentence];
    }),
  );
}

/** Throws a `DataFileError` if a list at this path of the file names an unknown clause. */
export function checkClauses(
  file: DataFile,
  path: DataPath,
  names: readonly string[],
  clauses: Clauses,
): void {
  for (const name of names)
    if (!clauses.has(name))
      throw file.error(
        path,
        `unknown clause "${name}".${formatSuggestion(name, clauses.keys()) || ' Use a clause of specs/clauses.yaml.'}`,
      );
}

/** Returns the sentences of the clauses in the same order. The sentence of an unknown clause is an empty string. */
export function quotesOf(clauses: Clauses, names: readonly string[]): string[] {
  return names.map((name) => clauses.get(name) ?? '');
}
