import { groupBy, pluralize, sum } from '../../common/lists.ts';
import { formatOneLine } from '../../common/printable.ts';
import { type Gate, hasNoGoodCall } from '../gate/exit-code.ts';
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
import type { Cause } from './causes.ts';
import { formatClauses } from './clauses.ts';
import { type Deviations, formatDeviation, type NeededDeviation } from './deviations.ts';
import { describeFailedCheck, formatRemedy } from './failed-checks.ts';
import { collectFailedChecks, type FailedCheck } from './failures.ts';
import { listProblems, type Problem } from './problems.ts';
import { formatBroken } from './traffic.ts';

/** The result of checks as a test, for report formats without levels and baselines. */
export interface TestResult {
  readonly kind: 'failed' | 'errored' | 'known' | 'warned' | 'declared' | 'skipped' | 'passed';
  /** The checks with this result; empty if the test passed. */
  readonly checks: readonly CheckReport[];
}

/** Returns the result of checks. Only a violation that the baseline does not expect makes the test `failed`. */
export function toTestResult(checks: readonly CheckReport[]): TestResult {
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
    { kind: 'declared', checks: selectBy('deviates') },
    { kind: 'skipped', checks: skipped.length === checks.length ? skipped : [] },
  ];
  return results.find((result) => result.checks.length > 0) ?? { kind: 'passed', checks: [] };
}

/** A requirement, or a listed model, as a test. */
export interface TestRow {
  /** The ID of the requirement; `listed-models/` with the ID of a model. */
  readonly name: string;
  /** The part of the name before the first slash. */
  readonly suite: string;
  /** Undefined for a listed model. */
  readonly requirement: RequirementReport | undefined;
  readonly kind: TestResult['kind'];
  /** Each cause of the failure with its number of cases, or each reason or deviation, on one line. */
  readonly reasons: readonly string[];
  /** The failed checks that are shown as evidence. */
  readonly examples: readonly FailedCheck[];
  /** The IDs of the cases with this result; empty if the test passed or the gateway is as declared. */
  readonly cases: readonly string[];
  /** The duration of the cases of which the test has the first check, in milliseconds. */
  readonly durationMs: number;
}

/** The maximum number of failed checks of one test that are shown with their requests and responses. */
const shownExamples = 5;

/**
 * Returns a row for each requirement, then a row for each tested model. If the gateway could not be tested or the run
 * was stopped, the tests without a result for this reason are `skipped`, so that an outage is one error.
 */
export function listTestRows({
  report,
  failedChecks,
  modelFailures,
  causes,
  deviations,
}: {
  readonly report: Report;
  readonly failedChecks: readonly FailedCheck[];
  readonly modelFailures: readonly ModelFailure[];
  readonly causes: readonly Cause[];
  readonly deviations: Deviations | undefined;
}): TestRow[] {
  const byRequirement = new Map(groupBy(failedChecks, ({ requirement }) => requirement.id));
  const located = report.cases.flatMap((item) =>
    item.model === undefined ? item.checks.map((check, index) => ({ item, check, index })) : [],
  );
  const checks = new Map(groupBy(located, ({ check }) => check.requirement));
  const own = report.requirements.flatMap((requirement): TestRow[] => {
    const own = checks.get(requirement.id) ?? [];
    if (own.length === 0) return [];
    const result = settle(toTestResult(own.map(({ check }) => check)), report);
    const found = new Set(result.checks);
    const isDeclared = result.kind === 'declared';
    const cases = own.flatMap(({ item, check }) => (found.has(check) && !isDeclared ? [item.id] : []));
    const failed = (byRequirement.get(requirement.id) ?? []).filter(({ item }) => cases.includes(item.id));
    return [
      {
        name: requirement.id,
        suite: suiteOf(requirement.id),
        requirement,
        kind: result.kind,
        reasons: isDeclared
          ? (deviations?.needed.get(requirement.id) ?? []).map(formatDeclared)
          : listReasons(requirement, result, failed, causes),
        examples: selectExamples(failed),
        cases,
        durationMs: sum(own.map(({ item, index }) => (index === 0 ? (item.durationMs ?? 0) : 0))),
      },
    ];
  });
  return [...own, ...createModelRows(report, modelFailures)];
}

function suiteOf(name: string): string {
  return name.replace(/\/.*$/s, '');
}

function settle(result: TestResult, report: Report): TestResult {
  return isExplainedByRun(result, report) ? { ...result, kind: 'skipped' } : result;
}

function listReasons(
  { id }: RequirementReport,
  result: TestResult,
  failed: readonly FailedCheck[],
  causes: readonly Cause[],
): string[] {
  if (result.kind !== 'failed' && result.kind !== 'warned') return formatCounted(result);
  const cases = new Set(failed.map(({ item }) => item.id));
  const own = causes.filter(({ requirements }) => requirements.some((requirement) => requirement.id === id));
  const lines = own.flatMap((cause): string[] => {
    const shared = cause.cases.filter((item) => cases.has(item));
    return shared.length === 0
      ? []
      : [formatOneLine(`${cause.title} (${pluralize(shared.length, 'case')}, such as ${shared[0]})`)];
  });
  // A consequence of a failure is no case of its cause.
  return lines.length > 0 ? lines : formatCounted(result);
}

