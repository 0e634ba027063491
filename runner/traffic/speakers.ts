import { evaluate, type Facts } from '../catalog/condition.ts';
import type { Requirement } from '../catalog/ledger.ts';
import { speaksOfStatus } from '../judge/judge.ts';
import type { TallyCase } from './tally.ts';
import { recordedCase } from './traffic-case.ts';

/** Requirements of single exchanges, and of all together. */
export interface Requirements {
  readonly cases: readonly Requirement[];
  readonly pools: readonly Requirement[];
}

/** What is the same for all exchanges with the same facts: what speaks of them, and their case if they are not this suite's. */
export interface Speakers {
  /** Those of single exchanges. */
  readonly cases: readonly Requirement[];
  /** Those of all together, which speak of answers with that status. */
  readonly pools: (status: number) => readonly Requirement[];
  readonly recorded: TallyCase;
}

/** So many kinds of exchanges are remembered; a recording has a few dozen. */
const remembered = 1_000;

/**
 * Finds the requirements that speak of exchanges with some facts; whatever their answers are. It knows facts again by the
 * object that holds them.
 */
export function makeSpeakers({ cases, pools }: Requirements): { readonly of: (facts: Facts) => Speakers } {
  const known = new Map<Facts, Speakers>();
  return {
    of(facts) {
      const found = known.get(facts);
      if (found) return found;
      const speaks = ({ when }: Requirement): boolean => evaluate(when, facts) === true;
      const made = {
        cases: cases.filter(speaks),
        pools: byStatus(pools.filter(speaks)),
        recorded: recordedCase(facts),
      };
      if (known.size >= remembered) known.clear();
      known.set(facts, made);
      return made;
    },
  };
}

function byStatus(pools: readonly Requirement[]): Speakers['pools'] {
  const known = new Map<number, readonly Requirement[]>();
  return (status) => {
    const found = known.get(status) ?? pools.filter((pool) => speaksOfStatus(pool, status));
    known.set(status, found);
    return found;
  };
}
