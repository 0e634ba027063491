import { expect, test } from 'vitest';
import { writeJson, writeJsonPieces } from './write-json.ts';

const lone = '\ud800';

test('lone surrogates are replaced, in nested texts and member names', () => {
  const value = { [`a${lone}`]: [{ [`${lone}b`]: `c${lone}d` }], pair: '\u{1f600}' };
  const text = writeJson(value);
  expect(text).not.toMatch(/\\ud[89a-f]/);
  expect(JSON.parse(text)).toEqual({ 'a\ufffd': [{ '\ufffdb': 'c\ufffdd' }], pair: '\u{1f600}' });
});

test('text that looks like the escape of a surrogate is not changed', () => {
  const value = { '\\ud800': '\\ud800' };
  expect(JSON.parse(writeJson(value))).toEqual(value);
});

test.each([
  ['controls', '\u0000\u001b[2J\u007f\u009b31m'],
  ['changes of direction', '\u202e\u2066'],
  ['invisible characters', '\u200b\ufeff\u{e0041}'],
  ['line separators', '\u2028\u2029\r\n'],
  ['commands to a CI system', '##[error]a ##vso[task.complete] ##teamcity[x]'],
])('%s are escaped in texts and member names, without changing the value', (_, foreign) => {
  const value = { [foreign]: foreign };
  const text = writeJson(value);
  expect(JSON.parse(text)).toEqual(value);
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]|##(\[|vso|teamcity)/u);
});

test.each([0, 1, 2, 3, 9])('the pieces to a depth of %i are together the text of writeJson', (depth) => {
  const value = {
    a: [{ b: [1, undefined, null], c: undefined }, [], {}, `x${lone}\u200b`],
    d: { e: 'f' },
    g: [],
  };
  expect([...writeJsonPieces(value, depth)].join('')).toBe(writeJson(value));
});

test('a list in pieces can be a set', () => {
  const list = new Set([1, { a: 2 }]);
  expect([...writeJsonPieces({ list }, 2)].join('')).toBe(writeJson({ list: [...list] }));
});
