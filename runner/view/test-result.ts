import { groupBy, pluralize } from '../../common/lists.ts';
import { formatOneLine } from '../../common/printable.ts';
import { type Gate, hasNoGoodCall } from '../gate/exit-code.ts';
import { findWorstOutcome } from '../judge/outcome.ts';
import { formatModelSegment } from '../plan/applicability.ts';
import { isJudgedModel, type ModelFailure } from '../report/model-failures.ts';
import type {
  CaseReport,
  CheckReport,
  ClientDutyReport,
  ModelReport,
  Report,
  RequirementReport,
} from '../report/report.ts';
import { formatClauses } from './clauses.ts';
import { describeFailedCheck, formatRemedy } from './failed-checks.ts';
import { collectFailedChecks, type FailedCheck } from './failures.ts';
import { formatBroken } from './traffic.ts';

/** The result of a case as a test, for report formats without levels and baselines. */
export interface TestResult {
  readonly kind: 'failed' | 'errored' | 'known' | 'warned' | 'skipped' | 'passed';
  /** The checks with this result; empty if the case passed. */
  readonly checks: readonly CheckReport[];
}

/** Returns the result of a case. Only a violation that the baseline does not expect makes the case `failed`. */
export function toTestResult({ checks }: CaseReport): TestResult {
  const selectBy = (outcome: CheckReport['outcome']): CheckReport[] =>
    checks.filter((item) => item.outcome === outcome);
  const unexpected = (outcome: CheckReport['outcome']): CheckReport[] =>
    selectBy(outcome).filter(({ expected }) => expected === undefined);
  const skipped = selectBy('not-applicable');
  const results: readonly TestResult[] = [
    { kind: 'failed', checks: unexpected('violates') },
    { kind: 'errored', checks: unexpected('inconclusive') },
    { kind: 'known', checks: [...selectBy('violates'), ...selectBy('inconclusive')] },
    { kind: 'warned', checks: selectBy('warns') },
    { kind: 'skipped', checks: skipped.length === checks.length ? skipped : [] },
  ];
  return results.find((result) => result.checks.length > 0) ?? { kind: 'passed', checks: [] };
}

/** A case with its result as a test, and the evidence for its failed checks. */
export interface TestRow {
  readonly item: CaseReport;
  readonly result: TestResult;
  readonly failedChecks: readonly FailedCheck[];
}

/**
 * Returns a row for each case of the suites, then a row for each tested model. If the gateway could not
 * be tested or the run was stopped, the cases that were not judged for this reason get the result `skipped`, so that an
 * outage is one error.
 */
export function listTestRows(
  report: Report,
  failedChecks: readonly FailedCheck[],
  modelFailures: readonly ModelFailure[],
): TestRow[] {
  const own = report.cases.filter(({ model }) => model === undefined);
  const ofModels = createModelRows(report, modelFailures);
  const all = [...failedChecks, ...collectFailedChecks({ ...report, cases: ofModels })];
  const failed = new Map(groupBy(all, ({ item }) => item.id));
  return [...own, ...ofModels].map((item) => {
    const own = toTestResult(item);
    const result: TestResult = isExplainedByRun(own, report) ? { ...own, kind: 'skipped' } : own;
    const ids = result.checks.map(({ requirement }) => requirement);
    return {
      item,
      result,
      failedChecks: (failed.get(item.id) ?? []).filter(({ requirement }) => ids.includes(requirement.id)),
    };
  });
}

function isExplainedByRun({ kind, checks }: TestResult, report: Report): boolean {
  const { stopped } = report;
  const wasStopped = stopped !== null && checks.every(({ reason }) => reason === stopped.reason);
  return kind === 'errored' && (hasNoGoodCall(report) || wasStopped);
}

/** Formats the reasons of a result: one line for each check, with invisible characters escaped. */
export function formatReasons({ checks }: TestResult): string[] {
  return checks.map(({ requirement, findings, reason, add, expected }) => {
    const found = [...new Set(findings.map(({ message }) => message))].join('; ') || reason || '';
    const remedy = formatRemedy(add);
    return formatOneLine(
      `${requirement}: ${expected === undefined ? found : `expected by the baseline: ${expected} (${found})`}${remedy}`,
    );
  });
}

/** A failure that belongs to no case. Test reports show the failure as a separate test. */
export interface RunFailure {
  readonly suite: 'run' | 'baseline' | 'clients';
  /** `stale`: a baseline entry fails the run, for any reason. */
  readonly type: 'inconclusive' | 'stale' | 'violates';
  /** The kind of the diagnosis, `stopped`, `model-list`, the place of the baseline entry, or the ID of the duty. */
  readonly name: string;
  /** The message on one line. */
  readonly message: string;
  readonly details: readonly string[];
}

type RunState = Pick<Report, 'diagnosis' | 'stopped' | 'models' | 'baseline' | 'recording'>;

/**
 * Returns the failures that belong to no case: the diagnoses for which `hasNoGoodCall` returns true, the baseline
 * entries that fail the run, and, with `strictClient`, the violated `must` duties of clients. Without such a
 * diagnosis, also returns the stop of the run for a reason other than `--bail`, and the reason why the model list
 * could not be read.
 */
export function listRunFailures(
  { report, gate }: { readonly report: RunState; readonly gate: Pick<Gate, 'violatedDuties'> },
  { strictClient = false }: { readonly strictClient?: boolean },
): RunFailure[] {
  const { baseline } = report;
  const stale = (baseline?.problems ?? []).map(
    ({ line, message }): RunFailure => ({
      suite: 'baseline',
      type: 'stale',
      name: formatOneLine(`${baseline?.file}:${line}`),
      message: formatOneLine(message),
      details: [],
    }),
  );
  const duties = strictClient ? gate.violatedDuties : [];
  return [...listRunErrors(report), ...stale, ...duties.map(toRunFailure)];
}

