import { expect, test } from 'vitest';
import { outcomeLooks } from '../../view/signs.ts';
import type { Table } from '../../view/table.ts';
import { formatTableAsMarkdown } from '../markdown-table.ts';
import { createPageStyle } from './page.ts';
import { formatTableLines, type TableForm } from './table.ts';

const cell = (outcome: 'conforms' | 'violates', more = '') => ({
  text: outcomeLooks[outcome].sign + more,
  look: outcomeLooks[outcome],
});
const table: Table = {
  title: 'Sizes',
  corner: 'Fruit',
  columns: [
    { name: 'of apples', kind: 'code', align: 'centre' },
    { name: 'of pears', kind: 'word', align: 'right' },
  ],
  rows: [
    { label: 'large | small', kind: 'code', cells: [cell('violates', ' 12'), cell('conforms')] },
    { label: 'other', kind: 'word', cells: [cell('conforms'), { text: '' }] },
  ],
  legend: [
    { sign: '✗', word: 'wrong' },
    { sign: '✓', word: 'right' },
    { sign: '✗', word: 'missing' },
  ],
  rest: '2 more fruits',
};
const forms: readonly TableForm[] = [
  { names: [['of apples'], ['of pears']], isCentred: true },
  { names: [['a'], ['of pears']], hasOnlySigns: true },
  { names: [['a'], ['p']], isStacked: true },
  { names: [['a'], ['of pears']], isListed: true },
];
const linesAt = (width: number, possible = forms): string[] =>
  formatTableLines(createPageStyle({ colour: false, verbose: false, width }), table, possible);

test.each<[string, number, readonly string[]]>([
  [
    'in its first form, if the page is wide enough',
    60,
    [
      'Sizes            of apples  of pears',
      '  large | small    ✗ 12        ✓',
      '  other              ✓',
      '  and 2 more fruits (--verbose shows all)',
      '  ✗ wrong or missing, ✓ right',
    ],
  ],
  [
    'with shorter names that the legend explains, and only with signs',
    30,
    [
      'Sizes            a  of pears',
      '  large | small  ✗  ✓',
      '  other          ✓',
      '  and 2 more fruits (--verbose shows all)',
      '  a of apples',
      '  ✗ wrong or missing, ✓ right',
    ],
  ],
  [
    'with the cells of a row on a line of their own',
    11,
    [
      'Sizes',
      '    a     p',
      '  large | small',
      '    ✗ 12  ✓',
      '  other',
      '    ✓',
      '  and 2 more fruits (--verbose shows all)',
      '  a of apples, p of pears',
      '  ✗ wrong or missing, ✓ right',
    ],
  ],
  [
    'with each cell on a line of its own, if nothing else fits',
    10,
    [
      'Sizes',
      '  large | small',
      '    a         ✗ 12',
      '    of pears  ✓',
      '  other',
      '    a         ✓',
      '    of pears',
      '  and 2 more fruits (--verbose shows all)',
      '  ✗ wrong or missing, ✓ right',
    ],
  ],
])('a table is set %s', (_, width, lines) => {
  expect(linesAt(width)).toEqual(lines);
});

test('a table that fits in no form is left out', () => {
  expect(linesAt(10, forms.slice(0, 2))).toEqual([]);
});

test('what follows a text is counted, and shown if the page is verbose', () => {
  const long: Table = {
    title: 'T',
    corner: '',
    columns: [{ name: 'In', kind: 'word' }],
    rows: [{ label: 'a', kind: 'code', cells: [{ text: 'b|', kind: 'code', more: ['c', 'd'] }] }],
  };
  const linesOf = (verbose: boolean): string[] =>
    formatTableLines(createPageStyle({ colour: false, verbose, width: 60 }), long, [{ names: [['In']] }]);
  expect(linesOf(false)).toEqual(['T    In', '  a  b| and 2 more']);
  expect(linesOf(true)).toEqual(['T    In', '  a  b|, c, d']);
  expect(formatTableAsMarkdown(long).split('\n').at(-1)).toBe('| `a` | `b\\|` and 2 more |');
});

test('a table in Markdown that is too long lacks its last rows, and counts them', () => {
  expect(formatTableAsMarkdown(table, 40).split('\n').slice(2)).toEqual([
    '| `large \\| small` | ✗ 12 | ✓ |',
    '',
    '*and 1 more*',
  ]);
});

test('a table in Markdown has a line for each row, in which no text ends a cell', () => {
  expect(formatTableAsMarkdown(table).split('\n')).toEqual([
    '| Fruit | `of apples` | of pears |',
    '|---|:-:|--:|',
    '| `large \\| small` | ✗ 12 | ✓ |',
    '| other | ✓ |  |',
    '',
    '*and 2 more fruits*',
  ]);
});
