import type { Fault } from '../../../reference-server/faults/index.ts';
import { catalogOfPackage } from '../../../runner/catalog/catalog.ts';
import { recordGateway, type UnsatisfiedCheck } from '../../support/gateways/judge-gateway.ts';
import { complainOfFault, complainOfGroup, complainOfVariant } from '../faults/complaints.ts';
import { gateways } from '../faults/gateways.ts';

/** What `judge.js` shares with the mutated code. */
type Stryker = {
  activeMutant: string | undefined;
  /** A mutant that is reached more often than the limit throws. */
  hitCount: number;
  hitLimit: number;
};

/** A gateway of the proof: records a run against it, and returns the complaints about a result. */
type Subject = {
  readonly id: string;
  readonly setup: Fault['setup'];
  readonly complain: (unsatisfied: readonly UnsatisfiedCheck[]) => readonly string[];
};

const catalog = await catalogOfPackage();

/** The gateways of the proof: the variants, the faults with a mechanism of their own, and the cells of the matrix. */
export const subjects: readonly Subject[] = [
  ...gateways.variant.map(
    (gateway): Subject => ({
      id: `variant ${gateway.id}`,
      setup: gateway.setup,
      complain: (unsatisfied) => complainOfVariant({ gateway, judgement: { unsatisfied, milliseconds: 0 } }),
    }),
  ),
  ...gateways.fault.map(
    (gateway): Subject => ({
      id: `fault ${gateway.id}`,
      setup: gateway.setup,
      complain: (unsatisfied) => complainOfFault({ gateway, judgement: { unsatisfied, milliseconds: 0 } }),
    }),
  ),
  ...gateways.cells.map(
    (gateway): Subject => ({
      id: `cells ${gateway.id}`,
      setup: gateway.setup,
      complain: (unsatisfied) => complainOfGroup({ gateway, judgement: { unsatisfied, milliseconds: 0 } }),
    }),
  ),
];

/**
 * Runs the suite against a gateway once, and judges the exchanges with each mutant. Returns the mutants for which the
 * proof would complain; undefined if it complains even without a mutant.
 */
export async function findKilled(
  { setup, complain }: Subject,
  mutants: readonly string[],
  stryker: Stryker,
): Promise<readonly string[] | undefined> {
  stryker.activeMutant = undefined;
  const judgeAgain = await recordGateway(catalog, setup);
  if (complain(judgeAgain()).length > 0) return undefined;
  const killed = mutants.filter((mutant) => {
    stryker.activeMutant = mutant;
    stryker.hitCount = 0;
    try {
      return complain(judgeAgain()).length > 0;
    } catch {
      return true;
    }
  });
  stryker.activeMutant = undefined;
  return killed;
}
