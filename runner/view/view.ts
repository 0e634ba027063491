import { decideGate, type Gate } from '../gate/exit-code.ts';
import { collectModelFailures, type ModelFailure } from '../report/model-failures.ts';
import type { Report } from '../report/report.ts';
import { type AuthMatrix, createAuthMatrix } from './auth-matrix.ts';
import { type Cause, findCauses, groupJudgedCases, type JudgedCases } from './causes.ts';
import { countExpectedFailures, type ExpectedFailures } from './counts.ts';
import {
  collectNotJudged,
  type FailedRequirement,
  groupExpected,
  type NotJudgedGroup,
} from './failed-checks.ts';
import { collectFailedChecks, type FailedCheck } from './failures.ts';
import { headlinesOf } from './headlines.ts';
import { groupModels, type ModelGroup } from './models.ts';
import { createSdkTable, type SdkTable } from './sdk-table.ts';
import { listTestRows, type TestRow } from './test-result.ts';

/** What people read of a report. It is computed once, and each part means the same in every reporter. */
export interface View {
  readonly report: Report;
  readonly gate: Gate;
  readonly headlines: readonly string[];
  /** The failures that the baseline does not expect, by cause. */
  readonly causes: readonly Cause[];
  /** All failed checks, in the order of the cases. */
  readonly failedChecks: readonly FailedCheck[];
  readonly judged: JudgedCases;
  /** The failed checks that the baseline expects. */
  readonly expected: readonly FailedRequirement[];
  readonly expectedFailures: ExpectedFailures;
  readonly tests: readonly TestRow[];
  readonly matrix: AuthMatrix;
  /** Undefined for a report without calls of SDKs. */
  readonly sdks: SdkTable | undefined;
  readonly modelFailures: readonly ModelFailure[];
  readonly models: readonly ModelGroup[];
  readonly notTested: readonly NotJudgedGroup[];
}

export function createView(report: Report): View {
  const failedChecks = collectFailedChecks(report);
  const modelFailures = collectModelFailures(report);
  const judged = groupJudgedCases(report);
  const causes = findCauses(report, failedChecks, judged);
  return {
    report,
    gate: decideGate(report),
    headlines: headlinesOf(report, causes),
    causes,
    failedChecks,
    judged,
    expected: groupExpected(failedChecks, report.requirements),
    expectedFailures: countExpectedFailures(failedChecks, modelFailures, report),
    tests: listTestRows(report, failedChecks, modelFailures),
    matrix: createAuthMatrix(report, failedChecks),
    sdks: createSdkTable(report),
    modelFailures,
    models: groupModels(report, modelFailures),
    notTested: collectNotJudged(report),
  };
}
