import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { notJson, truncate } from '../../../runner/judge/locate.ts';
import { describeFinding } from '../../../runner/report/findings.ts';
import { makeRedact, type Redact, redactRest } from '../../../runner/report/redaction/redact.ts';
import { deriveKeys } from '../../../runner/request/keys.ts';
import type { Answer } from '../../../runner/transport/exchange.ts';
import { encodings, findEncodedKeys, separators, windowsOf } from '../../support/key-encodings.ts';

/** A stretch of so many letters is of use to somebody; of one that is words only, two more. */
const least = 10;

const text = (alphabet: string, minLength: number): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...alphabet), { minLength, maxLength: 60 }).map((letters) => letters.join(''));
const digits = '0123456789';
const letters = `${digits}ABCDEFGHIJKLMabcdefghijklm`;
const printable = Array.from({ length: 0x7e - 0x20 }, (_, index) => String.fromCharCode(0x21 + index)).join(
  '',
);
const keyOf = (alphabet: string): fc.Arbitrary<string> => text(alphabet, 16);
/** A key, and a stretch of it that is long enough. */
const keyAndStretch = (key: fc.Arbitrary<string>): fc.Arbitrary<{ key: string; stretch: string }> =>
  key.chain((key) =>
    fc
      .tuple(fc.nat(key.length - least), fc.integer({ min: least, max: key.length }))
      .map(([start, length]) => ({ key, stretch: key.slice(start, start + Math.max(least, length)) })),
  );
const encoding = fc.constantFrom(...Object.keys(encodings));
const encode = (name: string, stretch: string): readonly string[] => encodings[name]?.(stretch) ?? [];
const redactOf = (key: string): Redact => makeRedact(new Map([[key, 'keys.valid']]));
const role = /\{\{keys\.[a-z:-]+\}\}/g;
/** The runs of letters of a key that tell of it: its words do from twelve letters on. */
const telling = (key: string): string[] => {
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
  test.each(Object.keys(encodings))('leaves no stretch of any key, %s, in any text or at any cut', (name) => {
    fc.assert(
      fc.property(
        keyAndStretch(keyOf(printable)),
        fc.string(),
        fc.string(),
        fc.nat(4100),
        ({ key, stretch }, before, after, filled) => {
          const redact = redactOf(key);
          for (const form of encode(name, stretch)) {
            // The quotes keep letters of the key from being the end of an escape that begins before it.
            const given = `${before}"${form}"${after}`;
            const redacted = redact(given);
            expect(redactRest(redact)(redacted)).toBe(redacted);
            const long = `${'~'.repeat(filled)}${given}`;
            const findings = [
              { kind: 'wrong-value', place: 'body', expected: '', actual: truncate(long) } as const,
              { kind: 'wrong-value', place: 'body', expected: '', actual: truncate([long]) } as const,
              notJson('body', answerOf(long)),
            ].map((finding) => describeFinding({ exchange: '', finding }, redact));
            const shown = findings.flatMap(({ message, finding }) => [
              message,
              'actual' in finding ? String(finding.actual) : '',
            ]);
            const rest = [redacted, ...shown].join('\n').replace(role, '\n');
            expect(findEncodedKeys(rest, telling(key))).toEqual([]);
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  test.each(Object.entries(separators))('sees a key with something between its letters: %s', (_, between) => {
    fc.assert(
      fc.property(keyAndStretch(keyOf(letters)), encoding, ({ key, stretch }, name) => {
        for (const form of [stretch, ...encode('hexadecimal', stretch)]) {
          const redacted = redactOf(key)(`(${form.split('').join(between)})`);
          expect(redacted, name).toMatch(/^\(\{\{keys\.valid(:part)?\}\}\)$/);
        }
      }),
      { numRuns: 40 },
    );
  });

  test('puts one role in the place of a stretch, and of nothing beside it', () => {
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

  test('leaves a text as it is that has no stretch of a key long enough', () => {
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
  const redact = makeRedact(keys.secrets);

  test.each([...keys.secrets])('puts the role of %s in its place, plain and encoded', (secret, own) => {
    for (const name of Object.keys(encodings)) {
      if (name === 'base64' || name === 'base64url' || name === 'reversed') continue;
      for (const form of encode(name, secret)) expect(redact(`"${form}"`), name).toBe(`"{{${own}}}"`);
    }
    expect(redact(`Basic ${Buffer.from(`${secret}:`).toString('base64')}`)).toContain(`Basic {{${own}}}`);
  });

  test.each([
    ['words that models share with a key', 'gpt-reference-text, sk-...', 'gpt-reference-text, sk-...'],
    ['words of a key that are long enough', 'sk-Reference-', '{{keys.valid:part}}'],
    [
      'a stretch that is longer than a truncated key',
      'sk-Reference-Valid-0123456789',
      '{{keys.valid:truncated}}',
    ],
    ['a stretch behind the words', 'x6789abcdefy', 'x{{keys.valid:part}}y'],
    ['a text that looks like a placeholder', '{{keys.valid}}KLMNOP', '{{braces}}keys.valid}}KLMNOP'],
    ['other text in braces', '{{ name }} {{{{braces}}', '{{ name }} {{{{braces}}braces}}'],
    ['a letter whose lower case is two', 'İİİ6789abcdefg', 'İİİ{{keys.valid:part}}'],
    ['the number of no letter', '&#9999999;6789abcdefg', '&#9999999;{{keys.valid:part}}'],
    ['a letter that is two in a text', '&#128512;6789abcdefg', '&#128512;{{keys.valid:part}}'],
  ])('shows %s', (_, given, expected) => {
    expect(redact(given)).toBe(expected);
  });

  test('finds a short key as a whole', () => {
    expect(makeRedact(new Map([['k3y!', 'keys.valid']]))('a k3y! K3Y!b k3y')).toBe(
      'a {{keys.valid}} {{keys.valid}}b k3y',
    );
  });
});
