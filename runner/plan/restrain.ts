import { isBadKey, isBillable, isBurst } from './estimate.ts';
import type { Plan, PlannedCase } from './plan.ts';

/** What a run must not do to its gateway. */
export interface Restraint {
  /** No model calls beyond the controls, no burst, and one bad key for each operation. */
  readonly safe: boolean;
  /** A run that is held to a rate can't also bring about a limit on requests. */
  readonly held: boolean;
}

/** The plan with what the restraint forbids marked as not applicable, so that it stays counted. */
export function restrain(plan: Plan, { safe, held }: Restraint): Plan {
  const tried = new Set<string>();
  const reasonFor = (item: PlannedCase): string | undefined => {
    if (item.notApplicable) return undefined;
    if ((held || safe) && isBurst(item)) return 'A run that is held to a rate sends no burst.';
    if (!safe) return undefined;
    if (item.phase !== 'controls' && item.steps.some(({ facts }) => isBillable(facts)))
      return 'A safe run makes no call that may be billed beyond the controls.';
    if (!item.steps.some(({ facts }) => isBadKey(facts))) return undefined;
    const { operation = 'none', key } = item.facts;
    if (key !== 'unknown' || tried.has(operation)) return 'A safe run sends one bad key to each operation.';
    tried.add(operation);
    return undefined;
  };
  return {
    cases: plan.cases.map((item) => {
      const reason = reasonFor(item);
      return reason === undefined ? item : { ...item, notApplicable: { reason, add: undefined } };
    }),
  };
}
