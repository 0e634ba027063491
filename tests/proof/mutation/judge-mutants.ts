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
  /** Under which name the reached mutants are counted. */
  currentTestId: string | undefined;
  readonly mutantCoverage: { readonly perTest: Record<string, Readonly<Record<string, number>>> };
};

/** A gateway of the proof, with the cases that are judged with mutants, and the complaints about a result. */
type Subject = {
  readonly id: string;
  readonly setup: Fault['setup'];
  readonly cases: 'all' | 'unsatisfied';
  readonly complain: (unsatisfied: readonly UnsatisfiedCheck[]) => readonly string[];
};

const catalog = await catalogOfPackage();

/**
 * The gateways of the proof. With a fault, only the cases that find it are judged: what is wrongly found, the variants
 * show.
 */
export const subjects: readonly Subject[] = [
  ...gateways.fault.map(
    (gateway): Subject => ({
      id: `fault ${gateway.id}`,
      setup: gateway.setup,
      cases: 'unsatisfied',
      complain: (unsatisfied) => complainOfFault({ gateway, judgement: { unsatisfied, milliseconds: 0 } }),
    }),
  ),
  ...gateways.cells.map(
    (gateway): Subject => ({
      id: `cells ${gateway.id}`,
      setup: gateway.setup,
      cases: 'unsatisfied',
      complain: (unsatisfied) => complainOfGroup({ gateway, judgement: { unsatisfied, milliseconds: 0 } }),
    }),
  ),
  ...gateways.variant.map(
    (gateway): Subject => ({
      id: `variant ${gateway.id}`,
      setup: gateway.setup,
      cases: 'all',
      complain: (unsatisfied) => complainOfVariant({ gateway, judgement: { unsatisfied, milliseconds: 0 } }),
    }),
  ),
];

/**
 * Runs the suite against a gateway once, and judges the exchanges with each mutant. Returns the mutants for which the
 * proof would complain; undefined if it complains even without a mutant. Throws if a mutant has a lasting effect.
 */
export async function findKilled(
  { id, setup, cases, complain }: Subject,
  mutants: readonly string[],
  stryker: Stryker,
): Promise<readonly string[] | undefined> {
  stryker.activeMutant = undefined;
  const judge = await recordGateway(catalog, setup);
  const isComplainedAbout = (): boolean => complain(judge(cases)).length > 0;
  stryker.currentTestId = id;
  const isWrong = isComplainedAbout();
  stryker.currentTestId = undefined;
  if (isWrong) return undefined;
  const reached = stryker.mutantCoverage.perTest[id] ?? {};
  const killed = mutants.filter((mutant) => {
    if (!(mutant in reached)) return false;
    stryker.activeMutant = mutant;
    stryker.hitCount = 0;
    try {
      return isComplainedAbout();
    } catch {
      return true;
    }
  });
  stryker.activeMutant = undefined;
  if (isComplainedAbout()) throw new Error(`A mutant changed how ${id} is judged without it.`);
  return killed;
}
