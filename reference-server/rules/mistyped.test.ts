import { expect, test } from 'vitest';
import { readRules } from '../read-rules.ts';

const change = { status: 500 };
test.each<[string, readonly object[], string]>([
  [
    'a fact in `by`',
    [{ match: { every: 2, by: ['modle'] }, change }],
    '[0].match.by[0]`: unknown name "modle". Did you mean "model"?',
  ],
  [
    'a noted name',
    [{ change: [{ note: 'seen' }] }, { match: { noted: { name: 'sene', by: ['key'] } }, change }],
    '[1].match.noted`: unknown name "sene". Did you mean "seen"?',
  ],
  [
    'a fact of a note',
    [{ change: [change, { note: { name: 'seen', by: ['kye'] } }] }],
    '[0].change[1].note.by[0]`: unknown name "kye". Did you mean "key"?',
  ],
  [
    'a forgotten name',
    [{ change: { note: 'seen' } }, { change: { forget: 'sean' } }],
    '[1].change.forget`: unknown name "sean". Did you mean "seen"?',
  ],
])('%s that is mistyped is rejected', (_, rules, message) => {
  expect(() => readRules(rules)).toThrow(`rules: \`${message}`);
});

test('headers, and names that a later rule may note, are accepted', () => {
  const rules = [
    { match: { every: 2, by: ['date', 'x-tenant', 'apikey', 'content-length'], noted: 'later' }, change },
  ];
  expect(readRules(rules)).toEqual(rules);
});
