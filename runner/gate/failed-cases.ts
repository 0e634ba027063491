import type { CheckReport, Report } from '../report/report.ts';

interface FailedOptions {
  readonly strictShould: boolean;
}

/**
 * Returns the IDs of the cases with a check that failed or was not judged, and that the baseline does not accept. Cases
 * that the report does not contain, or that the run did not reach before it was stopped, stay as in `before`.
 */
export function listFailedCases(
  before: readonly string[],
  report: Pick<Report, 'cases' | 'stopped'>,
  options: FailedOptions,
): string[] {
  const reached = new Set<string>();
  const failed: string[] = [];
  for (const { id, checks } of report.cases) {
    const open = checks.filter((check) => isOpen(check, options));
    const [first] = open;
    if (first && open.every(({ reason }) => reason !== undefined && reason === report.stopped?.reason))
      continue;
    reached.add(id);
    if (first) failed.push(id);
  }
  return [...before.filter((id) => !reached.has(id)), ...failed];
}

function isOpen({ outcome, expected }: CheckReport, { strictShould }: FailedOptions): boolean {
  if (expected !== undefined) return false;
  return outcome === 'violates' || outcome === 'inconclusive' || (outcome === 'warns' && strictShould);
}
