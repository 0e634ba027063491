import { expect, test } from 'vitest';
import { logText } from './printable.ts';

test.each([
  ['a colour', '\u001b[31mred', '\\u001b[31mred'],
  ['lines', 'a\n\tb', 'a\n\tb'],
  ['the title of a terminal', '\u001b]0;a\u0007', '\\u001b]0;a\\u0007'],
  ['a cleared screen', '\u001b[2J', '\\u001b[2J'],
  ['a control of C1', '\u009b31m', '\\u009b31m'],
  ['a bell before brackets', '\u0007[0m', '\\u0007[0m'],
  ['a command on its own line', 'a\n::error::b', 'a\n: :error::b'],
])('%s: %j is logged as %j', (_, text, shown) => {
  expect(logText(text)).toBe(shown);
});

test('keeps colours if `colours` is true', () => {
  expect(logText('\u001b[31mred\u001b[0m\u001b[2J', { colours: true })).toBe(
    '\u001b[31mred\u001b[0m\\u001b[2J',
  );
});
