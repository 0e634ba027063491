import { parseDataFile } from '../../../common/data-file.ts';
import type { Catalog } from '../../../runner/catalog/catalog.ts';
import { applyBaseline, type CheckId } from '../../../runner/gate/apply-baseline.ts';
import { readBaseline } from '../../../runner/gate/baseline.ts';
import { chooseExitCode, decideGate } from '../../../runner/gate/exit-code.ts';
import { updateBaseline } from '../../../runner/gate/update-baseline.ts';
import type { JudgedCase } from '../../../runner/judge/judge-cases.ts';
import { hasChecks } from '../../../runner/plan/plan.ts';
import { createEverythingProfile } from '../../../runner/profile/everything-profile.ts';
import { createPromise } from '../../../runner/profile/promise.ts';
import { buildCaseReport } from '../../../runner/report/case-report.ts';
import type { Report } from '../../../runner/report/report.ts';
import { summarize } from '../../../runner/report/summarize.ts';
import { createReport } from '../reports.ts';

const today = '2027-01-31';
const flags = { strict: false, strictShould: false };

/**
 * Returns up to six reasons why a run fails with the baseline of an earlier run of the same gateway, or undefined if
 * the run passes.
 */
export function findBaselineFailure(
  catalog: Catalog,
  earlier: readonly JudgedCase[],
  later: readonly JudgedCase[],
): string | undefined {
  const known = earlier.flatMap(({ planned, checks }) =>
    checks.map(({ check }): CheckId => ({ requirement: check.requirement.id, case: planned.id })),
  );
  const empty = readBaseline(parseDataFile('b.yaml', 'violations: []\n'), catalog.schemas);
  const update = updateBaseline(reportOf(catalog, earlier), empty, known, { ...flags, today });
  const baseline = readBaseline(parseDataFile('b.yaml', update?.text ?? 'violations: []\n'), catalog.schemas);
  const report = applyBaseline(reportOf(catalog, later), baseline, known, today);
  const code = chooseExitCode(report, flags);
  if (code === 0) return undefined;
  const { result, inconclusiveMusts } = decideGate(report);
  const problems = report.baseline?.problems.map(({ message }) => message) ?? [];
  return [`exit ${code}`, result, ...inconclusiveMusts, ...problems, ...listUnexpected(report)]
    .slice(0, 6)
    .join(', ');
}

function listUnexpected({ cases }: Report): string[] {
  return cases.flatMap(({ id, checks }) =>
    checks
      .filter(({ outcome, expected }) => outcome === 'violates' && expected === undefined)
      .map(({ requirement }) => `${requirement} in ${id}`),
  );
}

/** Returns a report of the cases without their exchanges. */
function reportOf(catalog: Catalog, judged: readonly JudgedCase[]): Report {
  const promise = createPromise(catalog, createEverythingProfile(catalog));
  const describing = { baseUrl: '', redact: (text: string) => text, cut: 0, keyVariables: {} };
  const cases = judged
    .filter(({ planned }) => hasChecks(planned))
    .map((item) =>
      buildCaseReport({ ...item, exchanges: [], outcomes: [item.outcome], unstable: false }, describing),
    );
  return createReport(cases, summarize(promise, cases));
}
