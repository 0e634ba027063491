import type { DataFile } from '../../contract/data-file.ts';
import { mapping } from '../../contract/mapping.ts';
import { suggestion } from '../../contract/nearest.ts';
import type { Condition } from './condition.ts';

/** The facts that scenarios and conditions may speak of, and the values that each may have. */
export interface FactVocabulary {
  readonly names: readonly string[];
  /** The complaint about a fact or a value of it that doesn't exist; undefined where it is known. */
  readonly complaint: (name: string, value: string) => string | undefined;
}

/** Reads `specs/facts.yaml`. */
export function readFacts(file: DataFile): FactVocabulary {
  const known = new Map<string, readonly string[] | undefined>();
  for (const [name, entry] of Object.entries(mapping(file.value))) {
    const values: unknown = mapping(entry).values;
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

/** Throws what `fail` makes where a condition speaks of a fact or a value that doesn't exist. */
export function holdFacts(
  condition: Condition,
  facts: FactVocabulary,
  fail: (problem: string) => Error,
): void {
  for (const { name, matcher } of condition.facts) {
    for (const value of matcher.values) {
      const complaint = facts.complaint(name, value);
      if (complaint !== undefined) throw fail(complaint);
    }
  }
  for (const alternative of condition.anyOf) holdFacts(alternative, facts, fail);
}
