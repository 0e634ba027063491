import { evaluate, type Facts } from '../catalog/condition.ts';
import type { Requirement } from '../catalog/ledger.ts';

/** Requirements of single exchanges, and of all together. */
export interface Speakers {
  readonly cases: readonly Requirement[];
  readonly pools: readonly Requirement[];
}

/** So many kinds of exchanges are remembered with what speaks of them; a recording has a few dozen. */
const remembered = 1_000;

/** Finds the requirements that speak of exchanges with some facts; whatever their answers are. */
export function makeSpeakers({ cases, pools }: Speakers): { readonly of: (facts: Facts) => Speakers } {
  const known = new Map<string, Speakers>();
  return {
    of(facts) {
      const key = Object.entries(facts).join('\n');
      const found = known.get(key);
      if (found) return found;
      const speaks = ({ when }: Requirement): boolean => evaluate(when, facts) === true;
      const made = { cases: cases.filter(speaks), pools: pools.filter(speaks) };
      if (known.size >= remembered) known.clear();
      known.set(key, made);
      return made;
    },
  };
}
