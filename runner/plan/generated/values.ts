import fc, { type Arbitrary } from 'fast-check';
import { toList, toMapping } from '../../../common/mapping.ts';
import type { Layout, LetterEdit, TextBreak } from '../../exchange/generation.ts';

export { type Arbitrary, fc };

/**
 * Generates texts of any script, some with characters that need escaping. A text may be empty, and never contains `{`.
 */
export const anyText: Arbitrary<string> = fc
  .oneof(
    { weight: 4, arbitrary: fc.string({ unit: 'grapheme', maxLength: 16 }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('/', '%', "'", 'é', '模', '🙂', '\u2028', '"', '\\', '\n', '\t'),
    },
  )
  // A brace could begin a placeholder, such as `{model}`, that is replaced when the body is built.
  .filter((text) => !text.includes('{'));

const json = fc.jsonValue({ maxDepth: 3, stringUnit: 'grapheme' });

/**
 * An arbitrary whose values also shrink to a nested value of the same type. The arbitraries of fast-check shrink each
 * part only in its place. Without this class, a violation that a nested value causes would keep all values around the
 * nested value.
 */
class Nested<T> extends fc.Arbitrary<T> {
  readonly #whole: Arbitrary<T>;
  readonly #isSameType: (value: unknown) => boolean;

  constructor(whole: Arbitrary<T>, isSameType: (value: unknown) => boolean) {
    super();
    this.#whole = whole;
    this.#isSameType = isSameType;
  }

  override generate(random: fc.Random, biasFactor: number | undefined): fc.Value<T> {
    return this.#whole.generate(random, biasFactor);
  }

  override canShrinkWithoutContext(value: unknown): value is T {
    return this.#whole.canShrinkWithoutContext(value);
  }

  override shrink(value: T, context: unknown): fc.Stream<fc.Value<T>> {
    const inner = valuesInside(value).flatMap((one) =>
      this.#isSameType(one) && this.canShrinkWithoutContext(one) ? [new fc.Value(one, undefined)] : [],
    );
    return fc.Stream.of(...inner).join(this.#whole.shrink(value, context));
  }
}

function valuesInside(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((one) => [one, ...valuesInside(one)]);
}

function isPlainObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Generates JSON values of a type. Some values are derived from `right`, the valid value. Throws an `Error` for an
 * unknown type.
 */
export function valueOfType(type: string, right: unknown): Arbitrary<unknown> {
  switch (type) {
    case 'string':
      return fc.oneof(anyText, ...(right === undefined ? [] : [fc.constant(JSON.stringify(right))]));
    case 'number':
      return fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.oneof(
        new Nested(fc.array(json, { maxLength: 4 }), Array.isArray),
        ...(right === undefined ? [] : [fc.constant([right])]),
      );
    case 'object': {
      const [item] = toList(right);
      const objects = new Nested<unknown>(
        fc.dictionary(anyText, json, { maxKeys: 4, noNullPrototype: true }),
        isPlainObject,
      );
      return Object.keys(toMapping(item)).length > 0 ? fc.oneof(objects, fc.constant(item)) : objects;
    }
    case 'null':
      return fc.constant(null);
    default:
      throw new Error(
        `The attribute "given" of a generated request has the value "${type}", which is not a JSON type. Use a type such as "string" or "object".`,
      );
  }
}

/**
 * The index of a change in the list of its possible places. Most bodies have about 100 characters, but conversations
 * can have more than 300.
 */
const place = fc.oneof(fc.nat(100), fc.nat(400));

/** Generates changes that cause a syntax error in a JSON text. */
export const textBreak: Arbitrary<TextBreak> = fc.oneof(
  fc.record({ kind: fc.constant('cut' as const), at: place }),
  fc.record({
    kind: fc.constant('insert' as const),
    at: place,
    sign: fc.constantFrom('{', '}', '[', ']'),
  }),
  fc.record({ kind: fc.constant('delete' as const), at: place }),
);

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** Generates changes of a key at an index from `from` to `to`, both included. */
export function generateKeyEdit({
  from,
  to,
}: {
  readonly from: number;
  readonly to: number;
}): Arbitrary<LetterEdit> {
  const at = fc.integer({ min: from, max: to });
  return fc.oneof(
    fc.record({
      kind: fc.constantFrom('insert' as const, 'replace' as const),
      at,
      letter: fc.constantFrom(...letters),
    }),
    fc.record({ kind: fc.constantFrom('delete' as const, 'swap' as const, 'flip' as const), at }),
  );
}

/** Generates texts of `length` evenly distributed hexadecimal digits. The texts are not shrunk. */
export function generateHexDigits(length: number): Arbitrary<string> {
  const unit = fc.constantFrom(...'0123456789abcdef');
  return fc.noBias(fc.noShrink(fc.string({ unit, minLength: length, maxLength: length })));
}

/** Generates random UUIDs of version 4. The UUIDs are not shrunk. */
export const randomUuid: Arbitrary<string> = fc
  .tuple(generateHexDigits(30), fc.noShrink(fc.constantFrom(...'89ab')))
  .map(([digits, variant]) =>
    [
      digits.slice(0, 8),
      digits.slice(8, 12),
      `4${digits.slice(12, 15)}`,
      variant + digits.slice(15, 18),
      digits.slice(18),
    ].join('-'),
  );

/** The differences between a valid body and its fixture. */
interface Variation {
  /** The number of times that the body contains the last response and question of a conversation. */
  readonly turns: number;
  /** The new texts of prompts, in order. If a text is empty or missing, the original text stays. */
  readonly texts: readonly string[];
  /** Whether the top-level members of the body are in reverse order. */
  readonly reversed: boolean;
}

const variation: Arbitrary<Variation> = fc.record({
  turns: fc.nat(3),
  texts: fc.array(anyText, { maxLength: 7 }),
  reversed: fc.boolean(),
});

/**
 * The minimum number of items for which an array in a fixture counts as a conversation. The last three items are a
 * question, a response and another question. System messages may precede these items.
 */
const minConversation = 3;

/**
 * Generates valid bodies from a fixture, with other prompts, a conversation of another length, or the top-level
 * members in reverse order. `prompts` are the paths of the prompts without indexes.
 */
export function generateBodyLike(fixture: unknown, prompts: readonly string[]): Arbitrary<unknown> {
  return variation.map(({ turns, texts, reversed }) => {
    const rest = [...texts];
    const fill = (value: unknown, member: string): unknown => {
      if (typeof value === 'string') return prompts.includes(member) ? rest.shift() || value : value;
      if (Array.isArray(value)) return lengthen(value, turns).map((item) => fill(item, `${member}[]`));
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(toMapping(value)).map(([name, item]) => [
          name,
          fill(item, member === '' ? name : `${member}.${name}`),
        ]),
      );
    };
    const body = Object.entries(toMapping(fill(fixture, '')));
    return Object.fromEntries(reversed ? body.reverse() : body);
  });
}

function lengthen(items: readonly unknown[], turns: number): readonly unknown[] {
  if (items.length < minConversation) return items;
  const [start, question, ...turn] = [items.slice(0, -3), ...items.slice(-3)];
  return [...start, question, ...Array.from({ length: turns }, () => turn).flat()];
}

/** Generates layouts of a JSON text. Shrinks to the first layout, which is the simplest. */
export const layout: Arbitrary<Layout> = fc.constantFrom<Layout>('plain', 'escaped', 'lines');

/**
 * Returns the path of a member in a body: `messages[].role` → `messages[2].role`. `wanted` is the index in each
 * array. If `wanted` exceeds the last index, the path leads to the last item. In an empty array, the index is 0.
 */
export function locateMember(body: unknown, member: string, wanted: number): string {
  let value: unknown = body;
  let place = '';
  for (const [, name, isItem] of member.matchAll(/([^.[\]]+)|(\[\])/g)) {
    if (isItem !== undefined) {
      const items = toList(value);
      const index = Math.min(wanted, Math.max(0, items.length - 1));
      place += `[${index}]`;
      value = items[index];
    } else {
      place += place === '' ? name : `.${name}`;
      value = toMapping(value)[name ?? ''];
    }
  }
  return place;
}
