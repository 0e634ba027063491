import type { DataFile } from '../../contract/data-file.ts';
import { mapping } from '../../contract/mapping.ts';

/** The sentence of the specification for each clause, by the clause's name. */
export type Clauses = ReadonlyMap<string, string>;

/** Reads `specs/clauses.yaml`; throws DataFileError if a clause has no sentence. */
export function readClauses(file: DataFile): Clauses {
  return new Map(
    Object.entries(mapping(file.value)).map(([name, sentence]) => {
      if (typeof sentence !== 'string') throw file.error([name], `clause "${name}" has no sentence`);
      return [name, sentence];
    }),
  );
}

/** The sentence of each of these clauses, in their order; empty for a clause that does not exist. */
export function quotesOf(clauses: Clauses, names: readonly string[]): string[] {
  return names.map((name) => clauses.get(name) ?? '');
}
