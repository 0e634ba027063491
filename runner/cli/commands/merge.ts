import { packageInfo } from '../../../common/package-info.ts';
import { type Plan, type PlannedCase, plan } from '../../plan/plan.ts';
import { removeGatewayChanges } from '../../plan/select.ts';
import { createEverythingProfile, limitableOperations } from '../../profile/everything-profile.ts';
import type { GatewayPromise } from '../../profile/promise.ts';
import { mergeReports } from '../../report/merge/merge-reports.ts';
import type { Report } from '../../report/report.ts';
import type { FlagsOf } from '../command-table.ts';
import { listPlannedChecks, listReportedChecks } from '../io/baseline-file.ts';
import { readReport } from '../io/read-report.ts';
import { createEverythingPromise } from '../io/target.ts';
import { reportOn } from './report-command.ts';

/**
 * Merges the JSON reports of all shards of a run, writes the merged report, and returns the exit code. Rejects with a
 * `UsageError` if a report is invalid, or if the reports cannot be merged, and in the same cases as `reportOn`.
 */
export async function mergeCommand(files: readonly string[], flags: FlagsOf<'merge'>): Promise<number> {
  return reportOn(flags, {
    open: (catalog) => ({
      promise: createEverythingPromise(flags, catalog),
      about: files.join(', '),
      close: async () => {},
    }),
    async judge({ promise }) {
      const named = files.map((file) => ({ file, report: readReport(file, promise.schemas) }));
      const report = mergeReports(named, { tool: packageInfo, promise });
      return {
        report,
        known: () => [
          ...listPlannedChecks(planOf(report, listPlans(promise))),
          ...listReportedChecks(report.cases.filter(({ suite }) => suite === 'fuzz')),
        ],
      };
    },
  });
}

/**
 * Yields the possible plans for a profile with all properties. They show whether a baseline entry that matches no case
 * of the report names a case that was not selected, or is a mistake. A plan is thorough or not, changes keys and
 * balances or not, and tests the rate limit of one of the operations.
 */
function* listPlans(promise: GatewayPromise): Generator<Plan> {
  for (const thorough of [false, true])
    for (const id of limitableOperations) {
      const one = plan({ ...promise, profile: createEverythingProfile(promise, id) }, { thorough });
      yield removeGatewayChanges(one);
      yield one;
    }
}

/**
 * Returns the cases of the first plan that contains all cases of a report, except its generated cases and its cases of
 * listed models, which no plan contains. If there is no such plan, or if the report has no other cases, returns the
 * cases of all plans.
 */
function planOf(report: Report, plans: Iterable<Plan>): readonly PlannedCase[] {
  const cases = report.cases.filter(({ suite, model }) => suite !== 'fuzz' && model === undefined);
  const others: PlannedCase[] = [];
  for (const { cases: planned } of plans) {
    const ids = new Set(planned.map(({ id }) => id));
    if (cases.length > 0 && cases.every(({ id }) => ids.has(id))) return planned;
    others.push(...planned);
  }
  return others;
}
