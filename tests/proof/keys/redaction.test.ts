import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Answer } from '../../../runner/exchange/exchange.ts';
import { createNotJson, truncate } from '../../../runner/judge/locate.ts';
import { describeFinding } from '../../../runner/report/describe-exchange.ts';
import { createRedact, type Redact, redactRest } from '../../../runner/report/redaction/redact.ts';
import { deriveKeys } from '../../../runner/request/keys.ts';
import { encodings, findEncodedKeys, windowsOf } from '../../support/key-encodings.ts';

/** The minimum number of characters of a part of a key that redaction replaces. */
const least = 12;

const text = (alphabet: string, minLength: number): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...alphabet), { minLength, maxLength: 60 }).map((letters) => letters.join(''));
const digits = '0123456789';
const letters = `${digits}ABCDEFGHIJKLMabcdefghijklm`;
// In a key, text such as `%41` counts as one character. A test below has such a key.
const printable = Array.from({ length: 0x7e - 0x20 }, (_, index) => String.fromCharCode(0x21 + index))
  .join('')
  .replace(/[%&\\]/g, '');
const keyOf = (alphabet: string): fc.Arbitrary<string> => text(alphabet, 16);
/** Generates a key, and a part of the key with at least `least` characters. */
const keyAndStretch = (key: fc.Arbitrary<string>): fc.Arbitrary<{ key: string; stretch: string }> =>
  key.chain((key) =>
    fc
      .tuple(fc.nat(key.length - least), fc.integer({ min: least, max: key.length }))
      .map(([start, length]) => ({ key, stretch: key.slice(start, start + Math.max(least, length)) })),
  );
const encoding = fc.constantFrom(...Object.keys(encodings));
const encode = (name: string, stretch: string): readonly string[] => encodings[name]?.(stretch) ?? [];
const redactOf = (key: string): Redact => createRedact(new Map([[key, 'keys.valid']]));
const role = /\{\{keys\.[a-z:-]+\}\}/g;
/** Returns the parts of a key that extend beyond the words at its beginning. */
const identifyingParts = (key: string): string[] => {
  const words = /^(?:[a-z]+[-_])*/i.exec(key)?.[0].length ?? 0;
  return windowsOf(key, least).filter((_, start) => start + least > words);
};
const answerOf = (body: string): Answer => ({
  status: 200,
  headers: {},
  text: body,
  size: body.length,
  content: { kind: 'text' },
  pieces: 1,
});

