import { expect, test } from 'vitest';
import { extractOutputText, isOneWord } from './events.ts';

const sse = (...events: readonly unknown[]): string =>
  events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join('');

test.each<[string, string, string | undefined]>([
  [
    'chat completions',
    sse(
      { choices: [{ delta: { role: 'assistant', content: '' } }] },
      { choices: [{ delta: { content: 'a b' } }] },
      '[DONE]',
    ),
    'a b',
  ],
  [
    'responses',
    sse({ type: 'response.output_text.delta', delta: 'one' }, { type: 'response.completed' }),
    'one',
  ],
  [
    'messages',
    sse({ type: 'content_block_delta', delta: { type: 'text_delta', text: 'one two' } }),
    'one two',
  ],
  ['generate content', sse({ candidates: [{ content: { parts: [{ text: 'ok' }] } }] }), 'ok'],
  ['a JSON array', JSON.stringify([{ candidates: [{ content: { parts: [{ text: 'ok' }] } }] }]), 'ok'],
  ['lines of JSON', '{"choices":[{"delta":{"content":"a"}}]}\n{"choices":[{"delta":{"content":"b"}}]}', 'ab'],
  ['an error', sse({ error: { message: 'a' } }), undefined],
  ['plain text', 'one two three', undefined],
  ['an incomplete event', 'data: {"choices":', undefined],
])('extracts the model output, if any, of a stream of %s', (_, body, text) => {
  expect(extractOutputText(body)).toBe(text);
});

test.each([
  ['ok', true],
  ['', true],
  [' Fine. ', true],
  ['one two', false],
  ['一二三四五六七八九十一二三四五', false],
])('%j is at most one word: %s', (text, expected) => {
  expect(isOneWord(text)).toBe(expected);
});
