import { expect, test } from 'vitest';
import { validateWithSchema } from '../schemas.ts';
import { listFaults } from './index.ts';

test('each fault has an ID of its own', () => {
  const ids = listFaults().map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

const row = { id: 'topic/fault', about: 'Does.', violates: ['a/b'] };
test.each<[string, object, RegExp]>([
  ['without a change', { match: { refused: true } }, /`\[0\]\.change` must be present/],
  [
    'with a change and rules',
    { change: { cut: 1 }, rules: [{ change: { cut: 1 } }, { change: { cut: 2 } }] },
    /rules` must be omitted/,
  ],
  ['with a mistyped word', { change: { mesage: '' } }, /`\[0\]\.change\.mesage` must be named `message`/],
  [
    'with a fact that is known too late',
    { match: { refused: true }, change: { skip: ['form'] } },
    /match\.refused` must be omitted/,
  ],
  ['with another form of ID', { id: 'Fault', change: { cut: 1 } }, /`\[0\]\.id` must/],
])('a row %s is refused', (_, more, message) => {
  expect(() => validateWithSchema('f.yaml', 'faults', [{ ...row, ...more }])).toThrow(message);
});