describe('redaction', () => {
  test.each(Object.keys(encodings))(
    'replaces every part of a key, in any text and at any cut: %s',
    (name) => {
      fc.assert(
        fc.property(
          keyAndStretch(keyOf(printable)),
          fc.string(),
          fc.string(),
          fc.nat(4100),
          ({ key, stretch }, before, after, filled) => {
            const redact = redactOf(key);
            for (const form of encode(name, stretch)) {
              // Without the quotes, letters of the key could end an escape sequence that begins before the key.
              const given = `${before}"${form}"${after}`;
              const redacted = redact(given);
              expect(redactRest(redact)(redacted)).toBe(redacted);
              const long = `${'~'.repeat(filled)}${given}`;
              const findings = [
                { kind: 'wrong-value', place: 'body', expected: '', actual: truncate(long) } as const,
                { kind: 'wrong-value', place: 'body', expected: '', actual: truncate([long]) } as const,
                createNotJson('body', answerOf(long)),
              ].map((finding) => describeFinding({ exchange: '', finding }, redact));
              const shown = findings.flatMap(({ message, finding }) => [
                message,
                'actual' in finding ? String(finding.actual) : '',
              ]);
              const rest = [redacted, ...shown].join('\n').replace(role, '\n');
              expect(findEncodedKeys(rest, identifyingParts(key))).toEqual([]);
            }
          },
        ),
        { numRuns: 40 },
      );
    },
  );

  test('replaces a part of a key with exactly one placeholder, and no adjacent text', () => {
    fc.assert(
      fc.property(keyAndStretch(keyOf(letters)), encoding, ({ key, stretch }, name) => {
        for (const form of encode(name, stretch)) {
          expect(redactOf(key)(`<~${form}~>`), `${name} ${form}`).toMatch(
            /^<~\{\{keys\.valid(:part)?\}\}~>$/,
          );
        }
      }),
      { numRuns: 200 },
    );
  });

  test('does not change a text with only short parts of a key', () => {
    fc.assert(
      fc.property(
        keyOf(letters),
        fc.array(fc.tuple(fc.nat(60), fc.nat(least - 1))),
        fc.constantFrom('qq', 'q q', 'q%41q', 'q\\u0041q', 'q&#65;q'),
        (key, pieces, between) => {
          const given = pieces.map(([start, length]) => key.slice(start, start + length)).join(between);
          expect(redactOf(key)(given)).toBe(given);
        },
      ),
      { numRuns: 200 },
    );
  });

  const key = 'sk-Reference-Valid-0123456789abcdefghijKLMNOP';
  const odd = 'sk-odd%41/+"&amp;\\u0041==';
  const keys = deriveKeys({
    valid: key,
    deleted: 'sk-Reference-Deleted-9876543210zyxwvutsrqPONM',
    depleted: undefined,
    foreign: odd,
  });
  const redact = createRedact(keys.secrets);

  test.each([...keys.secrets])('replaces %s with its placeholder, plain and encoded', (secret, own) => {
    for (const name of Object.keys(encodings)) {
      // The upper case of one key can be the upper case of another.
      if (name === 'base64' || name === 'base64url' || name === 'other case') continue;
      for (const form of encode(name, secret)) expect(redact(`"${form}"`), name).toBe(`"{{${own}}}"`);
    }
  });

  test.each([
    ['the prefix of a key in model names', 'gpt-reference-text, sk-...', 'gpt-reference-text, sk-...'],
    ['the words of a key', 'sk-reference-valid-', 'sk-reference-valid-'],
    ['a part that begins with the words of a key', 'sk-reference-valid-0', '{{keys.valid:part}}'],
    ['a part that is longer than a truncated key', 'sk-Reference-Valid-0123456789', '{{keys.valid:part}}'],
    ['a part after the prefix', 'x456789abcdefy', 'x{{keys.valid:part}}y'],
    [
      'a key that is followed by the beginning of another',
      `${key}${key.slice(0, 11)}`,
      `{{keys.valid}}${key.slice(0, 11)}`,
    ],
    ['a text that looks like a placeholder', '{{keys.valid}}KLMNOP', '{{braces}}keys.valid}}KLMNOP'],
    ['other text in double braces', '{{ name }} {{{{braces}}', '{{ name }} {{{{braces}}braces}}'],
    ['a letter whose lower case has two code units', 'İİİ456789abcdefg', 'İİİ{{keys.valid:part}}'],
    [
      'a character reference that is out of range',
      '&#9999999;456789abcdefg',
      '&#9999999;{{keys.valid:part}}',
    ],
    ['a character with two code units', '&#128512;456789abcdefg', '&#128512;{{keys.valid:part}}'],
    ['a key in a list after a letter', `x${[...Buffer.from(key)].join()}`, 'x{{keys.valid}}'],
    [
      'a key in an indented list within a text of JSON',
      JSON.stringify(JSON.stringify([...Buffer.from(key)], null, 1)),
      '"[\\n {{keys.valid}}\\n]"',
    ],
    ['a key in a list of bytes', JSON.stringify([1, ...Buffer.from(key), 2]), '[1,{{keys.valid}},2]'],
    ['a key in a buffer of Node.js', inspect(Buffer.from(`: ${key}`)), '<Buffer 3a 20 {{keys.valid}}>'],
    ['a key with escapes of its own', `key=${encodeURIComponent(odd)}&x`, 'key={{keys.foreign}}&x'],
  ])('%s: %j is redacted as %j', (_, given, expected) => {
    expect(redact(given)).toBe(expected);
  });

  test('finds a short key only as a whole', () => {
    expect(createRedact(new Map([['k3y!', 'keys.valid']]))('a k3y! K3Y!b k3y')).toBe(
      'a {{keys.valid}} {{keys.valid}}b k3y',
    );
  });
});
