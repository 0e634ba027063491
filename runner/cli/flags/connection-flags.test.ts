// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the variables of a flag
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { readConnectionOptions, readHeaderFlags, resolveHeaderValues } from './connection-flags.ts';

describe('--header', () => {
  test('reads names and values, and expands environment variables', () => {
    const headers = readHeaderFlags(['x-tenant: acme', 'X-Route:a:b', 'x-config: v=${CONFIG}; w=${CONFIG}'], {
      CONFIG: 'c1',
    });
    expect(headers).toEqual([
      { name: 'x-tenant', text: 'acme', value: 'acme' },
      { name: 'X-Route', text: 'a:b', value: 'a:b' },
      { name: 'x-config', text: 'v=${CONFIG}; w=${CONFIG}', value: 'v=c1; w=c1' },
    ]);
    expect(resolveHeaderValues(headers)).toEqual({
      'x-tenant': 'acme',
      'X-Route': 'a:b',
      'x-config': 'v=c1; w=c1',
    });
  });

  test.each([
    ['Authorization: Bearer sk-secret', 'must not contain a credential (Authorization). Set GATEWAY_API_KEY'],
    ['x-api-key: sk-secret', 'must not contain a credential (x-api-key). Set GATEWAY_API_KEY'],
    ['X-Goog-Api-Key: sk-secret', 'must not contain a credential (X-Goog-Api-Key). Set GATEWAY_API_KEY'],
    ['x-tenant', 'Expected NAME: VALUE'],
    ['x-tenant:', 'Expected NAME: VALUE'],
    ['x tenant: a', 'Expected NAME: VALUE'],
    [': a', 'Expected NAME: VALUE'],
    [
      'x-tenant: ${TENANT}',
      'x-tenant needs the environment variable TENANT, which is unset or empty. Set the variable, or remove the flag.',
    ],
    [
      'x-tenant: ${BROKEN}',
      'x-tenant contains a character that is not allowed in a header, such as a line break. Remove the character.',
    ],
    [
      'x-tenant: ✓',
      'x-tenant contains a character that is not allowed in a header, such as a line break. Remove the character.',
    ],
  ])('rejects %s with a remedy, and without a key in the message', (flag, says) => {
    const read = (): unknown => readHeaderFlags([flag], { BROKEN: 'a\nb' });
    expect(read).toThrow(says);
    expect(read).not.toThrow('sk-secret');
  });

  test('rejects a header that is set twice', () => {
    expect(() => readHeaderFlags(['x-a: 1', 'X-A: 2'], {})).toThrow('--header x-a is set more than once.');
  });
});

test.each([
  ['http://gateway.example', 'http://proxy.example:3128'],
  ['http://localhost:8787', undefined],
  ['http://127.0.0.2', undefined],
  ['http://[::1]:8787', undefined],
  ['http://[::ffff:127.0.0.1]:8787', undefined],
])('the proxy for %s is %s', (baseUrl, proxy) => {
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv('http_proxy', 'http://proxy.example:3128');
  vi.stubEnv('no_proxy', undefined);
  vi.stubEnv('NO_PROXY', undefined);
  expect(readConnectionOptions({ insecure: false }).proxy?.(baseUrl)).toBe(proxy);
});
