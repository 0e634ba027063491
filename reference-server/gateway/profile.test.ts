import { expect, test } from 'vitest';
import { profileOf } from './profile.ts';
import { milliseconds, readSeed } from './seed.ts';

test('the profile names a fitting model for every role of every dialect', () => {
  const { models } = profileOf(readSeed(), 'http://x');
  const roles = (family: string, mismatched: string) => ({
    good: `${family}-reference`,
    textOnly: `${family}-reference-text`,
    unsupported: `${family}-reference-retired`,
    mismatched,
  });
  expect(models).toEqual({
    chat: roles('gpt', 'responses-reference'),
    responses: roles('gpt', 'claude-reference'),
    messages: roles('claude', 'gpt-reference'),
    generate: roles('gemini', 'gpt-reference'),
  });
});

test('changes are laid over it, operations one by one', () => {
  const { operations, timeFormat } = profileOf(readSeed(), 'http://x', {
    timeFormat: 'iso-date',
    operations: { usage: null },
  });
  expect(timeFormat).toBe('iso-date');
  expect(operations).toMatchObject({ usage: null, messages: 'POST /v1/messages' });
});

test.each([
  ['10s', 10_000],
  ['500ms', 500],
  ['2m', 120_000],
])('%s is %i ms', (text, value) => {
  expect(milliseconds(text)).toBe(value);
});
test.each(['', '10', 's', '1h'])('%j is no duration', (text) => {
  expect(() => milliseconds(text)).toThrow(/not a duration/);
});
