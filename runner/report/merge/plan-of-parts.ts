import type { Requirement } from '../../catalog/requirements.ts';
import { findRequirementsOfGenerated } from '../../exchange/generation.ts';
import { hasChecks, type Plan, type PlannedCase } from '../../plan/plan.ts';
import { selectWithModels } from '../../plan/select-models.ts';
import { UsageError } from '../../profile/profile.ts';
import type { GatewayPromise } from '../../profile/promise.ts';
import type { CaseReport, Report } from '../report.ts';
import type { ExpectedCase, ShardReport } from './validate-shards.ts';

/**
 * Plans a divided run again from the selection of its shards, since the plan in a report may have been changed.
 * Returns the planned cases with checks, by ID. `plans` are the possible plans for a profile with all properties.
 * Throws a `UsageError` if no plan matches the reports, or if a generated case is missing.
 */
export function planShards(
  parts: readonly [ShardReport, ...ShardReport[]],
  plans: Iterable<Plan>,
  promise: GatewayPromise,
): ReadonlyMap<string, ExpectedCase> {
  const [first] = parts;
  const generated = generatedCases(parts, promise.requirements);
  for (const plan of plans) {
    const expected = selectExpected(
      parts,
      withGenerated(plan, generated, first.shard.plan),
      generated.length > 0,
      promise,
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
  promise: GatewayPromise,
): ReadonlyMap<string, ExpectedCase> | undefined {
  const [{ report, shard }] = parts;
  const { suites = [], only = [], of, plan } = shard;
  // A generated case that is not selected is in no report, so the shard of a case is known only for a complete plan.
  const isDivisible = !hasGenerated || (suites.length === 0 && only.length === 0);
  const expected = new Map<string, ExpectedCase>();
  for (const part of parts) {
    const own = isDivisible ? { index: part.shard.index, of } : { index: 1, of: 1 };
    const selected = selectOrNone(
      { cases },
      { suites, only, shard: own },
      report.models !== undefined,
      promise,
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
  promise: GatewayPromise,
): ReturnType<typeof selectWithModels> | undefined {
  try {
    return selectWithModels(plan, selection, { asksForModels, fixtures: promise.fixtures });
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
      const applying = findRequirementsOfGenerated(item.attributes, requirements);
      return {
        id,
        suite: 'fuzz',
        about: item.about,
        phase: 'requests',
        alone: false,
        attributes: item.attributes,
        steps: [],
        checks: applying.map((requirement) => ({ requirement, steps: [0] })),
        observes: [],
        pool: undefined,
        notApplicable: undefined,
      };
    });
}

/** The planned cases that are missing from the reports of a divided run. */
export interface MissingCases {
  /** The missing cases, as inconclusive cases. The reason names the reports from which a case is missing. */
  readonly cases: readonly CaseReport[];
  /** The reason why each incomplete pooled case cannot be judged completely, by case ID. */
  readonly pools: ReadonlyMap<string, string>;
  /** The value of `stopped` in the merged report if no shard was interrupted; null if no case is missing. */
  readonly stopped: Report['stopped'];
}

export function findMissing(expected: ReadonlyMap<string, ExpectedCase>): MissingCases {
  const cases: CaseReport[] = [];
  const pools = new Map<string, string>();
  const lacking = new Map<string, number>();
  const without = new Map<ShardReport, ReadonlySet<string>>();
  const idsOf = (part: ShardReport): ReadonlySet<string> => {
    const known = without.get(part) ?? new Set(part.report.cases.map(({ id }) => id));
    without.set(part, known);
    return known;
  };
  for (const [id, { planned, parts }] of expected) {
    const absent = parts.filter((part) => !idsOf(part).has(id));
    if (planned.pool ? absent.length === 0 : absent.length < parts.length) continue;
    const files = absent.map(({ file }) => file).join(', ');
    const reason = `The run planned this case, but the case is missing from ${files}.`;
    for (const { file } of absent) lacking.set(file, (lacking.get(file) ?? 0) + 1);
    // A pooled case that is missing from all reports is treated like any other case.
    if (planned.pool && absent.length < parts.length) pools.set(id, reason);
    else cases.push(createInconclusiveCase(planned, reason));
  }
  const counts = [...lacking].map(([file, count]) => `${count} from ${file}`).join(', ');
  return {
    cases,
    pools,
    stopped: counts === '' ? null : { kind: 'missing', reason: `Planned cases are missing: ${counts}.` },
  };
}

function createInconclusiveCase(
  { id, suite, about, attributes, checks }: ExpectedCase['planned'],
  reason: string,
): CaseReport {
  return {
    id,
    suite,
    about,
    attributes: attributes,
    outcome: 'inconclusive',
    checks: checks.map(({ requirement }) => ({
      requirement: requirement.id,
      outcome: 'inconclusive',
      findings: [],
      reason,
    })),
    exchanges: [],
  };
}

/**
 * Returns a pooled case of which a part is missing. Checks with findings keep their outcome, and all other checks
 * become inconclusive.
 */
export function withoutPart(item: CaseReport, reason: string): CaseReport {
  const checks = item.checks.map((check) =>
    check.findings.length > 0
      ? check
      : { requirement: check.requirement, outcome: 'inconclusive' as const, findings: [], reason },
  );
  return { ...item, checks };
}
