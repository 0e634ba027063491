import { type Catalog, catalogOfPackage } from '../../catalog/catalog.ts';
import type { JudgedCase } from '../../judge/judge-cases.ts';
import type { Report } from '../../report/report.ts';
import { isExpected, openBaseline } from '../io/baseline-file.ts';
import { type ConcludeFlags, conclude, type Judged } from '../io/conclude.ts';
import { addPage } from '../io/page-file.ts';
import type { Target } from '../io/target.ts';
import { chooseReporters, type ReporterChoice } from '../io/write-reports.ts';

/** Where the report of a command comes from: a run, SDKs, recorded or live traffic, or other reports. */
export interface Source {
  readonly open: (catalog: Catalog) => Target | Promise<Target>;
  /** Resolves to an exit code instead of a report if there is nothing to report. */
  readonly judge: (target: Target, before: Opened) => Promise<Judged | number>;
  /** Gets the report after the baseline was applied. */
  readonly onReport?: (report: Report, target: Target) => void;
}

/** What is known before the source is judged. */
export interface Opened {
  readonly reporters: readonly ReporterChoice[];
  /** Whether the baseline expects all violations of a case. */
  readonly isExpected: (item: JudgedCase) => boolean;
}

/**
 * Judges a source, applies or updates the baseline, writes the reports, and returns the exit code. Rejects with a
 * `UsageError` or a `DataFileError` if a flag or a file is invalid, and an `UnwritableError` if an output file is not
 * writable before the source is judged.
 */
export async function reportOn(flags: ConcludeFlags, source: Source): Promise<number> {
  const reporters = chooseReporters(addPage(flags));
  const catalog = await catalogOfPackage();
  const baseline = openBaseline(flags, catalog.schemas);
  const target = await source.open(catalog);
  try {
    const judged = await source.judge(target, { reporters, isExpected: isExpected(baseline) });
    if (typeof judged === 'number') return judged;
    const onReport = (report: Report): void => source.onReport?.(report, target);
    return await conclude(judged, { reporters, baseline, flags, onReport });
  } finally {
    await target.close();
  }
}
