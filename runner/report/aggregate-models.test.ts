import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFirstItems } from './aggregate-models.ts';

test('keeps the first items by position, whatever the order of additions', () => {
  const places = fc.uniqueArray(fc.tuple(fc.nat(20), fc.nat(20)), { selector: String });
  fc.assert(
    fc.property(places, fc.integer({ min: 1, max: 5 }), (all, most) => {
      const first = createFirstItems<string>(most);
      for (const place of all) first.add(place, place.join());
      const sorted = all.toSorted(([a, b], [c, d]) => a - c || b - d);
      expect(first.items()).toEqual(sorted.slice(0, most).map((place) => place.join()));
    }),
  );
});
