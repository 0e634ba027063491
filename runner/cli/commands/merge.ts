import { packageInfo } from '../../../contract/package-info.ts';
import { type Catalog, loadCatalog } from '../../catalog/catalog.ts';
import { type Plan, type PlannedCase, plan } from '../../plan/plan.ts';
import { createEverythingProfile, limitableOperations } from '../../profile/everything-profile.ts';
import type { Report } from '../../report/report.ts';
import { mergeReports } from '../../shards/merge-reports.ts';
import { type BaselineFlags, listDuties, openBaseline } from '../io/baseline-file.ts';
import { type ConcludeFlags, conclude } from '../io/conclude.ts';
import { readReport } from '../io/read-report.ts';
import { chooseReporters } from '../io/write-reports.ts';

/** The flags of `merge`. */
export interface MergeFlags extends ConcludeFlags, BaselineFlags {
  readonly reporter: readonly string[];
}

/** Merges the reports of all shards into one and returns its exit code. */
export async function mergeCommand(files: readonly string[], flags: MergeFlags): Promise<number> {
  const reporters = chooseReporters(flags.reporter);
  const catalog = await loadCatalog();
  const open = openBaseline(flags, catalog.schemas);
  const named = files.map((file) => ({ file, report: readReport(file, catalog.schemas) }));
  const report = mergeReports(named, { tool: packageInfo, catalog, plans: listPlans(catalog) });
  return conclude(report, reporters, flags, open && { open, known: listDuties(planOf(report, catalog)) });
}

// Complete profiles differ only in the operation with a rate limit. Thorough plans are large and rarely needed.
function* listPlans(catalog: Catalog): Generator<Plan> {
  for (const thorough of [false, true])
    for (const id of limitableOperations)
      yield plan(catalog, createEverythingProfile(catalog, id), { thorough });
}

/** Lists all cases that the run could have. */
function planOf({ cases }: Report, catalog: Catalog): readonly PlannedCase[] {
  const others: PlannedCase[] = [];
  for (const { cases: planned } of listPlans(catalog)) {
    const ids = new Set(planned.map(({ id }) => id));
    if (cases.every(({ id }) => ids.has(id))) return planned;
    others.push(...planned);
  }
  return others;
}
