import { describe, expect, test } from 'vitest';
import { parseDataFile } from '../../common/data-file.ts';
import { attributesOfPackage, listPlacesIn, readAttributes } from './attributes.ts';

const read = (sets: string) =>
  readAttributes(parseDataFile('attributes.yaml', `key: { values: { a: A, b: B, c: C }, sets: ${sets} }`));

describe('a set', () => {
  test('can contain sets, and has each value once', () => {
    const { valuesOf } = read('{ all: [some, c, a], some: [b, a] }');
    expect(valuesOf('key', 'all')).toEqual(['b', 'a', 'c']);
  });
  test('cannot contain itself', () => {
    expect(() => read('{ all: [some], some: [a, all] }')).toThrow(
      'attributes.yaml:1: the set "all" contains itself. Remove "all" from its sets.',
    );
  });
  test('of an unknown name is an error with a suggestion', () => {
    expect(() => read('{ all: [sme], some: [a] }')).toThrow('has no value "sme". Did you mean "some"?');
  });
});

test.each(['usual: z', 'faultless: [a, z]'])('an unknown value in `%s` is an error', (member) => {
  const file = parseDataFile('attributes.yaml', `key: { values: { a: A, b: B }, ${member} }`);
  expect(() => readAttributes(file)).toThrow('attributes.yaml:1: the attribute "key" has no value "z".');
});

describe('the attributes of this package', () => {
  const { keyKinds, places, valuesOf } = attributesOfPackage();
  test('have an edit for each kind of wrong key', () => {
    expect(valuesOf('key', 'wrong').filter((kind) => !keyKinds.get(kind)?.edit)).toEqual([]);
  });
  test('have a template for each place', () => {
    expect([...places].flatMap(([name, { parts }]) => (parts ? [] : [name]))).toEqual(['any']);
  });
  test('have at most one place for each query parameter and each cookie', () => {
    const names = (['query', 'cookie'] as const)
      .flatMap(listPlacesIn)
      .map(({ name, place }) => `${place.split('-')[0]} ${name}`);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('`only`', () => {
  const readOnly = (only: string) =>
    readAttributes(
      parseDataFile(
        'attributes.yaml',
        `key: { values: { a: A, b: B, c: C }, sets: { some: [a, b] }, only: ${only} }\nother: { values: { x: X } }\ndone: { values: { x: X }, derived: true }`,
      ),
    );
  test('states a condition by value or set, and one for the others', () => {
    const [key] = readOnly('{ some: { other: x }, others: { other: { not: x } } }').counted;
    expect(['a', 'b', 'c'].map((value) => key?.only(value)?.attributes[0]?.matcher.negated)).toEqual([
      false,
      false,
      true,
    ]);
  });
  test.each([
    ['{ z: { other: x } }', 'the attribute "key" has no value "z".'],
    ['{ a: { other: z } }', 'the attribute "other" has no value "z".'],
    ['{ a: { done: x } }', '`only` cannot have the attribute "done".'],
    ['{ a: { key: b } }', '`only` cannot have the attribute "key".'],
    ['{ a: { other: x }, some: { other: x } }', '"a" has a second condition.'],
  ])('%s is an error', (only, problem) => {
    expect(() => readOnly(only)).toThrow(problem);
  });
});
