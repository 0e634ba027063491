import { toList, toMapping } from '../../common/mapping.ts';
import type { CatalogData } from '../catalog/catalog.ts';
import { type Attributes, evaluate } from '../catalog/condition.ts';
import { isOperationId, isOtherOperation, type Operation, type OperationId } from '../catalog/operations.ts';
import type { Derivation, Scenario } from '../catalog/scenarios.ts';
import type { GatewayPromise } from '../profile/promise.ts';
import { completeAttributes } from './complete-attributes.ts';

/** A point of a scenario: one combination of the values of its axes. */
export interface AxisPoint {
  /** The names of the values of the point, such as `header=bearer`. Case IDs omit the usual values. */
  readonly names: readonly string[];
  readonly attributes: Attributes;
  /** The index of the value of the point on each axis. The derived invalid parts are the last axis. */
  readonly values: readonly number[];
}

/** Replaces the value `limited` with the operation whose rate limit the profile states. */
function bindLimited({ send, axes }: Scenario, limited: OperationId): Pick<Scenario, 'send' | 'axes'> {
  const bind = (text: string): string => (text === 'limited' ? limited : text);
  const bindAll = (attributes: Attributes): Attributes =>
    Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, bind(value)]));
  return {
    send: bindAll(send),
    axes: axes.map(({ name, values }) => ({
      name,
      values: values.map((value) => ({ name: bind(value.name), attributes: bindAll(value.attributes) })),
    })),
  };
}

type AxisData = Pick<CatalogData, 'schemas' | 'fixtures'>;

/** Returns all points of a scenario. The derived invalid parts vary fastest, followed by the last axis. */
export function expandAxes(scenario: Scenario, data: AxisData): AxisPoint[] {
  let points: AxisPoint[] = [{ names: [], attributes: {}, values: [] }];
  for (const axis of scenario.axes) {
    points = points.flatMap((point) =>
      axis.values.map((value, index) => ({
        names: [...point.names, `${axis.name}=${value.name}`],
        attributes: { ...point.attributes, ...value.attributes },
        values: [...point.values, index],
      })),
    );
  }
  if (!scenario.derive) return points;
  const derived = derivePoints(scenario.derive, data);
  return points.flatMap((point) =>
    derived.map(({ names, attributes }, index) => ({
      names: [...point.names, ...names],
      attributes: { ...point.attributes, ...attributes },
      values: [...point.values, index],
    })),
  );
}

function derivePoints(derive: Derivation, { schemas, fixtures }: AxisData): Omit<AxisPoint, 'values'>[] {
  const schema = schemas.resolved(derive.schema);
  const points = new Map<string, Omit<AxisPoint, 'values'>>();
  for (const body of derive.from) {
    for (const fault of deriveFaults(schema, fixtures.bodies[body])) {
      const names = [`place=${fault.place}`, `fault=${fault.fault}`, `given=${fault.given}`];
      const point = { names, attributes: getFaultAttributes(fault, body) };
      const excepted = derive.except.some((condition) => evaluate(condition, point.attributes) === true);
      const key = names.join('/');
      if (!excepted && !points.has(key)) points.set(key, point);
    }
  }
  return [...points.values()];
}

/**
 * One invalid part of a body. `place` is the path of the member with indexes, and `member` is the path without
 * indexes. `fault` is the kind of the invalid part, and `given` is the kind of the value that is sent instead.
 */
export interface DerivedFault {
  readonly place: string;
  readonly member: string;
  readonly fault: 'missing' | 'wrong-type' | 'empty';
  readonly given: string;
}

/** The types of JSON values, as values of the attribute `given`. */
export const jsonTypes = ['string', 'number', 'boolean', 'null', 'array', 'object'];

/**
 * Returns the single invalid parts that make a value violate the schema. Such a part is a missing required member, a
 * member or list item of a disallowed type, or an empty string where the schema requires content. Considers the
 * members that the value has, at every depth and in every item of a list.
 */
export function deriveFaults(schema: unknown, value: unknown): DerivedFault[] {
  return findFaultsInside(toMapping(schema), value, '', '');
}

/**
 * Returns the attributes that a derived invalid part sets. `body` is the name of the valid body in
 * `fixtures/bodies.yaml`.
 */
export function getFaultAttributes({ place, member, fault, given }: DerivedFault, body: string): Attributes {
  return { place, member, fault, given, body };
}

function findFaultsInside(
  schema: Readonly<Record<string, unknown>>,
  value: unknown,
  place: string,
  member: string,
): DerivedFault[] {
  if (Array.isArray(value)) {
    const items = toMapping(schema.items);
    return toList(value).flatMap((item, index) =>
      findFaultsAt(items, item, `${place}[${index}]`, `${member}[]`, false),
    );
  }
  const required = toList(schema.required);
  return Object.entries(toMapping(schema.properties)).flatMap(([name, own]) => {
    const values = toMapping(value);
    if (!Object.hasOwn(values, name)) return [];
    const path = (parent: string): string => (parent === '' ? name : `${parent}.${name}`);
    return findFaultsAt(toMapping(own), values[name], path(place), path(member), required.includes(name));
  });
}

