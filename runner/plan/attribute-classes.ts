import { groupBy } from '../../common/lists.ts';
import type { CountedAttribute } from '../catalog/attributes.ts';
import type { AttributeMatcher, Attributes, Condition } from '../catalog/condition.ts';
import { isOtherOperation, knownOperationIds } from '../catalog/operations.ts';
import type { GatewayPromise } from '../profile/promise.ts';
import { completeAttributes } from './complete-attributes.ts';

/**
 * The values of an attribute that every condition of the ledger treats alike. The usual value of an attribute is a
 * class of its own, because a request with this value leaves out what the other values add.
 */
export interface AttributeClass {
  readonly attribute: string;
  /** The name of the set that has the same values, or the values themselves. */
  readonly name: string;
  /** The values; of the class of all values that the data does not name, only `otherText`. */
  readonly values: readonly string[];
}

/** Stands for any text that neither the ledger nor `specs/attributes.yaml` names. */
const otherText = '…';

export interface AttributeClasses {
  /** The attributes that are counted, in the order of `specs/attributes.yaml`. */
  readonly attributes: readonly CountedAttribute[];
  /** The classes of all attributes, in the order of the attributes. A class is represented by its index. */
  readonly classes: readonly AttributeClass[];
  /** Returns the class of each attribute of a request; -1 for an unknown attribute. */
  readonly classesOf: (attributes: Attributes) => Int16Array;
}

/** Computes the classes of the values by the conditions of all requirements and of the open questions. */
export function classifyAttributes(promise: GatewayPromise): AttributeClasses {
  const { attributes: vocabulary, requirements, uncheckedClauses } = promise;
  const { counted } = vocabulary;
  const mentioned = collectSets([
    ...requirements.map(({ when }) => when),
    ...uncheckedClauses.flatMap(({ kind, when }) => (kind === 'silent' && when ? [when] : [])),
    ...counted.flatMap(({ values, only }) => values.flatMap((value) => only(value) ?? [])),
  ]);
  const derived = vocabulary.names.filter((name) => !counted.some((own) => own.name === name));
  const operations = [...knownOperationIds, 'none'];
  const usual = operations.map((operation) => completeAttributes({ operation }, promise));
  const classes: AttributeClass[] = [];
  const indexes = counted.map((attribute) => {
    const { name, isFree } = attribute;
    const sets = [...(mentioned.get(name) ?? new Map<string, ReadonlySet<string>>()).values()];
    const usualValues = new Set(usual.map((own) => own[name]));
    const named = new Set([
      ...attribute.values.filter((value) => !isOtherOperation(value) || promise.profile.operations[value]),
      ...(isFree ? [...sets.flatMap((set) => [...set]), otherText] : []),
    ]);
    const sign = (value: string): string => {
      if (usualValues.has(value)) return value;
      const own = sets.map((set) => (set.has(value) ? '1' : '0')).join('');
      const consequences = (isFree ? [] : operations).map((operation) => {
        const all = completeAttributes({ operation, [name]: value }, promise);
        return derived.map((other) => all[other]).join(' ');
      });
      return [own, ...consequences].join('\n');
    };
    const groups = groupBy([...named], sign);
    const index = new Map<string, number>();
    for (const [, values] of groups) {
      for (const value of values) index.set(value, classes.length);
      classes.push({ attribute: name, name: nameClass(values, attribute), values });
    }
    return { name, index, other: index.get(otherText) ?? -1 };
  });
  return {
    attributes: counted,
    classes,
    classesOf: (attributes) => {
      const own = new Int16Array(indexes.length);
      for (const [position, { name, index, other }] of indexes.entries()) {
        const value = attributes[name];
        own[position] = value === undefined ? -1 : (index.get(value) ?? other);
      }
      return own;
    },
  };
}

/** Returns the sets of values that conditions name, by attribute. */
function collectSets(
  conditions: readonly Condition[],
): ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>> {
  const sets = new Map<string, Map<string, ReadonlySet<string>>>();
  const collect = ({ attributes, anyOf }: Condition): void => {
    for (const { name, matcher } of attributes) {
      const own = sets.get(name) ?? new Map<string, ReadonlySet<string>>();
      sets.set(name, own);
      own.set(matcher.values.join('\n'), new Set(matcher.values));
    }
    for (const alternative of anyOf) collect(alternative);
  };
  for (const condition of conditions) collect(condition);
  return sets;
}

function nameClass(values: readonly string[], { sets }: CountedAttribute): string {
  if (values.includes(otherText)) return 'others';
  const own = new Set(values);
  const same = [...sets].find(([, set]) => set.length === own.size && set.every((value) => own.has(value)));
  if (same && values.length > 1) return same[0];
  return values.length > 2 ? `${values[0]} and ${values.length - 1} more` : values.join('/');
}

/** Returns the conjunctions of which at least one must be satisfied: a condition without `anyOf`. */
export function listAlternatives({ attributes, anyOf }: Condition): readonly (readonly AttributeMatcher[])[] {
  if (anyOf.length === 0) return [attributes];
  return anyOf.flatMap(listAlternatives).map((alternative) => [...attributes, ...alternative]);
}
