import type { Setup } from '../combine-setups.ts';
import { listFaults } from '../faults/index.ts';
import { AdminError } from '../gateway/administration.ts';
import type { Origin } from '../origin.ts';
import type { Rule } from '../rules/rule.ts';
import { listVariants } from '../variants/index.ts';
import { describeSituation } from './describe-situation.ts';
import {
  type ActiveSituation,
  isUsedUp,
  readSituation,
  type Situation,
  type Situations,
} from './situation.ts';

type Active = { readonly id: number; readonly situation: Situation; readonly origin: Origin; used: number };

/** The situations of a gateway, and what they make of it. */
export type SituationSwitches = {
  readonly situations: Situations;
  /** The rules that are switched on. */
  readonly rules: () => readonly Rule[];
  /** Returns the situation of a rule, also after it is switched off; undefined for any other rule. */
  readonly originOf: (rule: Rule) => Origin | undefined;
  /**
   * Returns the setups of the active faults and variants. If `isUsed` is true, counts a request for each active fault
   * and variant. Calls with an equal `key` return the same setups. `key` is empty if no fault or variant is active.
   */
  readonly takeSetups: (isUsed: boolean) => {
    readonly key: string;
    readonly setups: readonly (() => Setup)[];
  };
};

const nothing = { key: '', setups: [] } as const;

/**
 * Creates the situations of a gateway. Initially, no situation is switched on. `onChange` is called when rules are
 * switched on or off, and `usesOf` returns the number of requests to which such a rule has applied.
 */
export function createSituations(onChange: () => void, usesOf: (rule: Rule) => number): SituationSwitches {
  let active: Active[] = [];
  let count = 0;
  const origins = new WeakMap<Situation, Origin>();

  const rules = (): readonly Rule[] =>
    active.flatMap(({ situation }) => ('change' in situation ? [situation] : []));
  const describe = ({ id, situation, used }: Active): ActiveSituation => ({
    id,
    situation,
    used: 'change' in situation ? usesOf(situation) : used,
  });
  const add = (value: Situation): Active => {
    // A copy is a rule of its own, with its own count.
    const situation = { ...readSituation(value) };
    const id = ++count;
    const origin: Origin = { kind: 'situation', id: String(id), about: describeSituation(situation) };
    const made = { id, situation, origin, used: 0 };
    origins.set(situation, origin);
    active.push(made);
    return made;
  };

  return {
    situations: {
      list: () => active.map(describe),
      add(value) {
        const made = add(value);
        onChange();
        return describe(made);
      },
      remove(id) {
        if (!active.some((item) => item.id === id))
          throw new AdminError(
            'unknown',
            `No situation has the ID "${id}". Use an ID from the list of situations.`,
          );
        active = active.filter((item) => item.id !== id);
        onChange();
      },
      set(situations) {
        const valid = situations.map(readSituation);
        active = [];
        for (const situation of valid) add(situation);
        onChange();
      },
    },
    rules,
    originOf: (rule) => origins.get(rule),
    takeSetups(isUsed) {
      const used = active.filter((item) => !('change' in item.situation) && !isUsedUp(item));
      if (used.length === 0) return nothing;
      if (isUsed) for (const item of used) item.used += 1;
      return {
        key: used.map(({ id }) => id).join(' '),
        setups: used.map(setupOf),
      };
    },
  };
}

function setupOf({ situation, origin }: Active): () => Setup {
  const [known, id] =
    'fault' in situation
      ? [listFaults(), situation.fault]
      : [listVariants(), Reflect.get(situation, 'variant')];
  return () => known.find((item) => item.id === id)?.setup(origin) ?? {};
}
