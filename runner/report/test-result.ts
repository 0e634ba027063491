import { type Breach, breachOf } from './collect-breaches.ts';
import { wordRemedy } from './collect-not-judged.ts';
import { modelRows } from './model-rows.ts';
import { oneLine } from './one-line.ts';
import type { CaseReport, ObligationReport, Report } from './report.ts';

/** What a case is to those who read results of tests, and know nothing of levels and baselines. */
export interface TestResult {
  readonly kind: 'failed' | 'errored' | 'known' | 'warned' | 'skipped' | 'passed';
  /** The obligations that made it so; none of a case that passed. */
  readonly obligations: readonly ObligationReport[];
}

/** The result of a case: failed only where it broke something that no baseline expects. */
export function testResult({ obligations }: CaseReport): TestResult {
  const of = (outcome: ObligationReport['outcome']): ObligationReport[] =>
    obligations.filter((item) => item.outcome === outcome);
  const violated = of('violates');
  const unexpected = violated.filter(({ expected }) => expected === undefined);
  const skipped = of('not-applicable');
  const results: readonly TestResult[] = [
    { kind: 'failed', obligations: unexpected },
    { kind: 'errored', obligations: of('inconclusive') },
    { kind: 'known', obligations: violated },
    { kind: 'warned', obligations: of('warns') },
    { kind: 'skipped', obligations: skipped.length === obligations.length ? skipped : [] },
  ];
  return results.find((result) => result.obligations.length > 0) ?? { kind: 'passed', obligations: [] };
}

/** A case with its result, and the evidence of that result alone. */
export interface TestRow {
  readonly item: CaseReport;
  readonly result: TestResult;
  readonly breaches: readonly Breach[];
}

/** The cases of a report as results of tests, in its order; then each listed model as one. */
export function rowsOf(report: Report): TestRow[] {
  const known = new Map(report.requirements.map((requirement) => [requirement.id, requirement]));
  const own = report.cases.filter(({ model }) => model === undefined);
  return [...own, ...modelRows(report)].map((item) => {
    const result = testResult(item);
    const breaches = result.obligations.flatMap((obligation) => {
      const requirement = known.get(obligation.requirement);
      return (requirement && breachOf(requirement, item, obligation)) ?? [];
    });
    return { item, result, breaches };
  });
}

/** Why a case came to its result, a line for each obligation, in which all is seen. */
export function reasons({ obligations }: TestResult): string[] {
  return obligations.map(({ requirement, findings, reason, add, expected }) => {
    const found = [...new Set(findings.map(({ message }) => message))].join('; ') || reason || '';
    const remedy = wordRemedy(add);
    return oneLine(
      `${requirement}: ${expected === undefined ? found : `known: ${expected} (${found})`}${remedy}`,
    );
  });
}
