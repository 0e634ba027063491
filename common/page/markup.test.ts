import { expect, test } from 'vitest';
import { escapeInvisibleText } from './markup.tsx';

test.each([
  ['plain text, ünïcödé, 日本語, 🙂', 'plain text, ünïcödé, 日本語, 🙂'],
  ['line\nends\tstay', 'line\nends\tstay'],
  ['a\r\nb', 'a\nb'],
  ['a\rb', 'a\\u000db'],
  ['\u0000\u001b[31m', '\\u0000\\u001b[31m'],
  ['right\u202eleft\u2066', 'right\\u202eleft\\u2066'],
  ['in\u200bvisible\ufeff', 'in\\u200bvisible\\ufeff'],
  ['tag\u{e0041}', 'tag\\u{e0041}'],
  ['half \ud800 a pair \udc00', 'half \\ud800 a pair \\udc00'],
])('%j is shown as %j', (text, shown) => {
  expect(escapeInvisibleText(text)).toBe(shown);
});
