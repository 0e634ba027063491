import { expect, test } from 'vitest';
import { containsKey, decodeEscapes, formsOfKey } from './key-forms.ts';

const key = 'sk-proj-9f8Zq2LmXr7T';

test.each([
  ['%41%2542', 'AB', [0, 3], [3, 8]],
  ['\\u0041\\\\"&#66;&#x43;&amp;', 'A"BC&', [0, 6, 9, 14, 20], [6, 9, 14, 20, 25]],
  ['a\\nb', 'a b', [0, 1, 3], [1, 3, 4]],
  ['&#128512;x', '\u{1f600}x', [0, 0, 9], [0, 9, 10]],
  ['&#9999999;%4', '\ufffd%4', [0, 10, 11], [10, 11, 12]],
])('decodes %s', (given, text, starts, ends) => {
  const decoded = decodeEscapes(given);
  expect(decoded.text).toBe(text);
  expect(starts.map((_, index) => decoded.startOf(index))).toEqual(starts);
  expect(ends.map((_, index) => decoded.endOf(index + 1))).toEqual(ends);
});

test('only the plain form of a key begins with words', () => {
  expect(formsOfKey(key).flatMap(({ text, words }) => (words > 0 ? [[text, words]] : []))).toEqual([
    [key, 8],
  ]);
});

test.each([
  [`https://gateway.example/${key.toUpperCase()}`, true],
  [`https://gateway.example/${Buffer.from(`x:${key}`).toString('base64')}`, true],
  [`https://gateway.example/${Buffer.from(key).toString('hex')}`, true],
  [`https://gateway.example/${encodeURIComponent(encodeURIComponent(key)).replaceAll('-', '%2D')}`, true],
  [`https://gateway.example/${key.slice(0, -1)}`, false],
])('whether %s contains the key: %s', (text, expected) => {
  expect(containsKey(text, key)).toBe(expected);
});

test('a short key can be the name of a host', () => {
  expect(containsKey('http://ollama:11434', 'ollama')).toBe(false);
});
