import { join } from 'node:path';
import { type DataFile, readDataFile } from '../../common/data-file.ts';
import { groupBy } from '../../common/lists.ts';
import { toList, toMapping } from '../../common/mapping.ts';
import { formatSuggestion } from '../../common/nearest.ts';
import { packageRoot } from '../../common/package-root.ts';
import { type KeyRole, keyRoles } from '../../common/profile-values.ts';
import { type Condition, parseCondition } from './condition.ts';

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
  /** The kinds of keys: the values of the attribute `key`. */
  readonly keyKinds: ReadonlyMap<string, KeyKind>;
  /** The places of a key: the values of the attribute `header`. */
  readonly places: ReadonlyMap<string, Place>;
  /** The attributes whose combinations the coverage counts: all except the derived and the uncounted ones. */
  readonly counted: readonly CountedAttribute[];
}

export interface CountedAttribute {
  readonly name: string;
  /** The values; of an attribute that accepts any text, the values that its sets and `only` name. */
  readonly values: readonly string[];
  /** Whether the attribute accepts any text. */
  readonly isFree: boolean;
  readonly sets: ReadonlyMap<string, readonly string[]>;
  /**
   * Returns the condition on the other attributes of a request with this value; undefined if the value has no
   * condition.
   */
  readonly only: (value: string) => Condition | undefined;
}

/** A kind of key. It has neither `profile` nor `edit` if no key is sent. */
export interface KeyKind {
  /** A noun, such as `the first half of a key`. */
  readonly says: string;
  readonly profile: KeyRole | undefined;
  readonly edit: KeyEdit | undefined;
}

export const keyEdits = ['keep', 'append', 'wrap', 'replace', 'swap', 'case', 'prefix', 'text'] as const;

/** A change of the valid key, with its parameter, such as the text to append. */
export interface KeyEdit {
  readonly kind: (typeof keyEdits)[number];
  readonly value: string;
}

export const containers = ['headers', 'query', 'cookie', 'body'] as const;
export type Container = (typeof containers)[number];

/** A place of a key. */
interface Place {
  /** A phrase after `the key`, such as ``in `x-api-key` ``. */
  readonly says: string;
  /**
   * The headers, query parameters, cookies and members of the body that contain the key, each with its template;
   * undefined if the place depends on the operation.
   */
  readonly parts:
    | readonly { readonly in: Container; readonly name: string; readonly template: string }[]
    | undefined;
}

/** The values and the named sets of an attribute. `values` is undefined if the attribute accepts any text. */
interface AttributeEntry {
  readonly values: readonly string[] | undefined;
  readonly sets: ReadonlyMap<string, readonly string[]>;
}

export const attributesFile = join(packageRoot, 'specs', 'attributes.yaml');
let loaded: AttributeVocabulary | undefined;

/** Returns the attributes of this package, which the first call reads. Throws like `readAttributes`. */
export function attributesOfPackage(): AttributeVocabulary {
  loaded ??= readAttributes(readDataFile(attributesFile));
  return loaded;
}

/** Returns the places whose only part is in this container, with the name of the part and its template. */
export function listPlacesIn(
  container: Container,
): readonly { readonly place: string; readonly name: string; readonly template: string }[] {
  return [...attributesOfPackage().places].flatMap(([place, { parts = [] }]) => {
    const [part] = parts;
    return part?.in === container && parts.length === 1
      ? [{ place, name: part.name, template: part.template }]
      : [];
  });
}

/**
 * Whether all operations must reject a key in the place that this value of the attribute `header` names. Returns false
 * for undefined.
 */
export function isNeverAccepted(header: string | undefined): boolean {
  return header !== undefined && !attributesOfPackage().valuesOf('header', 'with-key').includes(header);
}

/**
 * Parses `specs/attributes.yaml`. Throws a `DataFileError` if a set has the name of a value, contains itself, or if a
 * set, `usual` or `faultless` names a value that the attribute does not have.
 */