function findFaultsAt(
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
  return [...faults, ...findFaultsInside(schema, value, place, member)];
}

function allowedTypes(schema: Readonly<Record<string, unknown>>): string[] {
  const types = (Array.isArray(schema.type) ? schema.type : [schema.type])
    .filter((type) => type !== undefined)
    .map(String);
  return types.includes('integer') ? [...types, 'number'] : types;
}

/** A point of a scenario that satisfies `where`, with the ID of its case. */
export interface CaseCandidate {
  readonly id: string;
  /** Whether a run without `--thorough` has the case. */
  readonly isDefault: boolean;
  /** The index of the value of the point on each axis. */
  readonly values: readonly number[];
  /** The attributes that the scenario sets, and the attributes `overlapping` and `repeated`. */
  readonly given: Attributes;
}

/**
 * Returns the points of a scenario that satisfy `where`. Omits points whose value of `streamed` the operation does
 * not support, and points with the header that `header=any` already sends. With `onlyDefault`, returns only the
 * points of a default run.
 */
export function listCandidates(
  scenario: Scenario,
  promise: GatewayPromise,
  { onlyDefault = false }: { readonly onlyDefault?: boolean } = {},
): CaseCandidate[] {
  const variesHeader = scenario.axes.some(
    ({ name, values }) => name === 'header' && values.some((value) => value.name === 'any'),
  );
  const { send, axes } = bindLimited(scenario, promise.profile.rateLimit?.operation ?? 'usage');
  const common = { ...send, ...describeSending(scenario) };
  // A value that the list of default cases doesn't know yet, such as one from a changed schema, is always sent.
  const listed = [...(scenario.defaultCases ?? [])].map((end) => `/${end}/`).join(' ');
  const isNew = (part: string): boolean => !listed.includes(`/${part}/`);
  return expandAxes({ ...scenario, axes }, promise).flatMap(({ names, attributes, values }) => {
    const given = { ...common, ...attributes };
    const { operation: id = 'none', header = 'any', streamed }: Attributes = given;
    const operation = isOperationId(id) ? promise.operations[id] : undefined;
    const { family = 'none' } = operation ?? {};
    if (isOtherOperation(id) && !promise.profile.operations[id]) return [];
    if (streamed !== undefined && operation && !canStream(operation, streamed)) return [];
    // Cases with `header=any` already send the first header of the operation.
    if (variesHeader && header === operation?.headers[0]) return [];
    const usual = [
      'header=any',
      'given=none',
      'accept=json',
      'added=none',
      `streamed=${operation?.streams === 'always'}`,
    ];
    const parts = names.filter((name) => !usual.includes(name));
    // A further operation has the default cases of a known operation that accepts the same headers.
    const like = isOtherOperation(id) ? parts.map((part) => part.replace(id, likeOf[family])) : parts;
    const isDefault = scenario.defaultCases?.has(like.join('/')) ?? true;
    if (onlyDefault && !isDefault && !like.some(isNew)) return [];
    const { where } = scenario;
    if (where && evaluate(where, completeAttributes(given, promise)) !== true) return [];
    return [{ id: [scenario.suite, scenario.id, ...parts].join('/'), isDefault, given, values }];
  });
}

const likeOf: Readonly<Record<Operation['family'], OperationId>> = {
  A: 'chat',
  B: 'messages',
  C: 'generate',
  none: 'balance',
};

/** Returns the attributes `overlapping` and `repeated` of all requests of a scenario. */
function describeSending({ overlapping, times }: Scenario): Attributes {
  return { overlapping: String(overlapping), repeated: String(times > 1 && !overlapping) };
}

function canStream({ streams }: Operation, streamed: string): boolean {
  return streams === 'parameter' || (streams === 'always') === (streamed === 'true');
}

type CombinedAxes = Pick<Scenario, 'axes' | 'combine' | 'derive'>;

/**
 * Returns the groups of axes whose combinations of values count for the coverage: each pair of axes, and then the
 * groups of `combine`. Each axis is represented by its index.
 */
export function listGroups({ axes, combine = [], derive }: CombinedAxes): readonly (readonly number[])[] {
  const names = [...axes.map(({ name }) => name), ...(derive ? ['body'] : [])];
  return [...listPairs(names.length), ...combine.map((group) => group.map((name) => names.indexOf(name)))];
}

/**
 * Returns, for each point and group, a number that identifies the combination of values that the point has on the
 * axes of the group. The numbers are unique if no axis has more than 1000 values.
 */
export function listCombinations<T extends Pick<AxisPoint, 'values'>>(
  points: readonly T[],
  groups: readonly (readonly number[])[],
): ReadonlyMap<T, readonly number[]> {
  return new Map(
    points.map((point) => [
      point,
      groups.map((group, index) =>
        group.reduce((sum, axis) => sum * 1000 + (point.values[axis] ?? 0), index),
      ),
    ]),
  );
}

function listPairs(count: number): number[][] {
  return Array.from({ length: count }, (_, one) =>
    Array.from({ length: count - one - 1 }, (_, index) => [one, one + 1 + index]),
  ).flat();
}
