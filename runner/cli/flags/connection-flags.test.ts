// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the variables of a flag
import { describe, expect, test } from 'vitest';
import { headerValues, readHeaderFlags } from './connection-flags.ts';

describe('--header', () => {
  test('takes names and values, with variables of the environment', () => {
    const headers = readHeaderFlags(['x-tenant: acme', 'X-Route:a:b', 'x-config: v=${CONFIG}; w=${CONFIG}'], {
      CONFIG: 'c1',
    });
    expect(headers).toEqual([
      { name: 'x-tenant', text: 'acme', value: 'acme' },
      { name: 'X-Route', text: 'a:b', value: 'a:b' },
      { name: 'x-config', text: 'v=${CONFIG}; w=${CONFIG}', value: 'v=c1; w=c1' },
    ]);
    expect(headerValues(headers)).toEqual({ 'x-tenant': 'acme', 'X-Route': 'a:b', 'x-config': 'v=c1; w=c1' });
  });

  test.each([
    ['Authorization: Bearer sk-secret', 'must not carry a credential (Authorization). Set GATEWAY_API_KEY'],
    ['x-api-key: sk-secret', 'must not carry a credential (x-api-key)'],
    ['X-Goog-Api-Key: sk-secret', 'must not carry a credential (X-Goog-Api-Key)'],
    ['x-tenant', 'takes NAME: VALUE'],
    ['x-tenant:', 'takes NAME: VALUE'],
    ['x tenant: a', 'takes NAME: VALUE'],
    [': a', 'takes NAME: VALUE'],
    ['x-tenant: ${TENANT}', 'x-tenant needs the environment variable TENANT, which is not set.'],
    ['x-tenant: ${BROKEN}', 'x-tenant has a character that a header cannot carry'],
    ['x-tenant: ✓', 'x-tenant has a character that a header cannot carry'],
  ])('%s is refused with the remedy, and its value is not repeated', (flag, says) => {
    const read = (): unknown => readHeaderFlags([flag], { BROKEN: 'a\nb' });
    expect(read).toThrow(says);
    expect(read).not.toThrow('sk-secret');
  });

  test('is refused if it is given twice', () => {
    expect(() => readHeaderFlags(['x-a: 1', 'X-A: 2'], {})).toThrow('--header x-a is given twice.');
  });
});
