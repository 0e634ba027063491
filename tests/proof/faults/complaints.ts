import type { Fault } from '../../../reference-server/faults/index.ts';
import type { Variant } from '../../../reference-server/variants/index.ts';
import type { GatewayResult, UnsatisfiedCheck } from '../../support/gateways/judge-gateway.ts';
import type { Cell, CellGroup } from './matrix.ts';
import type { Proof, ProofEntry } from './prove.ts';

/** Cases that find no fault, each with the reason to keep the case. */
export type CaseExceptions = Readonly<Record<string, string>>;

/** Returns the requirements that were reported as violated or warned about, sorted. */
export function listFailedRequirements({ unsatisfied }: GatewayResult): string[] {
  return distinct(unsatisfied.filter(isFailed).map(({ requirement }) => requirement));
}

/** Returns the IDs of the faults for which the suite reported each requirement. */
export function groupFaultsByRequirement({ requirements, faults }: Proof): ReadonlyMap<string, string[]> {
  return new Map(
    requirements.map((requirement) => [
      requirement,
      faults.filter(({ judgement }) => listFailedRequirements(judgement).includes(requirement)).map(idOf),
    ]),
  );
}

/**
 * The requirement that is derived from all others: a fault that violates another requirement may also violate the
 * derived requirement.
 */
const derivedRequirement = 'requests/several-faults';

/**
 * Returns a complaint for each requirement that the suite should have reported for a fault or a cell, for each
 * requirement that the suite should not have reported, and for a fault that lists no requirement.
 */
export function complainOfFault({
  gateway,
  judgement,
}: ProofEntry<Fault & Partial<Pick<Cell, 'mayViolate'>>>): string[] {
  const found = listFailedRequirements(judgement).filter(
    (requirement) => requirement !== derivedRequirement || gateway.violates.includes(derivedRequirement),
  );
  const missed = gateway.violates.filter((requirement) => !found.includes(requirement));
  const allowed = [...gateway.violates, ...(gateway.mayViolate ?? [])];
  const unfounded = found.filter((requirement) => !allowed.includes(requirement));
  return [
    ...(gateway.violates.length === 0 ? ['violates nothing'] : []),
    ...missed.map((requirement) => `is not reported for ${requirement}`),
    ...unfounded.map((requirement) => `is also reported for ${first(judgement, requirement)}`),
  ].map((complaint) => `${gateway.id} ${complaint} (${gateway.about})`);
}

/** Returns the complaints about each cell of a gateway. The requirements of the other cells may be reported as well. */
export function complainOfGroup({ gateway: { cells }, judgement }: ProofEntry<CellGroup>): string[] {
  const all = cells.flatMap(({ violates, mayViolate }) => [...violates, ...mayViolate]);
  return cells.flatMap((cell) => complainOfFault({ gateway: { ...cell, mayViolate: all }, judgement }));
}

/** Returns a complaint for each requirement that cells may violate, but the suite reports for none of them. */
export function complainOfCells({ cells }: Proof): string[] {
  const allowed = cells.map(({ gateway, judgement }) => ({
    all: gateway.cells.flatMap(({ mayViolate }) => mayViolate),
    found: listFailedRequirements(judgement),
  }));
  const reported = new Set(allowed.flatMap(({ all, found }) => all.filter((one) => found.includes(one))));
  return distinct(allowed.flatMap(({ all }) => all))
    .filter((requirement) => !reported.has(requirement))
    .map((requirement) => `${requirement} is not reported for any cell that may violate it`);
}

/** Returns a complaint for each unexpected or missing result of the suite for a conforming variant. */
export function complainOfVariant({ gateway, judgement }: ProofEntry<Variant>): string[] {
  const allowed = gateway.warns ?? [];
  const undecided = gateway.undecided ?? [];
  const warned = judgement.unsatisfied.filter(({ outcome }) => outcome === 'warns');
  const inconclusive = judgement.unsatisfied.filter(({ outcome }) => outcome === 'inconclusive');
  return [
    ...distinct(
      judgement.unsatisfied
        .filter(({ outcome, requirement }) => {
          if (outcome === 'warns') return !allowed.includes(requirement);
          return outcome === 'violates' || !undecided.some((id) => requirement.startsWith(id));
        })
        .map(({ requirement }) => requirement),
    ).map((requirement) => `${gateway.id} conforms, but ${first(judgement, requirement)}`),
    ...allowed
      .filter((id) => !warned.some(({ requirement }) => requirement === id))
      .map((id) => `${gateway.id} has no warning about ${id}`),
    ...undecided
      .filter((id) => !inconclusive.some(({ requirement }) => requirement.startsWith(id)))
      .map((id) => `${gateway.id} is never inconclusive about ${id}`),
  ];
}

/** Returns a complaint for each requirement that fewer than two faults violate. */
export function complainOfRequirements(proof: Proof): string[] {
  return [...groupFaultsByRequirement(proof)]
    .filter(([, faults]) => faults.length < 2)
    .map(
      ([requirement, faults]) =>
        `${requirement} is violated by fewer than two faults: ${faults.join() || 'none'}`,
    );
}

/** Returns a complaint for each case that finds no fault or cell, and for each exception that is not needed. */
export function complainOfCases({ cases, faults, cells }: Proof, exceptions: CaseExceptions): string[] {
  const finding = new Set(
    [...faults, ...cells].flatMap(({ judgement }) =>
      judgement.unsatisfied.filter(isFailed).map((item) => item.case),
    ),
  );
  return [
    ...cases.filter((id) => !finding.has(id) && !exceptions[id]).map((id) => `${id} finds no fault`),
    ...Object.keys(exceptions)
      .filter((id) => finding.has(id) || !cases.includes(id))
      .map((id) => `${id} needs no exception`),
  ];
}

const isFailed = ({ outcome }: UnsatisfiedCheck): boolean => outcome !== 'inconclusive';

const idOf = ({ gateway }: ProofEntry<Fault>): string => gateway.id;

function first({ unsatisfied }: GatewayResult, requirement: string): string {
  const found = unsatisfied.filter((item) => item.requirement === requirement);
  const [one] = found.filter(isFailed).concat(found);
  return `${requirement}: ${one?.outcome} in ${one?.case} and ${found.length - 1} more: ${one?.reason}`;
}

function distinct(items: readonly string[]): string[] {
  return [...new Set(items)].sort();
}
