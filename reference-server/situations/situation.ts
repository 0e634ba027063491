import { isObject } from '../../common/mapping.ts';
import { listFaults } from '../faults/index.ts';
import { AdminError } from '../gateway/administration.ts';
import type { Rule } from '../rules/rule.ts';
import { validateWithSchema } from '../schemas.ts';
import { listVariants } from '../variants/index.ts';

/**
 * What can be switched on while the gateway runs: a rule, a seeded fault or a variant. A fault and a variant apply to
 * every request, at most to `times` requests.
 */
export type Situation =
  | Rule
  | { readonly fault: string; readonly times?: number }
  | { readonly variant: string; readonly times?: number };

/** A situation that is switched on. `used` is the number of requests to which the situation has applied. */
export type ActiveSituation = { readonly id: number; readonly situation: Situation; readonly used: number };

/** The situations of a running gateway. The IDs of situations are numbered from 1. */
export type Situations = {
  readonly list: () => readonly ActiveSituation[];
  /** Switches a situation on. Throws an `AdminError` that describes the problem if the situation is invalid. */
  readonly add: (situation: Situation) => ActiveSituation;
  /** Switches the situation with this ID off. Throws an `AdminError` if no situation has the ID. */
  readonly remove: (id: number) => void;
  /**
   * Replaces all situations. An empty list switches all situations off. If one of the new situations is invalid,
   * throws an `AdminError` and changes nothing.
   */
  readonly set: (situations: readonly Situation[]) => void;
};

/** Whether a situation has applied to all requests that it is for. */
export function isUsedUp({ situation, used }: Pick<ActiveSituation, 'situation' | 'used'>): boolean {
  if (!('change' in situation)) return used >= (situation.times ?? Number.POSITIVE_INFINITY);
  const { match: { times, by } = {}, change } = situation;
  // With `by`, the number is for each value apart, and others can follow.
  if (by !== undefined) return false;
  return used >= (times ?? (Array.isArray(change) ? change.length : Number.POSITIVE_INFINITY));
}

/** Validates and returns a situation. Throws an `AdminError` that describes the problem of an invalid situation. */
export function readSituation(value: unknown): Situation {
  const situation = validate(value);
  for (const [kind, list] of [
    ['fault', listFaults],
    ['variant', listVariants],
  ] as const) {
    const id = kind in situation ? Reflect.get(situation, kind) : undefined;
    if (id !== undefined && !list().some((item) => item.id === id))
      throw new AdminError(
        'invalid',
        `\`${kind}\`: no ${kind} has the ID "${id}". \`conformance list ${kind}s\` lists the IDs.`,
      );
  }
  return situation;
}

const kinds = ['change', 'fault', 'variant'];

function validate(value: unknown): Situation {
  if (kinds.filter((kind) => isObject(value) && value[kind] !== undefined).length !== 1)
    throw new AdminError('invalid', `A situation must have exactly one of ${kinds.join(', ')}.`);
  try {
    return validateWithSchema('situation', 'situation', value);
  } catch (error) {
    throw new AdminError('invalid', error instanceof Error ? error.message : String(error));
  }
}
