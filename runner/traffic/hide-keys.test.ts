import { expect, test } from 'vitest';
import { secretsIn } from './infer-from-url.ts';
import { makeKeyHiding } from './hide-keys.ts';

const secrets = new Map([['sk-known-keys-0123456789', 'keys.valid']]);

test.each([
  ['recording', 'a {{keys.foreign}}'],
  ['live', 'a {{braces}}keys.foreign}}'],
] as const)('of a %s, a placeholder in a text becomes', (source, expected) => {
  expect(makeKeyHiding(secrets, source).of([])('a {{keys.foreign}}')).toBe(expected);
});

test('a key that is found later is hidden, beside what is hidden already', () => {
  const hiding = makeKeyHiding(secrets, 'recording');
  const first = hiding.of([])('sk-known-keys-0123456789 and later-key-98765');
  hiding.of(['later-key-98765']);
  expect(hiding.all({ text: first })).toEqual({ text: '{{keys.valid}} and {{keys.client}}' });
});

test('of very many cookies the first are looked for, and every credential', () => {
  const cookies = Array.from({ length: 10_000 }, (_, index) => `c=cookie-${index}-abcdefgh`);
  const texts = secretsIn([
    ['cookie', cookies.join('; ')],
    ['authorization', 'Bearer own-credential-0123'],
  ]);
  const redact = makeKeyHiding(secrets, 'live').of(texts);
  expect(redact('own-credential-0123 cookie-7-abcdefgh')).toBe('{{keys.client}} {{keys.client}}');
});
