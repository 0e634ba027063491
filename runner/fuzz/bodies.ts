import { list, mapping } from '../../contract/mapping.ts';
import type { Layout } from '../plan/generation.ts';
import { type Arbitrary, fc, text } from './values.ts';

/** How a valid body is varied. */
interface Variation {
  /** How often two items of a conversation, one of each side, are added to its first. */
  readonly turns: number;
  /** For each text in its order; where it is empty, or there is none, the text stays. */
  readonly texts: readonly string[];
  /** Whether the members of the body stand in the opposite order. */
  readonly reversed: boolean;
}

const variation: Arbitrary<Variation> = fc.record({
  turns: fc.nat(3),
  texts: fc.array(text, { maxLength: 7 }),
  reversed: fc.boolean(),
});

/** The shortest list of a fixture that is a conversation, which can be longer and shorter. */
const conversation = 3;

/** A valid body like that of a fixture: other texts for the model, a longer or shorter conversation, another order. */
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

/** A place of that member in a body, `wanted` telling which items where there are lists. */
export function placeIn(body: unknown, member: string, wanted: number): string {
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
