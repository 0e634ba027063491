import { expect, test } from 'vitest';
import type { Combination, CombinationState } from '../../plan/coverage.ts';
import { formatCombinations } from './list-coverage.ts';

const combination = (state: CombinationState, text: string): Combination => ({
  state,
  classes: text.split(' ').map((item) => {
    const [attribute = '', name = ''] = item.split('=');
    return { attribute, name, values: [name] };
  }),
});

test('the list merges values, and has a triple only if all of its pairs are sent', () => {
  const pairs = [
    combination('judged', 'operation=chat key=good'),
    combination('judged', 'operation=chat streamed=true'),
    combination('not-chosen', 'operation=chat key=word'),
    combination('not-chosen', 'operation=chat key=star'),
    combination('not-chosen', 'operation=usage key=word'),
    combination('not-chosen', 'operation=usage key=star'),
    combination('ambiguous', 'key=word fault=missing'),
    combination('impossible', 'operation=usage streamed=true'),
  ];
  const triples = [
    combination('not-chosen', 'operation=chat streamed=true key=good'),
    combination('not-chosen', 'operation=chat streamed=true key=word'),
  ];
  expect(formatCombinations({ pairs, triples }, 80)).toEqual([
    '         sent  not chosen  ambiguous  not judged  impossible  coverage',
    'pairs       2           4          1           0           1      33 %',
    'triples     0           2          0           0           0       0 %',
    '',
    'Pairs not chosen',
    '  operation × key',
    '    chat, usage: word, star',
    '',
    'Triples not chosen, although each of their pairs is sent',
    '  operation × streamed × key',
    '    chat × true: good',
  ]);
});
