import type { DataFile } from './data-file.ts';
import { suggestion } from './nearest.ts';

/** The facts that scenarios and conditions may speak of, and the values that each may have. */
export interface FactVocabulary {
  readonly names: readonly string[];
  /** The complaint about a fact or a value of it that doesn't exist; undefined where it is known. */
  readonly complaint: (name: string, value: string) => string | undefined;
}

/** Reads `specs/facts.yaml`. */
export function readFacts(file: DataFile): FactVocabulary {
  const known = new Map<string, readonly string[] | undefined>();
  for (const [name, entry] of Object.entries(Object(file.value))) {
    const values: unknown = Object(entry).values;
    known.set(name, Array.isArray(values) ? values.map(String) : undefined);
  }
  return {
    names: [...known.keys()],
    complaint: (name, value) => {
      if (!known.has(name)) return `there is no fact "${name}".${suggestion(name, known.keys())}`;
      const values = known.get(name);
      if (values === undefined || values.includes(value)) return undefined;
      return `the fact "${name}" is never "${value}".${suggestion(value, values)}`;
    },
  };
}
