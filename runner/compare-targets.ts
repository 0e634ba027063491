import { compareReports } from './gate/compare/compare-reports.ts';
import type { Comparison, TargetReport } from './gate/compare/comparison.ts';
import { catalogOfPackage, toProfile } from './library.ts';
import { loadOptions, type RunOptions } from './options.ts';
import { prepare } from './prepare.ts';
import { UsageError } from './profile/profile.ts';
import type { StatedProfile } from './profile/stated-profile.ts';
import type { Report } from './report/report.ts';
import { run } from './run.ts';
import { runAlike } from './run-alike.ts';

/** How targets compare, and the report of each by its name. */
export interface ComparedTargets {
  readonly comparison: Comparison;
  readonly reports: Readonly<Record<string, Report>>;
}

/**
 * Judges several gateways, one after another, and compares them; each name has a profile as `run` takes it. Rejects as
 * `run` does, before anything is sent, where one of them can't be used or there are fewer than two.
 */
export async function compareTargets(
  targets: Readonly<Record<string, string | StatedProfile>>,
  options: RunOptions = {},
): Promise<ComparedTargets> {
  const catalog = await catalogOfPackage();
  const engine = await loadOptions(options);
  const ready = Object.entries(targets).map(([target, stated]) => {
    const profile = toProfile(stated, catalog);
    return { target, profile, prepared: prepare(catalog, profile, engine) };
  });
  if (ready.length < 2) throw new UsageError('To compare takes two targets at least.');
  const alike = runAlike(ready.map(({ profile }) => profile));
  const judged: TargetReport[] = [];
  for (const { target, profile, prepared } of ready)
    judged.push({ target, report: await run(catalog, profile, { ...engine, ...alike(profile), prepared }) });
  return {
    comparison: compareReports(judged),
    reports: Object.fromEntries(judged.map(({ target, report }) => [target, report])),
  };
}
