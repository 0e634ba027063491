import { JSONParser } from '@streamparser/json';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { HarValue } from './har-outline.ts';
import { createHarReader } from './parse-har.ts';

function read(bytes: Uint8Array, size: number, longest?: number): HarValue[] {
  const har = createHarReader(longest);
  const values: HarValue[] = [];
  for (let start = 0; start < bytes.length && !har.isOver(); start += size) {
    values.push(...har.read(bytes.subarray(start, start + size)));
  }
  return [...values, ...har.end()];
}

const entries = (values: readonly HarValue[]): unknown[] =>
  values.flatMap((found) => (found.kind === 'entry' ? [found.value] : []));
const problems = (values: readonly HarValue[]): string[] =>
  values.flatMap((found) => (found.kind === 'broken' ? [found.problem] : []));

/** Parses a HAR in pieces of `size` bytes with the streaming parser alone. Returns the entries and the problem. */
function readSlowly(
  bytes: Uint8Array,
  size: number,
): {
  readonly entries: unknown[];
  readonly problem: string | undefined;
} {
  const parser = new JSONParser({ paths: ['$.log.entries.*'] });
  const entries: unknown[] = [];
  let problem: string | undefined;
  // If `entries` is an object instead of an array, its members are not entries.
  parser.onValue = ({ value, key }) => void (typeof key === 'number' && entries.push(value));
  parser.onError = ({ message }) => {
    problem ??= `invalid ${/absolute position "(\d+)"/.exec(message)?.[1] ?? ''}`;
  };
  for (let start = 0; start < bytes.length && problem === undefined && !parser.isEnded; start += size) {
    parser.write(bytes.subarray(start, start + size));
  }
  return { entries, problem: problem ?? (parser.isEnded ? undefined : 'cut off') };
}

/** Texts in which the end of a value is hard to find. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({
    unit: fc.constantFrom('"', '\\', '{', '}', '[', ']', ',', ':', 'u', '0', '\n', 'é', '\u{1f511}'),
  }),
  fc.constantFrom('log', 'entries', 'version', '__proto__', '\ud800'),
);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.oneof(
      text,
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
    ),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(text, tie('value'), { maxKeys: 4 }),
  ),
}));
/** Damage to a text: a few characters, or all that follow, are removed, and other characters are inserted. */
const damage = fc.record({
  index: fc.nat(),
  removed: fc.oneof(fc.nat({ max: 3 }), fc.constant(Number.POSITIVE_INFINITY)),
  inserted: fc.string({
    unit: fc.constantFrom('"', '\\', '{', '}', '[', ']', ',', ':', '0', ' '),
    maxLength: 3,
  }),
});
type Damage = typeof damage extends fc.Arbitrary<infer Value> ? Value : never;
const applyDamage = (whole: string, { index, removed, inserted }: Damage): string => {
  const at = index % whole.length;
  return whole.slice(0, at) + inserted + whole.slice(at + removed);
};
const piece = fc.integer({ min: 1, max: 40 });
const indent = fc.constantFrom(undefined, 1, '\t');

describe('a HAR', () => {
  test('yields the same entries for pieces of any size', () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 6 }), value, indent, piece, (list, creator, space, size) => {
        const har = { log: { creator, pages: [list], entries: list, comment: { entries: list } } };
        const whole = JSON.stringify(har, null, space);
        const values = read(Buffer.from(whole), size);
        expect(problems(values)).toEqual([]);
        expect(entries(values)).toEqual(JSON.parse(whole).log.entries);
        expect(values[0]).toEqual({
          kind: 'metadata',
          name: 'creator',
          value: JSON.parse(whole).log.creator,
        });
      }),
    );
  });

  test.each([
    { about: 'short entries', longest: undefined },
    { about: 'entries that are too long to be parsed as a whole', longest: 12 },
  ])(
    'that is damaged yields the entries before the damage and the position of the damage, with $about',
    ({ longest }) => {
      fc.assert(
        fc.property(fc.array(value, { maxLength: 6 }), indent, damage, piece, (list, space, harm, size) => {
          const har = { log: { pages: [{ entries: 1 }], entries: list, comment: list } };
          const bytes = Buffer.from(applyDamage(JSON.stringify(har, null, space), harm));
          const found = read(bytes, size, longest);
          const expected = readSlowly(bytes, size);
          expect(entries(found)).toEqual(expected.entries);
          const actual = problems(found).map((problem) =>
            problem.includes('incomplete') ? 'cut off' : `invalid ${/\d+/.exec(problem)?.[0] ?? ''}`,
          );
          expect(actual).toEqual(expected.problem === undefined ? [] : [expected.problem]);
        }),
        { numRuns: 200 },
      );
    },
  );

  test.each([
    {
      about: 'is not valid UTF-8: 3 entries',
      entry: Buffer.from('{"a":"\xff"}', 'latin1'),
      found: 3,
      broken: 0,
    },
    {
      about: 'is nested a hundred thousand levels deep: 3 entries',
      entry: `{"a":${'['.repeat(1e5)}${']'.repeat(1e5)}}`,
      found: 3,
      broken: 0,
    },
    { about: 'is an array: 3 entries', entry: '[{"b":1},{"c":2}]', found: 3, broken: 0 },
  ])('with an entry that $about', ({ entry, found, broken }) => {
    const [before, after] = [Buffer.from('{"log":{"entries":[{},'), Buffer.from(',{}]}}')];
    const values = read(Buffer.concat([before, Buffer.from(entry), after]), 1000);
    expect(entries(values)).toHaveLength(found);
    expect(problems(values)).toHaveLength(broken);
  });
});

describe('nesting', () => {
  const har = (member: string, entry = '{}'): Buffer =>
    Buffer.from(`{"log":{"version":"1.2","z":${member},"entries":[{"n":1},${entry}]}}`);
  const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
  test('that is too deep between entries ends the reading, and the problem names the byte', () => {
    const bytes = har(nested(3_000_000));
    const problem = 'arrays and objects are nested deeper than 100 levels at byte 126. Remove this value.';
    expect(problems(read(bytes, 64 * 1024))).toEqual([problem]);
    expect(bytes.subarray(27, 127).toString()).toBe(`:${'['.repeat(99)}`);
  });
  test('of objects that is too deep ends the reading', () => {
    const bytes = har('{"a":'.repeat(200_000));
    expect(problems(read(bytes, 64 * 1024))[0]).toMatch(
      /nested deeper than 100 levels at byte \d+\. Remove this value\.$/,
    );
  });
  test('has no limit within an entry that is parsed as a whole', () => {
    const values = read(har(nested(90), `{"z":${nested(1_000)}}`), 64 * 1024);
    expect(problems(values)).toEqual([]);
    expect(entries(values)).toHaveLength(2);
  });
});
