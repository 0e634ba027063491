import { expect, test } from 'vitest';
import { readSeed } from '../gateway/seed.ts';
import { setupOf } from '../read-setups.ts';
import { validateWithSchema } from '../schemas.ts';
import { listVariants } from './index.ts';

test('each variant has an ID of its own', () => {
  const ids = listVariants().map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

const row = { id: 'topic/variant', about: 'Does.' };
test.each<[string, object, RegExp]>([
  ['without a change', { match: { refused: true } }, /`\[0\]\.change` must be present/],
  ['with violations', { change: { cut: 1 }, violates: ['a/b'] }, /`\[0\]\.violates` must be omitted/],
  ['with a mistyped word', { change: { mesage: '' } }, /`\[0\]\.change\.mesage` must be named `message`/],
  [
    'with a change and rules',
    { change: { cut: 1 }, rules: [{ change: { cut: 1 } }, { change: { cut: 2 } }] },
    /rules` must be omitted/,
  ],
])('a row %s is refused', (_, more, message) => {
  expect(() => validateWithSchema('v.yaml', 'variants', [{ ...row, ...more }])).toThrow(message);
});

const origin = { kind: 'variant', id: 'v', about: '' } as const;

test('a row can remove a property of the profile, and an operation', () => {
  const remove = { remove: true };
  const { profile } = setupOf(origin, {
    profile: { rateLimit: remove, operations: { messages: remove, usage: null } },
  })();
  expect(profile).toStrictEqual({ rateLimit: undefined, operations: { messages: undefined, usage: null } });
});

test('a row replaces members of the seed one by one', () => {
  const seed = readSeed();
  const changed = setupOf(origin, { seed: { keys: { valid: { key: 'sk-a' } } } })().seed;
  expect(changed).toEqual({ ...seed, keys: { ...seed.keys, valid: { ...seed.keys.valid, key: 'sk-a' } } });
  expect(setupOf(origin, { seed: { keys: { valid: { key: 1 } } } })).toThrow(/keys\.valid\.key/);
});
