import { expect, test } from 'vitest';
import { readLenientJson } from './lenient-json.ts';

const json = '{"a":[1,"b\\n\\u00e9",{"c":null}],"d":-1.5e3}';

test.each<[string, string, unknown]>([
  ['JSON', json, JSON.parse(json)],
  ['a byte order mark', `\uFEFF${json}`, JSON.parse(json)],
  ['comments', '/* a */ { // b\n "a": 1 # c\n }', { a: 1 }],
  ['single quotes', "{'a':'it\\'s \"b\"'}", { a: 'it\'s "b"' }],
  ['names without quotes', '{a:1,$b_2:2}', { a: 1, $b_2: 2 }],
  ['trailing commas', '{"a":[1,],}', { a: [1] }],
  ['additional commas', '{,"a":[1,,2]}', { a: [1, 2] }],
  ['NaN and infinite numbers', '[NaN,-Infinity]', [Number.NaN, Number.NEGATIVE_INFINITY]],
  ['unusual numbers', '[01,+1,.5,1.]', [1, 1, 0.5, 1]],
  ['control characters in strings', '{"a":"b\tc\nd"}', { a: 'b\tc\nd' }],
  ['a second value', '{"a":1}{"b":2}', { a: 1 }],
  ['a sign after the value', '{"a":1} }', { a: 1 }],
  ['the name __proto__', '{"__proto__":1}', JSON.parse('{"__proto__":1}')],
])('reads %s', (_, text, value) => {
  expect(readLenientJson(text)).toEqual({ value });
});

test.each([
  ['nothing', ''],
  ['white space', ' \n\t '],
  ['a text that is cut off', '{"a":1,"b":[2'],
  ['a string that is cut off', '{"a":"b'],
  ['a missing comma', '{"a":1 "b":2}'],
  ['a missing colon', '{"a" 1}'],
  ['a missing value', '{"a":}'],
  ['words', 'This is not JSON.'],
  ['a form', 'model=a&messages=b'],
  ['XML', '<a>b</a>'],
  ['a letter before the value', 'x{"a":1}'],
  ['a bracket of the other kind', '{"a":[1}]'],
  ['an unknown word', '{"a":undefined}'],
  ['10,000 brackets', '['.repeat(10_000)],
])('does not read %s', (_, text) => {
  expect(readLenientJson(text)).toBeUndefined();
});

test('takes linear time', () => {
  const start = performance.now();
  readLenientJson(`{"a":"${'\\"'.repeat(500_000)}`);
  readLenientJson(`/${'*/'.repeat(500_000)}`);
  readLenientJson('/*'.repeat(500_000));
  readLenientJson('[,'.repeat(400) + ' '.repeat(500_000));
  expect(performance.now() - start).toBeLessThan(1000);
});
