import { formatList } from '../../common/lists.ts';
import { isObject } from '../../common/mapping.ts';
import { splitPointer } from '../../common/pointer.ts';
import type { JsonSchema } from '../../common/schemas.ts';
import type { Expectation } from './expectation.ts';

/**
 * The part of a schema that a requirement enforces: keywords of the value at a place, where `required` says that the
 * value is present. `rest` is what no other requirement enforces at this place and inside of it.
 */
export interface SchemaPart {
  /** `body`, or a JSON pointer. */
  readonly at: string;
  readonly enforces: readonly string[] | 'rest';
}

/**
 * Returns the expectation that a value satisfies a part of a schema. `parts` are all parts of the schema that
 * requirements enforce. Throws an `Error` if the schema lacks the part.
 */
export function expectPart(schema: JsonSchema, part: SchemaPart, parts: readonly SchemaPart[]): Expectation {
  const pointer = pointerOf(part);
  const { own, isRequired } = locateSchema(schema, pointer);
  const claims = claimsOf(parts);
  const isPresenceOurs =
    part.enforces === 'rest' ? !claims.has(`${pointer} required`) : part.enforces.includes('required');
  return {
    kind: 'is',
    at: part.at,
    schema: part.enforces === 'rest' ? prune(own, pointer, claims) : pick(own, part, isRequired),
    whenAbsent: isRequired && isPresenceOurs ? 'fault-if-parent' : 'nothing',
  };
}

const pointerOf = ({ at }: SchemaPart): string => (at === 'body' ? '' : at);

/** Each claimed keyword as `POINTER KEYWORD`; the keyword is `rest` for a place whose rest is claimed. */
function claimsOf(parts: readonly SchemaPart[]): ReadonlySet<string> {
  return new Set(
    parts.flatMap((part) => [part.enforces].flat().map((keyword) => `${pointerOf(part)} ${keyword}`)),
  );
}

function locateSchema(schema: JsonSchema, pointer: string): { own: JsonSchema; isRequired: boolean } {
  let own = schema;
  let isRequired = true;
  for (const name of splitPointer(pointer)) {
    const child = propertiesOf(own)[name];
    if (!child) throw new Error(`the schema describes no value at ${pointer}`);
    isRequired = requiredOf(own).includes(name);
    own = child;
  }
  return { own, isRequired };
}

function pick(own: JsonSchema, { at, enforces }: SchemaPart, isRequired: boolean): JsonSchema {
  const picked = [enforces].flat().flatMap((keyword) => {
    if (keyword === 'required' && isRequired) return [];
    if (keyword === 'required' || own[keyword] === undefined)
      throw new Error(`the schema has no \`${keyword}\` for ${at}`);
    return [[keyword, own[keyword]] as const];
  });
  const members = Object.keys(propertiesOf(own)).map((name) => `\`${name}\``);
  const schema = Object.fromEntries(picked);
  if (schema.additionalProperties === false)
    return {
      title: `an object with only the member${members.length === 1 ? '' : 's'} ${formatList(members, 'and')}`,
      ...schema,
      properties: openProperties(own),
    };
  // The title describes the whole value, so it doesn't explain a wrong type alone.
  const hasTitle = typeof own.title === 'string' && Object.keys(schema).some((name) => name !== 'type');
  return { ...(hasTitle && { title: own.title }), ...schema };
}

const annotations = ['$schema', '$id', 'title', 'description', 'required', 'properties'];

/** Returns what a schema demands at a place and inside of it beyond the claimed keywords. */
function prune(own: JsonSchema, pointer: string, claims: ReadonlySet<string>): JsonSchema {
  const isFree = (place: string, keyword: string): boolean => !claims.has(`${place} ${keyword}`);
  const keywords = Object.entries(own).filter(
    ([name]) => !annotations.includes(name) && isFree(pointer, name),
  );
  const placeOf = (name: string): string => `${pointer}/${name}`;
  const isOthers = (name: string): boolean => claims.has(`${placeOf(name)} rest`);
  const required = requiredOf(own).filter((name) => !isOthers(name) && isFree(placeOf(name), 'required'));
  const properties = Object.entries(propertiesOf(own)).flatMap(([name, child]) => {
    const inside = isOthers(name) ? {} : prune(child, placeOf(name), claims);
    return Object.keys(inside).length > 0 ? [[name, inside] as const] : [];
  });
  const isClosed = keywords.some(([name]) => name === 'additionalProperties');
  const shown = { ...(isClosed && openProperties(own)), ...Object.fromEntries(properties) };
  return {
    ...Object.fromEntries(keywords),
    ...(required.length > 0 && { required }),
    ...(Object.keys(shown).length > 0 && { properties: shown }),
  };
}

const openProperties = (own: JsonSchema): Readonly<Record<string, true>> =>
  Object.fromEntries(Object.keys(propertiesOf(own)).map((name) => [name, true]));

function propertiesOf({ properties }: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(
    Object.entries(isObject(properties) ? properties : {}).filter((entry): entry is [string, JsonSchema] =>
      isObject(entry[1]),
    ),
  );
}

const requiredOf = ({ required }: JsonSchema): readonly string[] =>
  Array.isArray(required) ? required.map(String) : [];
