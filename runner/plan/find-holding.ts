import { type Condition, evaluate, type Facts, matches } from '../catalog/condition.ts';

/** As many items as a word of 32 bits can note. */
const wordSize = 32;

/**
 * A search for the items whose condition holds over facts, in their order: what `evaluate` says of each, with every fact
 * looked up once for all of them.
 */
export function makeFindHolding<T>(
  items: readonly T[],
  conditionOf: (item: T) => Condition,
): (facts: Facts) => T[] {
  const conditions = items.map(conditionOf);
  const names = new Set(conditions.flatMap(({ facts }) => facts.map(({ name }) => name)));
  // Of each fact and each value of it that was met, the items against which it does not speak, a bit for each.
  const allowed = new Map([...names].map((name) => [name, new Map<string | undefined, Int32Array>()]));

  const allowing = (name: string, value: string | undefined): Int32Array => {
    const words = new Int32Array(Math.ceil(items.length / wordSize));
    for (const [index, condition] of conditions.entries()) {
      const own = condition.facts.find((item) => item.name === name);
      if (!own || matches(own.matcher, value) === true) {
        const at = Math.floor(index / wordSize);
        words[at] = (words[at] ?? 0) | (1 << (index % wordSize));
      }
    }
    return words;
  };

  return (facts) => {
    const left = new Int32Array(Math.ceil(items.length / wordSize)).fill(-1);
    for (const [name, byValue] of allowed) {
      const value = facts[name];
      let words = byValue.get(value);
      if (!words) {
        words = allowing(name, value);
        byValue.set(value, words);
      }
      for (let at = 0; at < left.length; at += 1) left[at] = (left[at] ?? 0) & (words[at] ?? 0);
    }
    const found: T[] = [];
    for (const [at, word] of left.entries()) {
      for (let rest = word; rest !== 0; rest &= rest - 1) {
        const index = at * wordSize + 31 - Math.clz32(rest & -rest);
        const [item, condition] = [items[index], conditions[index]];
        if (item === undefined || condition === undefined) break;
        if (condition.anyOf.length === 0 || evaluate(condition, facts) === true) found.push(item);
      }
    }
    return found;
  };
}
