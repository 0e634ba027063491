import type { Catalog } from '../catalog/catalog.ts';
import type { Requirement } from '../catalog/requirements.ts';
import { findRequirementsOfGenerated } from '../plan/generation.ts';
import { hasChecks, type Plan, type PlannedCase } from '../plan/plan.ts';
import { selectWithModels } from '../plan/select-models.ts';
import { UsageError } from '../profile/profile.ts';
import type { ExpectedCase, ShardReport } from './validate-shards.ts';

/**
 * Plans a divided run again from the selection of its shards, since the plan in a report may have been changed. Returns
 * the planned cases by ID. `plans` are the possible plans for a profile with all members. Throws a `UsageError` if no
 * plan matches the reports, or if a generated case is missing.
 */
export function planShards(
  parts: readonly [ShardReport, ...ShardReport[]],
  plans: Iterable<Plan>,
  catalog: Catalog,
): ReadonlyMap<string, ExpectedCase> {
  const [first] = parts;
  const generated = generatedCases(parts, catalog.requirements);
  for (const plan of plans) {
    const expected = selectExpected(
      parts,
      withGenerated(plan, generated, first.shard.plan),
      generated.length > 0,
      catalog,
    );
    if (expected) return expected;
  }
  throw new UsageError(
    `${first.file}: the plan in the report differs from the plan that this version creates with the same flags. Run the shards again, and merge the reports without changes.`,
  );
}

function selectExpected(
  parts: readonly [ShardReport, ...ShardReport[]],
  cases: readonly PlannedCase[],
  hasGenerated: boolean,
  catalog: Catalog,
): ReadonlyMap<string, ExpectedCase> | undefined {
  const [{ report, shard }] = parts;
  const { suites = [], only = [], of, plan } = shard;
  // A generated case that is not selected is in no report, so the shard of a case is known for a complete plan only.
  const isDivisible = !hasGenerated || (suites.length === 0 && only.length === 0);
  const expected = new Map<string, ExpectedCase>();
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
      expected.set(planned.id, { planned, parts: [...(expected.get(planned.id)?.parts ?? []), part] });
  }
  return expected;
}

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

function withGenerated(
  { cases }: Plan,
  generated: readonly PlannedCase[],
  ids: readonly string[],
): readonly PlannedCase[] {
  if (generated.length === 0) return cases;
  const places = new Map(ids.map((id, index) => [id, index]));
  return [...cases, ...generated].sort((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0));
}

function generatedCases(
  parts: readonly [ShardReport, ...ShardReport[]],
  requirements: readonly Requirement[],
): PlannedCase[] {
  const [{ shard }] = parts;
  const seen = new Map(parts.flatMap(({ report }) => report.cases.map((item) => [item.id, item])));
  return shard.plan
    .filter((id) => id.startsWith('fuzz/'))
    .map((id): PlannedCase => {
      const item = seen.get(id);
      if (!item)
        throw new UsageError(
          `${parts.map(({ file }) => file).join(', ')}: the generated case "${id}" of the plan is missing from all reports. Run the shards again, and merge the reports without changes.`,
        );
      const applying = findRequirementsOfGenerated(item.facts, requirements);
      return {
        id,
        suite: 'fuzz',
        about: item.about,
        phase: 'requests',
        alone: false,
        attributes: item.facts,
        steps: [],
        checks: applying.map((requirement) => ({ requirement, steps: [0] })),
        observes: [],
        pool: undefined,
        notApplicable: undefined,
      };
    });
}
