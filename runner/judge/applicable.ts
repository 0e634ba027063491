import type { Attributes } from '../catalog/condition.ts';
import { isAboutRequest } from '../catalog/expectation.ts';
import { findRequirements, isObservedOnly, type Requirement } from '../catalog/requirements.ts';
import type { GatewayPromise } from '../profile/promise.ts';
import { type CaseIdentity, createRecordedCase } from './case-identity.ts';
import { appliesToStatus } from './judge-requirement.ts';

export interface RequirementGroups {
  readonly single: readonly Requirement[];
  readonly pooled: readonly Requirement[];
}

/**
 * The requirements that apply to all exchanges with the same attributes, and the case of those exchanges that are
 * not requests of a run.
 */
export interface ApplicableRequirements {
  readonly single: readonly Requirement[];
  /** Returns the pooled requirements that apply to a response with this status. */
  readonly pooled: (status: number) => readonly Requirement[];
  readonly recordedCase: CaseIdentity;
}

/**
 * The maximum number of cached sets of attributes. Most recordings have a few dozen sets. The recording of a run has
 * about 1,900 sets.
 */
const maxCached = 4_000;

/** Creates the search for the requirements that apply to attributes. Results are cached by object identity. */
export function createRequirementMatcher(
  { single, pooled }: RequirementGroups,
  promise: Pick<GatewayPromise, 'uncheckedClauses'>,
): {
  readonly match: (attributes: Attributes) => ApplicableRequirements;
} {
  const cache = new Map<Attributes, ApplicableRequirements>();
  return {
    match(attributes) {
      const cached = cache.get(attributes);
      if (cached) return cached;
      const isObserved = isObservedOnly(attributes, promise);
      const applicable = {
        single: findRequirements(attributes, single),
        pooled: filterByStatus(
          findRequirements(attributes, pooled).filter(({ then }) => isAboutRequest(then) || !isObserved),
        ),
        recordedCase: createRecordedCase(attributes),
      };
      if (cache.size >= maxCached) cache.clear();
      cache.set(attributes, applicable);
      return applicable;
    },
  };
}

function filterByStatus(pooled: readonly Requirement[]): ApplicableRequirements['pooled'] {
  const cache = new Map<number, readonly Requirement[]>();
  return (status) => {
    const found = cache.get(status) ?? pooled.filter((requirement) => appliesToStatus(requirement, status));
    cache.set(status, found);
    return found;
  };
}