function formatDeclared({ deviation, checks }: NeededDeviation): string {
  return formatOneLine(`as declared in ${pluralize(checks, 'case')}: ${formatDeviation(deviation)}`);
}

/** Formats the reasons of a result, each once with the number of its checks if there are several. */
function formatCounted({ checks }: TestResult): string[] {
  return groupBy(checks, formatReason).map(([reason, { length }]) =>
    formatOneLine(length > 1 ? `${reason} (${pluralize(length, 'case')})` : reason),
  );
}

/** Returns failed checks with different findings. */
function selectExamples(failed: readonly FailedCheck[]): FailedCheck[] {
  return groupBy(failed, ({ found }) => found)
    .flatMap(([, [first]]) => first ?? [])
    .slice(0, shownExamples);
}

function isExplainedByRun({ kind, checks }: TestResult, report: Report): boolean {
  const { stopped } = report;
  const wasStopped = stopped !== null && checks.every(({ reason }) => reason === stopped.reason);
  return kind === 'errored' && (hasNoGoodCall(report) || wasStopped);
}

/** Formats the reasons of a result: one line for each check, with invisible characters escaped. */
export function formatReasons({ checks }: TestResult): string[] {
  return checks.map((check) => formatOneLine(`${check.requirement}: ${formatReason(check)}`));
}

function formatReason({ findings, reason, add, expected }: CheckReport): string {
  const found = [...new Set(findings.map(({ message }) => message))].join('; ') || reason || '';
  const shown = expected === undefined ? found : `expected by the baseline: ${expected} (${found})`;
  return shown + formatRemedy(add);
}

/** Formats the reasons, the examples, and the IDs of all cases. */
export function formatTestDetails({ reasons, examples, cases }: TestRow): string {
  return [
    reasons.join('\n'),
    ...examples.map(formatEvidence),
    ...(cases.length > 1 ? [[`${cases.length} cases`, ...cases].join('\n  ')] : []),
  ].join('\n\n');
}

function formatEvidence(check: FailedCheck): string {
  return [
    check.item.id,
    ...describeFailedCheck(check).map(([name, text]) => `${name.padEnd(9)} ${text}`),
  ].join('\n');
}

/** A failure that belongs to no case. Test reports show the failure as a separate test. */
export interface RunFailure {
  readonly suite: 'run' | Problem['of'] | 'clients';
  /** `stale`: a baseline entry or a declared deviation fails the run, for any reason. */
  readonly type: 'inconclusive' | 'stale' | 'violates';
  /** The kind of the diagnosis, `stopped`, `model-list`, the place of the entry or deviation, or the ID of the duty. */
  readonly name: string;
  /** The message on one line. */
  readonly message: string;
  readonly details: readonly string[];
}

type RunState = Pick<Report, 'diagnosis' | 'stopped' | 'models' | 'baseline' | 'deviations' | 'recording'>;

/**
 * Returns the failures that belong to no case: the diagnoses for which `hasNoGoodCall` returns true, the baseline
 * entries and declared deviations that fail the run, and, with `strictClient`, the violated `must` duties of clients. Without such a
 * diagnosis, also returns the stop of the run for a reason other than `--bail`, and the reason why the model list
 * could not be read.
 */
export function listRunFailures(
  { report, gate }: { readonly report: RunState; readonly gate: Pick<Gate, 'violatedDuties'> },
  { strictClient = false }: { readonly strictClient?: boolean },
): RunFailure[] {
  const stale = listProblems(report).map(
    ({ of, place, message }): RunFailure => ({
      suite: of,
      type: 'stale',
      name: formatOneLine(place),
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
 * Returns one row for each tested model, with its failures, and the number of cases that were not judged. All models
 * together can have a hundred thousand cases, which are too many for a test report.
 */
function createModelRows(
  { models, cases, requirements }: Report,
  modelFailures: readonly ModelFailure[],
): TestRow[] {
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
    const result = toTestResult([...broken, ...listUnjudged(item)]);
    const ids = result.checks.map(({ requirement }) => requirement);
    const failed = collectFailedChecks({ requirements, cases: own }).filter(({ requirement }) =>
      ids.includes(requirement.id),
    );
    return {
      name: `${modelSuite}/${formatModelSegment(item.id)}`,
      suite: modelSuite,
      requirement: undefined,
      kind: result.kind,
      reasons: formatReasons(result),
      examples: selectExamples(failed),
      cases: [...new Set(failed.map((check) => check.item.id))],
      durationMs: 0,
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
