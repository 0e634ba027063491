import type { DataFile, DataPath } from '../../common/data-file.ts';
import { toList, toMapping } from '../../common/mapping.ts';
import { formatSuggestion } from '../../common/nearest.ts';

/** The sentences of the specification, by the name of the clause. */
export type Clauses = ReadonlyMap<string, string>;

/** A section of the specification: `2.1`, API keys. */
export interface Section {
  readonly number: string;
  readonly title: string;
}

/** Parses `specs/clauses.yaml`. Throws a `DataFileError` if a section has no title, or a clause no sentence. */
export function readClauses(file: DataFile): {
  readonly clauses: Clauses;
  readonly sections: readonly Section[];
} {
  const read = (part: string, missing: string): readonly (readonly [string, string])[] =>
    Object.entries(toMapping(toMapping(file.value)[part])).map(([name, text]) => {
      if (typeof text !== 'string') throw file.error([part, name], `"${name}" has no ${missing}. Add it.`);
      return [name, text];
    });
  return {
    clauses: new Map(read('clauses', 'sentence')),
    // A JavaScript object has the keys that are integers first, and keeps the order of the others.
    sections: read('sections', 'title')
      .map(([number, title]) => ({ number, title }))
      .sort((a, b) => Number.parseInt(a.number, 10) - Number.parseInt(b.number, 10)),
  };
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

/** Throws a `DataFileError` if an entry of a file of requirements names an unknown clause. */
export function checkClausesOf(file: DataFile, clauses: Clauses): void {
  for (const [index, entry] of toList(toMapping(file.value).requirements).entries())
    checkClauses(
      file,
      ['requirements', index, 'clause'],
      toList(toMapping(entry).clause).map(String),
      clauses,
    );
}

/** Returns the sentences of the clauses in the same order. The sentence of an unknown clause is an empty string. */
export function quotesOf(clauses: Clauses, names: readonly string[]): string[] {
  return names.map((name) => clauses.get(name) ?? '');
}
