import type { Catalog } from '../catalog/catalog.ts';
import type { Profile } from '../profile/profile.ts';
import { isJudged, plan } from './plan.ts';

/** What a run with a profile judges, as far as can be told before anything is sent. */
export interface Judged {
  readonly cases: ReadonlySet<string>;
  readonly requirements: ReadonlySet<string>;
}

/** The ids of the cases that a profile lets be judged, and of their requirements. */
export function judgedWith(catalog: Catalog, profile: Profile): Judged {
  const cases = plan(catalog, profile).cases.filter((item) => !item.notApplicable && isJudged(item));
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
