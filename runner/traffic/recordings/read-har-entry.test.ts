import { expect, test } from 'vitest';
import { joinHeaders } from './read-har-entry.ts';

test.each([
  { lines: [], joined: {} },
  {
    lines: [
      ['a', '1'],
      ['b', '2'],
    ],
    joined: { a: '1', b: '2' },
  },
  {
    lines: [
      ['a', '1'],
      ['b', '2'],
      ['a', '1'],
      ['a', '3'],
    ],
    joined: { a: '1, 3', b: '2' },
  },
] as const)('joins the header lines $lines to $joined', ({ lines, joined }) => {
  expect(joinHeaders(lines)).toEqual(joined);
});

test('joins headers named __proto__ or constructor like any other', () => {
  const joined = joinHeaders([
    ['__proto__', 'x'],
    ['constructor', 'y'],
  ]);
  expect(Object.entries(joined)).toEqual([
    ['__proto__', 'x'],
    ['constructor', 'y'],
  ]);
});