function listRunErrors({ diagnosis, stopped, models }: RunState): RunFailure[] {
  const found = diagnosis
    .filter((item) => hasNoGoodCall({ diagnosis: [item] }))
    .map(({ kind, message }) => ({ name: kind, message }));
  const others = [
    // With --bail, the violation that stopped the run is a failed test.
    ...(stopped && stopped.kind !== 'bail' ? [{ name: 'stopped', message: stopped.reason }] : []),
    ...(models?.unread === undefined ? [] : [{ name: 'model-list', message: models.unread }]),
  ];
  return (found.length > 0 ? found : others).map(({ name, message }) => {
    return { suite: 'run', type: 'inconclusive', name, message: formatOneLine(message), details: [] };
  });
}

function toRunFailure(duty: ClientDutyReport): RunFailure {
  return {
    suite: 'clients',
    type: 'violates',
    name: duty.id,
    message: formatOneLine(`${formatBroken(duty)}: ${duty.says}`),
    details: duty.findings.map(({ exchange, request, status, message }) =>
      formatOneLine(`${request} → ${status ?? 'no response'}: ${message} (${exchange})`),
    ),
  };
}

/** The name of the suite that contains the listed models in test reports. */
export const modelSuite = 'listed-models';

/**
 * Returns one case for each tested model, with its failures, the number of cases that were not judged, and its
 * exchanges. All models together can have a hundred thousand cases, which are too many for a test report.
 */
function createModelRows({ models, cases }: Report, modelFailures: readonly ModelFailure[]): CaseReport[] {
  if (!models) return [];
  const shown = new Map(groupBy(cases, ({ model = '' }) => model));
  const failures = new Map(groupBy(modelFailures, ({ model }) => model));
  return models.items.map((item) => {
    const own = shown.get(item.id) ?? [];
    const broken = (failures.get(item.id) ?? []).map((failure): CheckReport => {
      const { requirement, outcome, unshown, known } = failure;
      const alike = own.flatMap(({ checks }) =>
        checks.filter((one) => one.requirement === requirement && one.outcome === outcome),
      );
      return {
        requirement,
        outcome,
        findings: alike.flatMap(({ findings }) => findings),
        ...(unshown > 0 && {
          reason: `Violated in ${pluralize(unshown, 'case')} that the report does not show.`,
        }),
        ...(known !== undefined && { expected: known }),
      };
    });
    const checks = [...broken, ...listUnjudged(item)];
    return {
      id: `${modelSuite}/${formatModelSegment(item.id)}`,
      suite: modelSuite,
      about: 'All cases that depend on the model, sent with this model.',
      attributes: {},
      model: item.id,
      outcome: checks.length > 0 ? findWorstOutcome(checks.map(({ outcome }) => outcome)) : 'conforms',
      checks,
      exchanges: own.flatMap(({ exchanges }) => exchanges),
    };
  });
}

function listUnjudged(item: ModelReport): CheckReport[] {
  const about = { requirement: modelSuite, findings: [] };
  const { inconclusive } = item.cases;
  if (inconclusive > 0)
    return [
      {
        ...about,
        outcome: 'inconclusive',
        reason: `${pluralize(inconclusive, 'case')} could not be judged.`,
      },
    ];
  if (isJudgedModel(item)) return [];
  const reason =
    item.own.length > 0
      ? `The cases of the suites call this model for ${item.own.join(', ')}.`
      : 'No valid call to this model succeeded, or its ID belongs to another kind of model.';
  return [{ ...about, outcome: 'not-applicable', reason }];
}

/**
 * Formats checks of a case: the requirement, at most two clauses, the expected response, and the result of a check
 * that failed or was not judged.
 */
export function formatCaseText(
  item: CaseReport,
  checks: readonly CheckReport[],
  { requirements }: Report,
): string {
  const known = new Map(requirements.map((requirement) => [requirement.id, requirement]));
  const failed = new Map(
    collectFailedChecks({ cases: [item], requirements }).map((check) => [check.requirement.id, check]),
  );
  return checks
    .flatMap((check) => {
      const requirement = known.get(check.requirement);
      return requirement ? [formatCheck(check, requirement, failed.get(requirement.id)).join('\n')] : [];
    })
    .join('\n\n');
}

/** The rows of a failed check that are shown between the finding and the curl line. */
const evidence = ['received', 'look at', 'trace ID', 'sent', 'combined', 'request', 'again'];

function formatCheck(
  { outcome, reason, add }: CheckReport,
  requirement: RequirementReport,
  failure: FailedCheck | undefined,
): string[] {
  const rows = failure ? describeFailedCheck(failure) : [];
  return [
    `${requirement.id} (${requirement.level})`,
    `  ${requirement.says}`,
    ...formatClauses(requirement)
      .slice(0, 2)
      .map((clause) => `  ${clause}`),
    `  expected: ${requirement.expects}`,
    ...(failure ? [`→ ${failure.found}`] : []),
    ...(!failure && reason !== undefined ? [`→ ${outcome}: ${reason}${formatRemedy(add)}`] : []),
    ...rows.filter(([name]) => evidence.includes(name)).map(([name, text]) => `  ${name}: ${text}`),
    ...rows.filter(([name]) => name === 'curl').map(([, text]) => `  ${text}`),
  ].map((line) => formatOneLine(line));
}
