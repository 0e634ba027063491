import { describe, expect, test } from 'vitest';
import { deriveKeys } from '../../request/keys.ts';
import { createRedact, type Redact, redactRest } from './redact.ts';

const key = 'sk-9f8Zq2LmXr7TbVw4KdYh6NcJp3GsAe5Ut1';
const redact = createRedact(new Map([[key, 'keys.valid']]));
const redactionOf = (valid: string): Redact =>
  createRedact(deriveKeys({ valid, deleted: undefined, depleted: undefined, foreign: undefined }).secrets);

describe('words of a short key are not hidden', () => {
  test.each([
    ['sk-model', 'GET /v1/models returned 401 for the model gpt-5', undefined],
    ['sk-wrong', 'The API key is wrong, incomplete or deleted', undefined],
    ['sk-model', 'Bearer sk-model', 'Bearer {{keys.valid}}'],
    ['sk-model', 'Bearer SK-MODELx7', 'Bearer {{keys.valid}}x7'],
    ['sk-model', Buffer.from('user:sk-model').toString('base64'), 'dXNlcjp{{keys.valid}}A=='],
  ])('%s: %s', (valid, text, expected = text) => {
    expect(redactionOf(valid)(text)).toBe(expected);
  });
});

describe('a text of which only the beginning is shown', () => {
  test.each([
    ['ends where the shown text ends', `~~~~~~~~${key}`, 8, '~~~~~~~~'],
    ['has a whole placeholder at its end', `~~~~${key}~`, 8, '~~~~{{keys.valid}}'],
    ['has a placeholder for one character of a key', `~~~~${key}~`, 5, '~~~~{{keys.valid}}'],
    ['is longer than the shown text by a placeholder', `${key}~~~~`, key.length, '{{keys.valid}}'],
    ['is not longer than the text', 'short', 100, 'short'],
  ])('%s', (_, text, shown, expected) => {
    expect(redact(text, shown)).toBe(expected);
    expect(redactRest(redact)(text, shown)).toBe(expected);
  });

  test('counts the placeholders that it already has', () => {
    expect(redactRest(redact)('a {{keys.valid}} b {{keys.valid}} c', 18)).toBe('a {{keys.valid}} b');
  });

  test('hides a key that looks like a placeholder', () => {
    expect(redactRest(redact)(`a {{keys.valid:${key}}} b`)).not.toContain(key);
  });

  test('takes no longer because of the rest', () => {
    const text = `${key}${'7'.repeat(5_000_000)}`;
    redact(text, 60);
    const start = performance.now();
    for (let round = 0; round < 100; round++) redact(text, 60);
    expect(performance.now() - start).toBeLessThan(2_000);
  });
});

test('many secrets that share a part with a text cost no more than few', () => {
  const shared = 'abcdefghijkl';
  const secretsOf = (count: number): Map<string, string> =>
    new Map(Array.from({ length: count }, (_, index) => [`${shared}${index * 7919}`, 'keys.client']));
  const text = shared.repeat(20_000);
  const timeOf = (find: Redact): number => {
    find('the first text builds the index');
    const start = performance.now();
    expect(find(text).replaceAll('{{keys.client:part}}', '')).toBe('');
    return performance.now() - start;
  };
  timeOf(createRedact(secretsOf(1)));
  const few = timeOf(createRedact(secretsOf(1)));
  expect(timeOf(createRedact(secretsOf(1_000)))).toBeLessThan(500 + 10 * few);
});
