import { list, mapping } from '../../contract/mapping.ts';
import type { Layout } from '../plan/generation.ts';
import { type Arbitrary, anyText, fc } from './values.ts';

interface Variation {
  /** The number of question and answer pairs that are added to a conversation. */
  readonly turns: number;
  /** The new texts in order; the original text stays if one is empty or missing. */
  readonly texts: readonly string[];
  readonly reversed: boolean;
}

const variation: Arbitrary<Variation> = fc.record({
  turns: fc.nat(3),
  texts: fc.array(anyText, { maxLength: 7 }),
  reversed: fc.boolean(),
});

/** The minimum length of an array in a fixture that counts as a conversation. */
const conversation = 3;

/** Generates valid bodies from a fixture: other prompts, a longer or shorter conversation, another order of members. */
export function bodyLike(fixture: unknown, prompts: readonly string[]): Arbitrary<unknown> {
  return variation.map(({ turns, texts, reversed }) => {
    const rest = [...texts];
    const fill = (value: unknown, member: string): unknown => {
      if (typeof value === 'string') return prompts.includes(member) ? rest.shift() || value : value;
      if (Array.isArray(value)) return lengthen(value, turns).map((item) => fill(item, `${member}[]`));
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(mapping(value)).map(([name, item]) => [
          name,
          fill(item, member === '' ? name : `${member}.${name}`),
        ]),
      );
    };
    const body = Object.entries(mapping(fill(fixture, '')));
    return Object.fromEntries(reversed ? body.reverse() : body);
  });
}

function lengthen(items: readonly unknown[], turns: number): readonly unknown[] {
  if (items.length < conversation) return items;
  const pair = items.slice(0, 2);
  return Array.from({ length: 2 * turns + 1 }, (_, index) => pair[index % 2]);
}

/** The layouts, the simplest first. */
export const layout: Arbitrary<Layout> = fc.constantFrom<Layout>('plain', 'escaped', 'lines');

/** Returns the path of a member in a body; `wanted` is the index in its arrays. */
export function locateMember(body: unknown, member: string, wanted: number): string {
  let value: unknown = body;
  let place = '';
  for (const [, name, isItem] of member.matchAll(/([^.[\]]+)|(\[\])/g)) {
    if (isItem !== undefined) {
      const items = list(value);
      const index = Math.min(wanted, Math.max(0, items.length - 1));
      place += `[${index}]`;
      value = items[index];
    } else {
      place += place === '' ? name : `.${name}`;
      value = mapping(value)[name ?? ''];
    }
  }
  return place;
}