export function readAttributes(file: DataFile): AttributeVocabulary {
  const entries = new Map<string, AttributeEntry>();
  for (const [name, entry] of Object.entries(toMapping(file.value))) {
    const { values, sets } = toMapping(entry);
    const known = values === undefined ? undefined : namesOf(values);
    const resolved = new Map(
      Object.keys(toMapping(sets)).map((set) => [set, [...new Set(membersOf(set, []))]] as const),
    );
    entries.set(name, { values: known, sets: resolved });
    for (const member of ['usual', 'faultless']) {
      const named = toList([toMapping(entry)[member] ?? []].flat()).map(String);
      const stray = named.find((value) => known?.includes(value) === false);
      if (stray !== undefined)
        throw file.error(
          [name, member],
          `the attribute "${name}" has no value "${stray}".${formatSuggestion(stray, known ?? [])}`,
        );
    }

    function membersOf(set: string, outer: readonly string[]): string[] {
      const path = [name, 'sets', set];
      if (known?.includes(set))
        throw file.error(path, `the set "${set}" has the same name as a value. Rename the set.`);
      if (outer.includes(set))
        throw file.error(path, `the set "${set}" contains itself. Remove "${set}" from its sets.`);
      const others = toMapping(sets);
      return toList(others[set]).flatMap((item) => {
        const member = String(item);
        if (Object.hasOwn(others, member)) return membersOf(member, [...outer, set]);
        if (known?.includes(member) !== false) return [member];
        throw file.error(
          path,
          `the attribute "${name}" has no value "${member}".${formatSuggestion(member, [...known, ...Object.keys(others)]) || ' Add the value to `values`, or remove the value from the set.'}`,
        );
      });
    }
  }
  const { key, header } = toMapping(file.value);
  const vocabulary: Omit<AttributeVocabulary, 'counted'> = {
    keyKinds: mapValues(key, (row) => ({
      says: String(row.says),
      profile: keyRoles.find((role) => role === row.profile),
      edit: readEdit(row.edit),
    })),
    places: mapValues(header, ({ says, place }) => ({
      says: String(says),
      parts: place === undefined ? undefined : containers.flatMap((container) => readParts(container, place)),
    })),
    names: [...entries.keys()],
    parts: readRequestParts(file),
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
  return { ...vocabulary, counted: readCounted(file, entries, vocabulary) };
}

function readCounted(
  file: DataFile,
  entries: ReadonlyMap<string, AttributeEntry>,
  vocabulary: Omit<AttributeVocabulary, 'counted'>,
): CountedAttribute[] {
  const isSkipped = (name: string): boolean => {
    const { derived, uncounted } = toMapping(toMapping(file.value)[name]);
    return derived !== undefined || uncounted !== undefined;
  };
  return [...entries].flatMap(([name, { values, sets }]) => {
    if (isSkipped(name)) return [];
    const readCondition = (valueOrSet: string, raw: unknown): Condition => {
      const path = [name, 'only', valueOrSet];
      const condition = resolveValueSets(
        parseCondition(raw, (inner, problem) => file.error([...path, ...inner], problem)),
        vocabulary,
        (problem) => file.error(path, problem),
      );
      const stray = listAttributes(condition).find((other) => other === name || isSkipped(other));
      if (stray !== undefined)
        throw file.error(
          path,
          `\`only\` cannot have the attribute "${stray}". Use another attribute that is neither derived nor uncounted.`,
        );
      return condition;
    };
    const { others, ...only } = toMapping(toMapping(toMapping(file.value)[name]).only);
    const conditions = new Map<string, Condition>();
    for (const [valueOrSet, raw] of Object.entries(only)) {
      const condition = readCondition(valueOrSet, raw);
      for (const value of vocabulary.valuesOf(name, valueOrSet)) {
        const complaint = vocabulary.complaint(name, value);
        if (complaint !== undefined) throw file.error([name, 'only', valueOrSet], complaint);
        if (conditions.has(value))
          throw file.error(
            [name, 'only', valueOrSet],
            `"${value}" has a second condition. Name each value once in \`only\`.`,
          );
        conditions.set(value, condition);
      }
    }
    const ofOthers = others === undefined ? undefined : readCondition('others', others);
    return [
      {
        name,
        values: values ?? [...new Set([...[...sets.values()].flat(), ...conditions.keys()])],
        isFree: values === undefined,
        sets,
        only: (value) => conditions.get(value) ?? ofOthers,
      },
    ];
  });
}

function listAttributes({ attributes, anyOf }: Condition): string[] {
  return [...attributes.map(({ name }) => name), ...anyOf.flatMap(listAttributes)];
}

function mapValues<T>(
  attribute: unknown,
  read: (row: Readonly<Record<string, unknown>>) => T,
): ReadonlyMap<string, T> {
  const { values } = toMapping(attribute);
  return new Map(Object.entries(toMapping(values)).map(([name, row]) => [name, read(toMapping(row))]));
}

function readEdit(edit: unknown): KeyEdit | undefined {
  const given = toMapping(edit);
  const kind = keyEdits.find((own) => own in given);
  return kind && { kind, value: String(given[kind]) };
}

function readParts(container: Container, place: unknown): NonNullable<Place['parts']> {
  return Object.entries(toMapping(toMapping(place)[container])).map(([name, template]) => ({
    in: container,
    name,
    template: String(template),
  }));
}

function readRequestParts(file: DataFile): RequestPart[] {
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
  attributes: Pick<AttributeVocabulary, 'valuesOf' | 'complaint'>,
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
