import { expect, test } from 'vitest';
import { createKeyHider, findSecretsInHeaders } from './hide-keys.ts';

const secrets = new Map([['sk-known-keys-0123456789', 'keys.valid']]);

test.each([
  ['recording', 'a {{keys.foreign}}'],
  ['live', 'a {{braces}}keys.foreign}}'],
] as const)('keeps placeholders in a recording and escapes them in live traffic: %s', (source, expected) => {
  expect(createKeyHider(secrets, source).redactionFor([])('a {{keys.foreign}}')).toBe(expected);
});

test('hides a key that is found later in a text that was redacted before', () => {
  const hider = createKeyHider(secrets, 'recording');
  const first = hider.redactionFor([])('sk-known-keys-0123456789 and later-key-98765');
  hider.redactionFor(['later-key-98765']);
  expect(hider.hideAll({ text: first })).toEqual({ text: '{{keys.valid}} and {{keys.client}}' });
});

test('hides a credential and a cookie among thousands of cookies', () => {
  const cookies = Array.from({ length: 10_000 }, (_, index) => `c=cookie-${index}-abcdefgh`);
  const texts = findSecretsInHeaders([
    ['cookie', cookies.join('; ')],
    ['authorization', 'Bearer own-credential-0123'],
  ]);
  const redact = createKeyHider(secrets, 'live').redactionFor(texts);
  expect(redact('own-credential-0123 cookie-7-abcdefgh')).toBe('{{keys.client}} {{keys.client}}');
});

test.each([
  'Bearer Bearer {{keys.valid}}',
  'Bearer "{{keys.valid}}"',
  'Bearer {{keys.valid}}é',
  'Bearer {{keys.valid:swapped}}',
  'Bearer {{keys.valid:replace-x-5}}',
  'Bearer {{env.GATEWAY_TENANT_TOKEN}}',
])('does not treat text next to a placeholder as a key: %s', (value) => {
  expect(findSecretsInHeaders([['authorization', value]])).toEqual([]);
});

test.each([
  ['Bearer own-credential-0123, {{keys.valid}}', 'own-credential-0123,'],
  ['Bearer pw12345{{keys.valid}}', 'pw12345'],
  ['Bearer pw12345{{keys.other}}', 'pw12345{{keys.other}}'],
])('finds a key next to a placeholder: %s', (value, expected) => {
  expect(findSecretsInHeaders([['authorization', value]])).toEqual([expected]);
});

const valid = 'sk-known-keys-0123456789';
test.each([
  ['is equal to the key of the profile', valid, valid, '{{keys.valid}}'],
  [
    'shares a part with the key of the profile',
    'other-keys-0123456789-abcdef',
    'x keys-0123456789 y',
    'x {{keys.valid:part}} y',
  ],
  [
    'is an encoding of the key of the profile',
    Buffer.from(valid).toString('hex'),
    Buffer.from(valid).toString('hex'),
    '{{keys.valid}}',
  ],
  ['contains the key of the profile', `${valid}-and-more`, `${valid}-and-more`, '{{keys.client}}'],
])('if a key of a client %s, the text with this key is shown as $3', (_, ofClient, text, expected) => {
  expect(createKeyHider(secrets, 'live').redactionFor([ofClient])(text)).toBe(expected);
});
