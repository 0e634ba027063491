import { decideGate, type Gate } from '../gate/exit-code.ts';
import { collectModelFailures, type ModelFailure } from '../report/model-failures.ts';
import type { Report } from '../report/report.ts';
import { type AuthMatrix, createAuthMatrix } from './auth-matrix.ts';
import { type Cause, findCauses, groupJudgedCases, type JudgedCases } from './causes.ts';
import { countExpectedFailures, type ExpectedFailures } from './counts.ts';
import { type Deviations, findDeviations } from './deviations.ts';
import {
  collectNotJudged,
  type FailedRequirement,
  groupExpected,
  type NotJudgedGroup,
} from './failed-checks.ts';
import { collectFailedChecks, type FailedCheck } from './failures.ts';
import { type CommonStatus, findCommonStatuses, headlinesOf } from './headlines.ts';
import { groupModels, type ModelGroup } from './models.ts';
import { createSdkTable, type SdkTable } from './sdk-table.ts';
import { listTestRows, type TestRow } from './test-result.ts';

/**
 * What people read of a report. Each part means the same in every reporter. It is computed when a reporter first shows
 * it, so that a defect in one part costs only the reports with this part.
 */
export interface View {
  readonly report: Report;
  readonly gate: Gate;
  readonly headlines: readonly string[];
  /** The causes that a headline about a status names. */
  readonly commonStatuses: readonly CommonStatus[];
  /** The failures that the baseline does not expect, by cause. */
  readonly causes: readonly Cause[];
  /** All failed checks, in the order of the cases. */
  readonly failedChecks: readonly FailedCheck[];
  readonly judged: JudgedCases;
  /** The failed checks that the baseline expects. */
  readonly expected: readonly FailedRequirement[];
  readonly expectedFailures: ExpectedFailures;
  /** Undefined if the profile declares none. */
  readonly deviations: Deviations | undefined;
  readonly tests: readonly TestRow[];
  readonly matrix: AuthMatrix;
  /** Undefined for a report without calls of SDKs. */
  readonly sdks: SdkTable | undefined;
  readonly modelFailures: readonly ModelFailure[];
  readonly models: readonly ModelGroup[];
  readonly notTested: readonly NotJudgedGroup[];
}

export function createView(report: Report): View {
  return computeOnce<View>({
    report: () => report,
    gate: () => decideGate(report),
    headlines: ({ causes, commonStatuses }) => headlinesOf(report, causes, commonStatuses),
    commonStatuses: ({ causes }) => findCommonStatuses(report, causes),
    causes: ({ failedChecks, judged }) => findCauses(report, failedChecks, judged),
    failedChecks: () => collectFailedChecks(report),
    judged: () => groupJudgedCases(report),
    expected: ({ failedChecks }) => groupExpected(failedChecks, report.requirements),
    expectedFailures: ({ failedChecks, modelFailures }) =>
      countExpectedFailures(failedChecks, modelFailures, report),
    deviations: () => findDeviations(report),
    tests: (view) => listTestRows(view),
    matrix: ({ failedChecks }) => createAuthMatrix(report, failedChecks),
    sdks: () => createSdkTable(report),
    modelFailures: () => collectModelFailures(report),
    models: ({ modelFailures }) => groupModels(report, modelFailures),
    notTested: () => collectNotJudged(report),
  });
}

/** Returns an object whose properties are computed, from the object itself, when they are first read, and then kept. */
function computeOnce<Whole extends object>(parts: Parts<Whole>): Whole;
function computeOnce(parts: Readonly<Record<string, (whole: object) => unknown>>): object {
  const whole = {};
  for (const [name, compute] of Object.entries(parts))
    Object.defineProperty(whole, name, {
      configurable: true,
      enumerable: true,
      get: () => {
        const value = compute(whole);
        Object.defineProperty(whole, name, { value, enumerable: true });
        return value;
      },
    });
  return whole;
}

type Parts<Whole> = { readonly [Name in keyof Whole]: (whole: Whole) => Whole[Name] };
