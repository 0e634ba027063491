import { describe, expect, test } from 'vitest';
import { formatBodyLines } from './body-lines.ts';

const whole = { lines: 1000, width: 1000, letters: 1e6 };
const textsOf = (text: string, extent = whole): string[] =>
  formatBodyLines(text, new Map(), extent).map((line) => line.text);
const noted = (text: string, place: string, extent = whole): string[] =>
  formatBodyLines(text, new Map([[place, ['wrong']]]), extent)
    .filter(({ notes }) => notes.includes('wrong'))
    .map((line) => line.text.trim());

describe('a body', () => {
  test('of JSON is indented with all characters unchanged', () => {
    expect(textsOf('{"n":12345678901234567890,"n":1.0,"t":"\\u0041\\/"}')).toEqual([
      '{',
      '  "n": 12345678901234567890,',
      '  "n": 1.0,',
      '  "t": "\\u0041\\/"',
      '}',
    ]);
  });
  test.each([
    ['text that is not JSON', '<html>\n{"a":1}', ['<html>', '{"a":1}']],
    ['half of JSON', '{"a":{"b"', ['{"a":{"b"']],
    ['a stream', 'data: {"a":1}\n\ndata: [DONE]', ['data: {"a":1}', '', 'data: [DONE]']],
  ])('of %s is not changed', (_, text, lines) => {
    expect(textsOf(text)).toEqual(lines);
  });
  test('with very deep nesting is not indented', () => {
    const text = '['.repeat(30_000) + ']'.repeat(30_000);
    expect(textsOf(text)).toHaveLength(1);
  });
  test('with brackets in its texts does not count as deeply nested', () => {
    expect(textsOf(JSON.stringify({ a: '['.repeat(100) }))).toHaveLength(3);
  });
});

describe('a note', () => {
  const body = '{"error":{"type":"x","list":[{"a":1},{"a":2}]},"a/b~c":0}';
  test.each([
    ['/error/type', '"type": "x",'],
    ['/error/list/1/a', '"a": 2'],
    ['/a~1b~0c', '"a/b~c": 0'],
    ['/error/code', '"error": {'],
    ['/trace_id', '{'],
    ['body', '{'],
  ])('at %s is shown at its line, or at the line of its innermost existing parent', (place, line) => {
    expect(noted(body, place)).toEqual([line]);
  });
  test('is shown at the first line of a body that is not JSON', () => {
    expect(noted('<html>\n</html>', '/error/type')).toEqual(['<html>']);
  });
});

describe('a body that is too long', () => {
  const long = JSON.stringify(Array.from({ length: 100 }, (_, index) => index));
  test('is cut after the allowed lines, and the rest is counted', () => {
    expect(textsOf(long, { ...whole, lines: 3 })).toEqual(['[', '  0,', '  1,', '⋯ 99 more lines']);
  });
  test('is cut after the allowed total length', () => {
    expect(textsOf('1234\n5678\n9', { ...whole, letters: 8 })).toEqual(['1234', '5678', '⋯ 1 more line']);
  });
  test('is shown around each note', () => {
    const lines = formatBodyLines(long, new Map([['/50', ['wrong']]]), { ...whole, lines: 2 });
    expect(lines.map(({ text }) => text.trim())).toEqual([
      ...['[', '0,', '⋯ 46 more lines', '47,', '48,', '49,'],
      ...['50,', '51,', '52,', '53,', '⋯ 47 more lines'],
    ]);
    expect(lines.find(({ notes }) => notes.length > 0)?.text.trim()).toBe('50,');
  });
  test('has the number of omitted characters on a long line', () => {
    expect(textsOf('x'.repeat(100), { ...whole, width: 10 })).toEqual([
      'xxxxxxxxxx… (90 more characters of this line)',
    ]);
  });
});
