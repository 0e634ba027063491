/** A place in an order: the first numbers that differ decide. */
export type Place = readonly number[];

/** Keeps the first so many of what comes in no order, by the place of each. */
export interface First<T> {
  /** Whether what has this place would be kept as things are. */
  readonly hasRoom: (place: Place) => boolean;
  readonly add: (place: Place, item: T) => void;
  /** In order. */
  readonly items: () => T[];
}

/** Keeps the first `most`, whenever they come. */
export function keepFirst<T>(most: number): First<T> {
  const kept: { readonly place: Place; readonly item: T }[] = [];
  const hasRoom = (place: Place): boolean => {
    const last = kept.at(-1);
    return kept.length < most || (last !== undefined && compare(place, last.place) < 0);
  };
  return {
    hasRoom,
    add(place, item) {
      if (!hasRoom(place)) return;
      const after = kept.findIndex((other) => compare(place, other.place) < 0);
      kept.splice(after < 0 ? kept.length : after, 0, { place, item });
      if (kept.length > most) kept.pop();
    },
    items: () => kept.map(({ item }) => item),
  };
}

/** Below zero where the first of two places comes first. */
export function compare(one: Place, other: Place): number {
  for (const [index, number] of one.entries()) {
    const difference = number - (other[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
