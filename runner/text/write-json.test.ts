import { expect, test } from 'vitest';
import { writeJson } from './write-json.ts';

const lone = '\ud800';

test('lone surrogates are replaced, in texts and in member names at any depth', () => {
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
])('%s are escaped in texts and member names, and parse to the same', (_, foreign) => {
  const value = { [foreign]: foreign };
  const text = writeJson(value);
  expect(JSON.parse(text)).toEqual(value);
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]|##(\[|vso|teamcity)/u);
});
