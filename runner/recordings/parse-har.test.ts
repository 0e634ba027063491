import { JSONParser } from '@streamparser/json';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { HarValue } from './har-outline.ts';
import { openHar } from './parse-har.ts';

function read(bytes: Uint8Array, size: number, longest?: number): HarValue[] {
  const har = openHar(longest);
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

/** The entries of a text as the parser gives them that reads it letter by letter, and where it finds no JSON any more. */
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
  // The members of an object in the place of the list are no entries.
  parser.onValue = ({ value, key }) => void (typeof key === 'number' && entries.push(value));
  parser.onError = ({ message }) => {
    problem ??= `no JSON any more${/absolute position "(\d+)"/.exec(message)?.[1] ?? ''}`;
  };
  for (let start = 0; start < bytes.length && problem === undefined && !parser.isEnded; start += size) {
    parser.write(bytes.subarray(start, start + size));
  }
  return { entries, problem: problem ?? (parser.isEnded ? undefined : 'cut off') };
}

/** Members and texts such as confuse who looks for the limits of a value. */
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
/** What happens to a text: it is cut off, or letters are lost, or come in, such as confuse a reader most. */
const damage = fc.record({
  place: fc.nat(),
  lost: fc.oneof(fc.nat({ max: 3 }), fc.constant(Number.POSITIVE_INFINITY)),
  comes: fc.string({
    unit: fc.constantFrom('"', '\\', '{', '}', '[', ']', ',', ':', '0', ' '),
    maxLength: 3,
  }),
});
type Damage = typeof damage extends fc.Arbitrary<infer Value> ? Value : never;
const damaged = (whole: string, { place, lost, comes }: Damage): string => {
  const at = place % whole.length;
  return whole.slice(0, at) + comes + whole.slice(at + lost);
};
const piece = fc.integer({ min: 1, max: 40 });
const indent = fc.constantFrom(undefined, 1, '\t');

describe('a HAR', () => {
  test('gives the entries that it has as a whole, wherever it is cut into pieces', () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 6 }), value, indent, piece, (list, creator, space, size) => {
        const har = { log: { creator, pages: [list], entries: list, comment: { entries: list } } };
        const whole = JSON.stringify(har, null, space);
        const values = read(Buffer.from(whole), size);
        expect(problems(values)).toEqual([]);
        expect(entries(values)).toEqual(JSON.parse(whole).log.entries);
        expect(values[0]).toEqual({ kind: 'about', name: 'creator', value: JSON.parse(whole).log.creator });
      }),
    );
  });

  test.each([
    { about: 'short entries', longest: undefined },
    { about: 'entries that are too long to be read as a whole', longest: 12 },
  ])('that is damaged gives what comes before, and the place, with $about', ({ longest }) => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 6 }), indent, damage, piece, (list, space, harm, size) => {
        const har = { log: { pages: [{ entries: 1 }], entries: list, comment: list } };
        const bytes = Buffer.from(damaged(JSON.stringify(har, null, space), harm));
        const found = read(bytes, size, longest);
        const slow = readSlowly(bytes, size);
        expect(entries(found)).toEqual(slow.entries);
        const told = problems(found).map((problem) =>
          problem.startsWith('It ends') ? 'cut off' : `no JSON any more${/\d+/.exec(problem)?.[0] ?? ''}`,
        );
        expect(told).toEqual(slow.problem === undefined ? [] : [slow.problem]);
      }),
      { numRuns: 200 },
    );
  });

  test.each([
    {
      about: 'has letters that are no UTF-8',
      entry: Buffer.from('{"a":"\xff"}', 'latin1'),
      found: 1,
      told: 1,
    },
    {
      about: 'is a hundred thousand levels deep',
      entry: `{"a":${'['.repeat(1e5)}${']'.repeat(1e5)}}`,
      found: 3,
      told: 0,
    },
    { about: 'is none, but a list', entry: '[{"b":1},{"c":2}]', found: 3, told: 0 },
  ])('with an entry that $about', ({ entry, found, told }) => {
    const [before, after] = [Buffer.from('{"log":{"entries":[{},'), Buffer.from(',{}]}}')];
    const values = read(Buffer.concat([before, Buffer.from(entry), after]), 1000);
    expect(entries(values)).toHaveLength(found);
    expect(problems(values)).toHaveLength(told);
  });
});

describe('nesting', () => {
  const har = (member: string, entry = '{}'): Buffer =>
    Buffer.from(`{"log":{"version":"1.2","z":${member},"entries":[{"n":1},${entry}]}}`);
  const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
  test('of many levels between entries ends the reading, at its byte', () => {
    const bytes = har(nested(3_000_000));
    const problem = 'Lists and objects are nested deeper than 100 levels at byte 126.';
    expect(problems(read(bytes, 64 * 1024))).toEqual([problem]);
    expect(bytes.subarray(27, 127).toString()).toBe(`:${'['.repeat(99)}`);
  });
  test('of objects ends it too', () => {
    const bytes = har('{"a":'.repeat(200_000));
    expect(problems(read(bytes, 64 * 1024))[0]).toMatch(/nested deeper than 100 levels at byte \d+\.$/);
  });
  test('within an entry that is read as a whole has no such limit', () => {
    const values = read(har(nested(90), `{"z":${nested(1_000)}}`), 64 * 1024);
    expect(problems(values)).toEqual([]);
    expect(entries(values)).toHaveLength(2);
  });
});
