import type { DataFile } from '../../common/data-file.ts';
import { groupBy } from '../../common/lists.ts';
import { toList, toMapping } from '../../common/mapping.ts';
import { formatSuggestion } from '../../common/nearest.ts';
import type { Condition } from './condition.ts';

/**
 * An attribute that describes a part of a request. `usual` is the value of the attribute in a usual request, in which
 * no part is invalid.
 */
export interface PartAttribute {
  readonly name: string;
  readonly usual: string;
  /**
   * The values that the attribute has if the part is valid; undefined if the attribute only describes the part in
   * more detail.
   */
  readonly faultless: readonly string[] | undefined;
}

/** A part of a request that can be invalid by itself, such as its credential or its body. */
export interface RequestPart {
  readonly name: string;
  readonly attributes: readonly PartAttribute[];
}

/** The attributes that scenarios and conditions can use, with their values. */
export interface AttributeVocabulary {
  readonly names: readonly string[];
  /** The parts of a request that can be invalid independently of each other. */
  readonly parts: readonly RequestPart[];
  /**
   * Returns the error message for an unknown attribute or an unknown value; undefined if the attribute has the value or
   * accepts any text.
   */
  readonly complaint: (name: string, value: string) => string | undefined;
  /**
   * Returns the values of a named set, such as `wrong` of the attribute `key`. For any other text, returns a list that
   * contains only this text.
   */
  readonly valuesOf: (name: string, valueOrSet: string) => readonly string[];
}

/** The values and the named sets of an attribute. `values` is undefined if the attribute accepts any text. */
interface AttributeEntry {
  readonly values: readonly string[] | undefined;
  readonly sets: ReadonlyMap<string, readonly string[]>;
}

/**
 * Parses `specs/attributes.yaml`. Throws a `DataFileError` if a set has the name of a value, or if a set contains a
 * value that the attribute does not have.
 */
export function readAttributes(file: DataFile): AttributeVocabulary {
  const entries = new Map<string, AttributeEntry>();
  for (const [name, entry] of Object.entries(toMapping(file.value))) {
    const { values, sets } = toMapping(entry);
    const known = values === undefined ? undefined : namesOf(values);
    const named = Object.entries(toMapping(sets)).map(([set, members]) => {
      const path = [name, 'sets', set];
      if (known?.includes(set))
        throw file.error(path, `the set "${set}" has the same name as a value. Rename the set.`);
      const stray = toList(members).find((member) => known?.includes(String(member)) === false);
      if (stray !== undefined)
        throw file.error(
          path,
          `the attribute "${name}" has no value "${stray}".${formatSuggestion(String(stray), known ?? []) || ' Add the value to `values`, or remove the value from the set.'}`,
        );
      return [set, toList(members).map(String)] as const;
    });
    entries.set(name, { values: known, sets: new Map(named) });
  }
  return {
    names: [...entries.keys()],
    parts: readParts(file),
    complaint: (name, value) => {
      const entry = entries.get(name);
      if (!entry)
        return `unknown attribute "${name}".${formatSuggestion(name, entries.keys()) || ' Use an attribute of specs/attributes.yaml.'}`;
      const { values, sets } = entry;
      if (values === undefined || values.includes(value)) return undefined;
      return `the attribute "${name}" has no value "${value}".${formatSuggestion(value, [...values, ...sets.keys()]) || ' Use a value of specs/attributes.yaml.'}`;
    },
    valuesOf: (name, valueOrSet) => entries.get(name)?.sets.get(valueOrSet) ?? [valueOrSet],
  };
}

function readParts(file: DataFile): RequestPart[] {
  const attributes = Object.entries(toMapping(file.value)).flatMap(([name, entry]) => {
    const { part, usual, faultless } = toMapping(entry);
    if (part === undefined) return [];
    const own = faultless === undefined ? undefined : toList(faultless).map(String);
    return [{ part: String(part), attribute: { name, usual: String(usual), faultless: own } }];
  });
  return groupBy(attributes, ({ part }) => part).map(([name, own]) => ({
    name,
    attributes: own.map(({ attribute }) => attribute),
  }));
}

function namesOf(values: unknown): string[] {
  return Array.isArray(values) ? values.map(String) : Object.keys(toMapping(values));
}

/**
 * Returns a copy of a condition in which each named set is replaced with its values. For an unknown attribute or value,
 * throws the error that `fail` creates.
 */
export function resolveValueSets(
  condition: Condition,
  attributes: AttributeVocabulary,
  fail: (problem: string) => Error,
): Condition {
  return {
    ...condition,
    attributes: condition.attributes.map(({ name, matcher }) => {
      const values = matcher.values.flatMap((value) => attributes.valuesOf(name, value));
      for (const value of values) {
        const complaint = attributes.complaint(name, value);
        if (complaint !== undefined) throw fail(complaint);
      }
      return { name, matcher: { ...matcher, values } };
    }),
    anyOf: condition.anyOf.map((alternative) => resolveValueSets(alternative, attributes, fail)),
  };
}
