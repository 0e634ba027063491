import type { Facts } from '../catalog/condition.ts';
import { list, mapping } from '../catalog/mapping.ts';

/** One fault of a body, as facts: its place, what is wrong there, and what is given instead. */
export interface DerivedFault {
  readonly place: string;
  readonly member: string;
  readonly fault: 'missing' | 'wrong-type' | 'empty';
  readonly given: string;
}

const jsonTypes = ['string', 'number', 'boolean', 'null', 'array', 'object'];

/**
 * Every single fault that breaks the schema in the value: each required member missing, each member of each wrong
 * type, each text that must not be empty left empty, at every depth; of a list, in each of its items.
 */
export function deriveFaults(schema: unknown, value: unknown): DerivedFault[] {
  return inside(mapping(schema), value, '', '');
}

/** The facts of a derived fault in the body of a fixture. */
export function faultFacts({ place, member, fault, given }: DerivedFault, body: string): Facts {
  return { place, member, fault, given, body };
}

function inside(
  schema: Readonly<Record<string, unknown>>,
  value: unknown,
  place: string,
  member: string,
): DerivedFault[] {
  if (Array.isArray(value)) {
    const items = mapping(schema.items);
    return list(value).flatMap((item, index) => at(items, item, `${place}[${index}]`, `${member}[]`, false));
  }
  const required = list(schema.required);
  return Object.entries(mapping(schema.properties)).flatMap(([name, own]) => {
    const values = mapping(value);
    if (!Object.hasOwn(values, name)) return [];
    const path = (parent: string): string => (parent === '' ? name : `${parent}.${name}`);
    return at(mapping(own), values[name], path(place), path(member), required.includes(name));
  });
}

function at(
  schema: Readonly<Record<string, unknown>>,
  value: unknown,
  place: string,
  member: string,
  required: boolean,
): DerivedFault[] {
  const faults: DerivedFault[] = [];
  if (required) faults.push({ place, member, fault: 'missing', given: 'nothing' });
  const types = allowedTypes(schema);
  if (types.length > 0) {
    for (const given of jsonTypes.filter((type) => !types.includes(type))) {
      faults.push({ place, member, fault: 'wrong-type', given });
    }
  }
  if (Number(schema.minLength ?? 0) > 0)
    faults.push({ place, member, fault: 'empty', given: 'empty-string' });
  return [...faults, ...inside(schema, value, place, member)];
}

function allowedTypes(schema: Readonly<Record<string, unknown>>): string[] {
  const types = (Array.isArray(schema.type) ? schema.type : [schema.type])
    .filter((type) => type !== undefined)
    .map(String);
  return types.includes('integer') ? [...types, 'number'] : types;
}
