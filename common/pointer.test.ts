import { expect, test } from 'vitest';
import { parentPointer, readMember } from './pointer.ts';

const value = { error: { type: 'x', details: null }, list: [{ a: 1 }], 'a/b': { '~': 2 }, '': 3 };
test.each<[string, unknown]>([
  ['', value],
  ['/error/type', 'x'],
  ['/error/details', null],
  ['/error/details/recharge_url', undefined],
  ['/list/0/a', 1],
  ['/list/1', undefined],
  ['/list/length', undefined],
  ['/a~1b/~0', 2],
  ['/', 3],
  ['/error/type/length', undefined],
  ['/toString', undefined],
  ['/__proto__', undefined],
])('reads %j as %j', (pointer, expected) => {
  expect(readMember(value, pointer)).toEqual(expected);
});
test.each([null, 'text', 7, undefined])('reads no member of %j', (plain) => {
  expect(readMember(plain, '/error')).toBeUndefined();
});
test('reads an own member with the name __proto__', () => {
  expect(readMember(JSON.parse('{"__proto__": {"a": 1}}'), '/__proto__/a')).toBe(1);
});
test.each([
  ['/error/type', '/error'],
  ['/error', ''],
  ['', undefined],
])('returns the parent of %j: %j', (pointer, expected) => {
  expect(parentPointer(pointer)).toBe(expected);
});
