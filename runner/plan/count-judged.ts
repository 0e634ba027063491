import type { Catalog } from '../catalog/catalog.ts';
import { isOperationId, type OperationId } from '../catalog/operations.ts';
import type { Profile } from '../profile/profile.ts';
import { plan } from './plan.ts';

/** What a run with a profile judges, as far as can be told before anything is sent. */
export interface Judged {
  readonly cases: ReadonlySet<string>;
  readonly requirements: ReadonlySet<string>;
}

/** The ids of the cases that a profile lets be judged, of the operations that can be called, and of their requirements. */
export function judgedWith(
  catalog: Catalog,
  profile: Profile,
  isCallable: (operation: OperationId) => boolean = () => true,
): Judged {
  const cases = plan(catalog, profile).cases.filter(({ notApplicable, facts, obligations }) => {
    const { operation = 'none' } = facts;
    return !notApplicable && obligations.length > 0 && (!isOperationId(operation) || isCallable(operation));
  });
  return {
    cases: new Set(cases.map(({ id }) => id)),
    requirements: new Set(
      cases.flatMap(({ obligations }) => obligations.map(({ requirement }) => requirement.id)),
    ),
  };
}

/** How many members of a set another lacks. */
export function countMissing(all: ReadonlySet<string>, some: ReadonlySet<string>): number {
  return [...all].filter((id) => !some.has(id)).length;
}
