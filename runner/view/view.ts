import { decideGate, type Gate } from '../gate/exit-code.ts';
import { collectFailedChecks, type FailedCheck } from '../report/failures.ts';
import {
  collectModelFailures,
  groupModels,
  type ModelFailure,
  type ModelGroup,
} from '../report/group-models.ts';
import type { Report } from '../report/report.ts';
import { type AuthMatrix, createAuthMatrix } from './auth-matrix.ts';
import { type Cause, findCauses } from './causes.ts';
import {
  collectNotJudged,
  type FailedRequirement,
  groupExpected,
  type NotJudgedGroup,
} from './failed-checks.ts';
import { countExpectedFailures, type ExpectedFailures } from './format-counts.ts';
import { headlinesOf } from './headlines.ts';
import { createSdkTable, type SdkTable } from './sdk-table.ts';
import { listTestRows, type TestRow } from './test-result.ts';

/**
 * What people read of a report. Each part is computed once, when a reporter first reads it, and means the same in
 * every reporter.
 */
export interface View {
  readonly report: Report;
  readonly gate: Gate;
  readonly headlines: readonly string[];
  /** The failures that the baseline does not expect, by cause. */
  readonly causes: readonly Cause[];
  /** All failed checks, in the order of the cases. */
  readonly failedChecks: readonly FailedCheck[];
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
  const gate = once(() => decideGate(report));
  const failedChecks = once(() => collectFailedChecks(report));
  const causes = once(() => findCauses(report, failedChecks()));
  const headlines = once(() => headlinesOf(report, causes()));
  const expected = once(() => groupExpected(failedChecks(), report.requirements));
  const modelFailures = once(() => collectModelFailures(report));
  const models = once(() => groupModels(report, modelFailures()));
  const expectedFailures = once(() => countExpectedFailures(failedChecks(), modelFailures(), report));
  const tests = once(() => listTestRows(report, failedChecks(), modelFailures()));
  const matrix = once(() => createAuthMatrix(report, failedChecks()));
  const sdks = once(() => createSdkTable(report));
  const notTested = once(() => collectNotJudged(report));
  return {
    report,
    get gate() {
      return gate();
    },
    get headlines() {
      return headlines();
    },
    get causes() {
      return causes();
    },
    get failedChecks() {
      return failedChecks();
    },
    get expected() {
      return expected();
    },
    get expectedFailures() {
      return expectedFailures();
    },
    get tests() {
      return tests();
    },
    get matrix() {
      return matrix();
    },
    get sdks() {
      return sdks();
    },
    get modelFailures() {
      return modelFailures();
    },
    get models() {
      return models();
    },
    get notTested() {
      return notTested();
    },
  };
}

/** Returns a function that computes a value with its first call, and returns the same value with each later call. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
