import { evaluate, type Facts } from '../catalog/condition.ts';
import { speaksOfOne } from '../catalog/expectation.ts';
import type { Requirement } from '../catalog/ledger.ts';

/** The requirements that a request drawn at random must satisfy: those on a single request of such facts. */
export function requirementsOfDrawn(facts: Facts, requirements: readonly Requirement[]): Requirement[] {
  return requirements.filter(
    ({ level, over, then, when }) =>
      level === 'must' && over === 'case' && speaksOfOne(then) && evaluate(when, facts) === true,
  );
}
