import { packageInfo } from '../../../contract/package-info.ts';
import { loadCatalog } from '../../catalog/catalog.ts';
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
  const plans = [false, true].flatMap((thorough) =>
    limitableOperations.map((id) => plan(catalog, createEverythingProfile(catalog, id), { thorough })),
  );
  const report = mergeReports(named, { tool: packageInfo, catalog, plans });
  return conclude(report, reporters, flags, open && { open, known: listDuties(planOf(report, plans)) });
}

/** Lists all cases that the run could have. Profiles differ only in the operation with a rate limit. */
function planOf({ cases }: Report, plans: readonly Plan[]): readonly PlannedCase[] {
  const fitting = plans.find(({ cases: planned }) => {
    const ids = new Set(planned.map(({ id }) => id));
    return cases.every(({ id }) => ids.has(id));
  });
  return fitting?.cases ?? plans.flatMap((item) => item.cases);
}
