import { expect, test } from 'vitest';
import { fc, generateBodyLike, valueOfType } from './values.ts';

const hasLetter = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(value).some(
    ([name, inner]) => (!Array.isArray(value) && /\p{L}/u.test(name)) || hasLetter(inner),
  );

test('a name in a nested object shrinks to a member of the outermost object', () => {
  const seeds = Array.from({ length: 40 }, (_, seed) => seed);
  const smallest = seeds.flatMap((seed) => {
    const property = fc.property(valueOfType('object', undefined), (value) => !hasLetter(value));
    const { counterexample } = fc.check(property, { seed, numRuns: 200 });
    return counterexample ? [JSON.stringify(counterexample[0])] : [];
  });
  expect(smallest.length).toBeGreaterThan(30);
  expect(smallest.filter((text) => !/^\{"[^"]+":(null|""|0|false|\[\]|\{\})\}$/u.test(text))).toEqual([]);
});

test('a value of an unknown type is an error', () => {
  expect(() => valueOfType('zero', undefined)).toThrow('has the value "zero", which is not a JSON type.');
});

test('a conversation keeps its system message, and its questions and responses alternate', () => {
  const message = (role: string): object => ({ role, content: 'text' });
  const fixture = { messages: ['system', 'user', 'assistant', 'user'].map(message) };
  const bodies = fc.sample(generateBodyLike(fixture, []), { seed: 1, numRuns: 100 });
  const roles = bodies.map((body) =>
    /"messages":(.*)\]/.exec(JSON.stringify(body))?.[1]?.match(/(?<="role":")\w+/g),
  );
  const forms = new Set(roles.map((list) => list?.join(' ')));
  expect([...forms].sort()).toEqual([
    'system user',
    'system user assistant user',
    'system user assistant user assistant user',
    'system user assistant user assistant user assistant user',
  ]);
});
