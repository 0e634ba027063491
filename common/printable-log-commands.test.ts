import { expect, test } from 'vitest';
import { breakLogCommands, escapeLogCommands } from './printable.ts';

test.each([
  ['a ##[error]b', 'a # #[error]b'],
  ['##vso[task.complete result=Failed;]', '# #vso[task.complete result=Failed;]'],
  ['##TeamCity[message]', '# #TeamCity[message]'],
  ['::error::a', ': :error::a'],
  ['  ::set-output name=a::b', '  : :set-output name=a::b'],
  ['::stop-commands::x', ': :stop-commands::x'],
])('breaks the log command %s', (text, shown) => {
  expect(breakLogCommands(text)).toBe(shown);
});

test.each(['## Title', 'http://[::1]:8080', 'std::vector', 'a ## b', '#[derive]', '##', '::'])(
  'does not change %s',
  (text) => {
    expect(breakLogCommands(text)).toBe(text);
  },
);

test('escapes log commands in XML, and in JSON without changing its value', () => {
  const text = '##[error]a ###[b] ##vso[c]';
  const json = escapeLogCommands(JSON.stringify(text), 'json');
  expect(json).not.toMatch(/##(\[|vso)/);
  expect(JSON.parse(json)).toBe(text);
  expect(escapeLogCommands(text, 'xml')).toBe('&#35;#[error]a #&#35;#[b] &#35;#vso[c]');
});
