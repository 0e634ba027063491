import type { Fault } from '../../../reference-server/faults/index.ts';
import type { Variant } from '../../../reference-server/variants/index.ts';
import type { GatewayResult, UnsatisfiedCheck } from '../../support/gateways/judge-gateway.ts';
import type { Proof, Proven } from './prove.ts';

/** Cases that catch no fault of the catalogue, each with the reason for which it is kept. */
export type Spared = Readonly<Record<string, string>>;

/** The requirements that a judgement found broken, sorted. */
export function brokenIn({ unsatisfied }: GatewayResult): string[] {
  return distinct(unsatisfied.filter(isBroken).map(({ requirement }) => requirement));
}

/** The faults that break each checked requirement, as the suite found. */
export function faultsByRequirement({ requirements, faults }: Proof): ReadonlyMap<string, string[]> {
  return new Map(
    requirements.map((requirement) => [
      requirement,
      faults.filter(({ judgement }) => brokenIn(judgement).includes(requirement)).map(idOf),
    ]),
  );
}

/** Faults that the suite misses, or blames for something else. */
export function complainOfFault({ gateway, judgement }: Proven<Fault>): string[] {
  const found = brokenIn(judgement);
  const missed = gateway.violates.filter((requirement) => !found.includes(requirement));
  const unfounded = found.filter((requirement) => !gateway.violates.includes(requirement));
  return [
    ...(gateway.violates.length === 0 ? ['breaks nothing'] : []),
    ...missed.map((requirement) => `is not found to break ${requirement}`),
    ...unfounded.map((requirement) => `is found to break ${first(judgement, requirement)}`),
  ].map((complaint) => `${gateway.id} ${complaint}`);
}

/** Legal gateways that the suite blames, or cannot judge. */
export function complainOfVariant({ gateway, judgement }: Proven<Variant>): string[] {
  const allowed = gateway.warns ?? [];
  const warned = judgement.unsatisfied.filter(({ outcome }) => outcome === 'warns');
  return [
    ...distinct(
      judgement.unsatisfied
        .filter(({ outcome, requirement }) => outcome !== 'warns' || !allowed.includes(requirement))
        .map(({ requirement }) => requirement),
    ).map((requirement) => `${gateway.id} is legal, but ${first(judgement, requirement)}`),
    ...allowed
      .filter((id) => !warned.some(({ requirement }) => requirement === id))
      .map((id) => `${gateway.id} is not warned of ${id}`),
  ];
}

/** Requirements that fewer than two faults break. */
export function complainOfRequirements(proof: Proof): string[] {
  return [...faultsByRequirement(proof)]
    .filter(([, faults]) => faults.length < 2)
    .map(([requirement, faults]) => `${requirement} is broken by ${faults.join() || 'no fault'} only`);
}

/** Cases in which no fault was ever found, and exceptions that are none. */
export function complainOfCases({ cases, faults }: Proof, spared: Spared): string[] {
  const finding = new Set(
    faults.flatMap(({ judgement }) => judgement.unsatisfied.filter(isBroken).map((item) => item.case)),
  );
  return [
    ...cases.filter((id) => !finding.has(id) && !spared[id]).map((id) => `${id} finds no fault`),
    ...Object.keys(spared)
      .filter((id) => finding.has(id) || !cases.includes(id))
      .map((id) => `${id} needs no exception`),
  ];
}

const isBroken = ({ outcome }: UnsatisfiedCheck): boolean => outcome !== 'inconclusive';

const idOf = ({ gateway }: Proven<Fault>): string => gateway.id;

function first({ unsatisfied }: GatewayResult, requirement: string): string {
  const found = unsatisfied.filter((item) => item.requirement === requirement);
  const [one] = found.filter(isBroken).concat(found);
  return `${requirement}: ${one?.outcome} in ${one?.case} and ${found.length - 1} more: ${one?.reason}`;
}

function distinct(items: readonly string[]): string[] {
  return [...new Set(items)].sort();
}
