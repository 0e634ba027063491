import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createNotJson, truncate } from '../../../runner/judge/locate.ts';
import { describeFinding } from '../../../runner/report/describe-exchange.ts';
import { createRedact, type Redact, redactRest } from '../../../runner/report/redaction/redact.ts';
import { deriveKeys } from '../../../runner/request/keys.ts';
import type { Answer } from '../../../runner/transport/exchange.ts';
import { encodings, findEncodedKeys, windowsOf } from '../../support/key-encodings.ts';

/**
 * The minimum number of characters of a part of a key that redaction replaces. For parts of the prefix, the minimum
 * is 2 higher.
 */
const least = 10;

const text = (alphabet: string, minLength: number): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...alphabet), { minLength, maxLength: 60 }).map((letters) => letters.join(''));
const digits = '0123456789';
const letters = `${digits}ABCDEFGHIJKLMabcdefghijklm`;
const printable = Array.from({ length: 0x7e - 0x20 }, (_, index) => String.fromCharCode(0x21 + index)).join(
  '',
);
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

  const keys = deriveKeys({
    valid: 'sk-Reference-Valid-0123456789abcdefghijKLMNOP',
    deleted: 'sk-Reference-Deleted-9876543210zyxwvutsrqPONM',
    depleted: undefined,
    foreign: undefined,
  });
  const redact = createRedact(keys.secrets);

  test.each([...keys.secrets])('replaces %s with its placeholder, plain and encoded', (secret, own) => {
    for (const name of Object.keys(encodings)) {
      if (name === 'base64' || name === 'base64url' || name === 'reversed') continue;
      for (const form of encode(name, secret)) expect(redact(`"${form}"`), name).toBe(`"{{${own}}}"`);
    }
    expect(redact(`Basic ${Buffer.from(`${secret}:`).toString('base64')}`)).toContain(`Basic {{${own}}}`);
  });

  test.each([
    ['the prefix of a key in model names', 'gpt-reference-text, sk-...', 'gpt-reference-text, sk-...'],
    ['a long prefix of a key', 'sk-Reference-', '{{keys.valid:part}}'],
    [
      'a part that is longer than a truncated key',
      'sk-Reference-Valid-0123456789',
      '{{keys.valid:truncated}}',
    ],
    ['a part after the prefix', 'x6789abcdefy', 'x{{keys.valid:part}}y'],
    ['a text that looks like a placeholder', '{{keys.valid}}KLMNOP', '{{braces}}keys.valid}}KLMNOP'],
    ['other text in double braces', '{{ name }} {{{{braces}}', '{{ name }} {{{{braces}}braces}}'],
    ['a letter whose lower case has two code units', 'İİİ6789abcdefg', 'İİİ{{keys.valid:part}}'],
    ['a character reference that is out of range', '&#9999999;6789abcdefg', '&#9999999;{{keys.valid:part}}'],
    ['a character with two code units', '&#128512;6789abcdefg', '&#128512;{{keys.valid:part}}'],
  ])('%s: %j is redacted as %j', (_, given, expected) => {
    expect(redact(given)).toBe(expected);
  });

  test('finds a short key only as a whole', () => {
    expect(createRedact(new Map([['k3y!', 'keys.valid']]))('a k3y! K3Y!b k3y')).toBe(
      'a {{keys.valid}} {{keys.valid}}b k3y',
    );
  });
});
