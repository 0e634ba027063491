import type { Catalog } from '../catalog/catalog.ts';
import type { Requirement } from '../catalog/requirements.ts';
import { findRequirementsOfGenerated } from '../plan/generation.ts';
import { hasChecks, type Plan, type PlannedCase } from '../plan/plan.ts';
import { selectWithModels } from '../plan/select-models.ts';
import { UsageError } from '../profile/profile.ts';
import type { DueCase, Part } from './validate-shards.ts';

/**
 * Plans a divided run again, by what its parts were limited to, since what a report says of its plan may have been
 * changed. `plans` are the plans of all that a profile can state. Throws UsageError if none of them fits.
 */
export function planParts(
  parts: readonly [Part, ...Part[]],
  plans: readonly Plan[],
  catalog: Catalog,
): ReadonlyMap<string, DueCase> {
  const [first] = parts;
  const drawn = drawnCases(parts, catalog.requirements);
  for (const plan of plans) {
    const due = selectDue(parts, withDrawn(plan, drawn, first.shard.plan), drawn.length > 0, catalog);
    if (due) return due;
  }
  throw new UsageError(
    `${first.file}: its plan is not the one that this version makes of the same flags. Run the shards again, and merge their reports as they are written.`,
  );
}

function selectDue(
  parts: readonly [Part, ...Part[]],
  cases: readonly PlannedCase[],
  hasDrawn: boolean,
  catalog: Catalog,
): ReadonlyMap<string, DueCase> | undefined {
  const [{ report, shard }] = parts;
  const { suites = [], only = [], of, plan } = shard;
  // A drawn case that is not selected is in no report, so that only a whole plan tells which part has which case.
  const isDivisible = !hasDrawn || (suites.length === 0 && only.length === 0);
  const due = new Map<string, DueCase>();
  for (const part of parts) {
    const own = isDivisible ? { index: part.shard.index, of } : { index: 1, of: 1 };
    const selected = selectOrNone(
      { cases },
      { suites, only, shard: own },
      report.models !== undefined,
      catalog,
    );
    if (!selected?.shard || listOf(selected.shard.plan) !== listOf(plan)) return undefined;
    for (const planned of selected.plan.cases.filter(hasChecks))
      due.set(planned.id, { planned, parts: [...(due.get(planned.id)?.parts ?? []), part] });
  }
  return due;
}

/** The selection of a plan; undefined if the plan has nothing that a name or a pattern of it could mean. */
function selectOrNone(
  plan: Plan,
  selection: Parameters<typeof selectWithModels>[1],
  asksForModels: boolean,
  catalog: Catalog,
): ReturnType<typeof selectWithModels> | undefined {
  try {
    return selectWithModels(plan, selection, { asksForModels, catalog });
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}

function listOf(ids: readonly string[]): string {
  return [...ids].sort().join('\n');
}

/** The cases of a plan with those that were drawn, in the order of the whole plan if `ids` are that. */
function withDrawn(
  { cases }: Plan,
  drawn: readonly PlannedCase[],
  ids: readonly string[],
): readonly PlannedCase[] {
  if (drawn.length === 0) return cases;
  const places = new Map(ids.map((id, index) => [id, index]));
  return [...cases, ...drawn].sort((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0));
}

/** The cases that were drawn at random, which no plan has; a report says what was sent for each. */
function drawnCases(parts: readonly [Part, ...Part[]], requirements: readonly Requirement[]): PlannedCase[] {
  const [{ shard }] = parts;
  const seen = new Map(parts.flatMap(({ report }) => report.cases.map((item) => [item.id, item])));
  return shard.plan
    .filter((id) => id.startsWith('fuzz/'))
    .map((id): PlannedCase => {
      const item = seen.get(id);
      if (!item)
        throw new UsageError(
          `${parts.map(({ file }) => file).join(', ')}: none has the drawn case "${id}" of the plan. Run the shards again, and merge their reports as they are written.`,
        );
      const obligations = findRequirementsOfGenerated(item.facts, requirements);
      return {
        id,
        suite: 'fuzz',
        about: item.about,
        phase: 'requests',
        alone: false,
        attributes: item.facts,
        steps: [],
        checks: obligations.map((requirement) => ({ requirement, steps: [0] })),
        observes: [],
        pool: undefined,
        notApplicable: undefined,
      };
    });
}
