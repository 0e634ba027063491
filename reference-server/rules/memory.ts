import { readDuration } from '../../common/duration.ts';
import { distinguish, type Facts } from './facts.ts';
import { matches } from './match.ts';
import type { Distinction, Match, Noted } from './rule.ts';

/** What a list of rules remembers of requests. */
export type Memory = {
  /** Notes a name for requests like this one. */
  readonly note: (name: string, by: readonly Distinction[], facts: Facts) => void;
  /** Forgets the notes of this name for requests like this one. */
  readonly forget: (name: string, by: readonly Distinction[], facts: Facts) => void;
  readonly isNoted: (wanted: string | Noted, facts: Facts) => boolean;
  /** Adds a request that is under way. Returns a function that removes it. */
  readonly begin: (facts: () => Facts) => () => void;
  /** Whether a request other than this one is under way and satisfies the conditions. */
  readonly isUnderWay: (match: Match, self: () => Facts) => boolean;
};

/** The most notes that are kept. The oldest are forgotten first. */
const mostNotes = 10_000;
/** The longest time for which a request counts as under way, in milliseconds, in case its end is never seen. */
const longest = 60_000;

/** Creates an empty memory. */
export function createMemory(): Memory {
  const notes = new Map<string, number>();
  const underWay = new Map<() => Facts, number>();
  return {
    note(name, by, facts) {
      const key = keyOf(by, facts, name);
      notes.delete(key);
      notes.set(key, facts.now);
      const [oldest = ''] = notes.keys();
      if (notes.size > mostNotes) notes.delete(oldest);
    },
    forget: (name, by, facts) => void notes.delete(keyOf(by, facts, name)),
    isNoted(wanted, facts) {
      const { name, by = [], within }: Noted = typeof wanted === 'string' ? { name: wanted } : wanted;
      const noted = notes.get(keyOf(by, facts, name));
      const age = within === undefined ? Number.POSITIVE_INFINITY : (readDuration(within) ?? 0);
      return noted !== undefined && facts.now - noted <= age;
    },
    begin(facts) {
      underWay.set(facts, facts().now);
      return () => void underWay.delete(facts);
    },
    isUnderWay(match, self) {
      const now = self().now;
      for (const [other, began] of underWay) {
        if (now - began > longest) underWay.delete(other);
        else if (other !== self && matches(match, other()) === true) return true;
      }
      return false;
    },
  };
}

const isKnown = (value: unknown): boolean => value !== undefined;

/** Returns a text that is equal for requests with equal values of these facts. */
export function keyOf(by: readonly Distinction[], facts: Facts, name = ''): string {
  // A list keeps a body that is null apart from no body.
  return JSON.stringify([name, ...by.map((fact) => [distinguish(facts, fact)].filter(isKnown))]);
}
