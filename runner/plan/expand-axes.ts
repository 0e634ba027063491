import { list, mapping } from '../../contract/mapping.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { type Attributes, evaluate } from '../catalog/condition.ts';
import type { Derivation, Scenario } from '../catalog/scenarios.ts';

/** One point on the axes: a part of the case id for each axis, and the attributes that the point sets. */
export interface AxisPoint {
  readonly names: readonly string[];
  readonly attributes: Attributes;
}

/** Lists all points of a scenario's axes. Derived faults vary fastest, then the last axis. */
export function expandAxes(scenario: Scenario, catalog: Catalog): AxisPoint[] {
  let points: AxisPoint[] = [{ names: [], attributes: {} }];
  for (const axis of scenario.axes) {
    points = points.flatMap((point) =>
      axis.values.map((value) => ({
        names: [...point.names, `${axis.name}=${value.name}`],
        attributes: { ...point.attributes, ...value.attributes },
      })),
    );
  }
  if (!scenario.derive) return points;
  const derived = derivedPoints(scenario.derive, catalog);
  return points.flatMap((point) =>
    derived.map(({ names, attributes }) => ({
      names: [...point.names, ...names],
      attributes: { ...point.attributes, ...attributes },
    })),
  );
}

function derivedPoints(derive: Derivation, catalog: Catalog): AxisPoint[] {
  const schema = catalog.schemas.resolved(derive.schema);
  const points = new Map<string, AxisPoint>();
  for (const body of derive.from) {
    for (const fault of deriveFaults(schema, catalog.fixtures.bodies[body])) {
      const names = [`place=${fault.place}`, `fault=${fault.fault}`, `given=${fault.given}`];
      const point = { names, attributes: getFaultAttributes(fault, body) };
      const excepted = derive.except.some((condition) => evaluate(condition, point.attributes) === true);
      const key = names.join('/');
      if (!excepted && !points.has(key)) points.set(key, point);
    }
  }
  return [...points.values()];
}

/** One fault of a body as attributes: its place, its kind, and the value that is sent instead. */
export interface DerivedFault {
  readonly place: string;
  readonly member: string;
  readonly fault: 'missing' | 'wrong-type' | 'empty';
  readonly given: string;
}

const jsonTypes = ['string', 'number', 'boolean', 'null', 'array', 'object'];

/**
 * Lists every single fault that makes the value violate the schema, at every depth and in every item of a list: each required
 * member missing, each member with each wrong type, and each text that must not be empty as an empty text.
 */
export function deriveFaults(schema: unknown, value: unknown): DerivedFault[] {
  return inside(mapping(schema), value, '', '');
}

/** Returns the attributes of a derived fault in the body of a fixture. */
export function getFaultAttributes({ place, member, fault, given }: DerivedFault, body: string): Attributes {
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
