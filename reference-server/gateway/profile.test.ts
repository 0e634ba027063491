import { expect, test } from 'vitest';
import { createReferenceGateway } from '../create-reference-gateway.ts';
import { createProfile } from './profile.ts';
import { readSeed, toMilliseconds } from './seed.ts';

test('the profile has a model for each role of each protocol', () => {
  const { models } = createProfile(readSeed(), 'http://x');
  const roles = (family: string, mismatched: string) => ({
    good: `${family}-reference`,
    textOnly: `${family}-reference-text`,
    unsupported: `${family}-reference-retired`,
    unavailable: `${family}-reference-paused`,
    mismatched,
  });
  expect(models).toEqual({
    chat: roles('gpt', 'responses-reference'),
    responses: roles('gpt', 'claude-reference'),
    messages: roles('claude', 'gpt-reference'),
    generate: roles('gemini', 'gpt-reference'),
  });
});

test('changes replace properties of the profile, and operations one by one', () => {
  const { operations, timeFormat } = createProfile(readSeed(), 'http://x', {
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
])('toMilliseconds converts %s to %i', (text, value) => {
  expect(toMilliseconds(text, 'after')).toBe(value);
});
test.each(['', '10', 's', '1h'])('toMilliseconds rejects %j', (text) => {
  expect(() => toMilliseconds(text, 'after')).toThrow(/^after: ".*" is not a valid duration\. Use/);
});

test('a gateway with an invalid time of the rate limit is not created', () => {
  const rateLimit = { operation: 'usage', requests: 3, within: '10' } as const;
  expect(() => createReferenceGateway({ profile: { rateLimit } })).toThrow(/^rateLimit\.within: "10" is not/);
});
