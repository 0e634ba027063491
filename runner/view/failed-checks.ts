import { pluralize } from '../../common/lists.ts';
import { isFailed } from '../judge/outcome.ts';
import { findMostSevere, rankOf, type Severity, severityLabels } from '../judge/severity.ts';
import { joinCurlLines } from '../report/curl/curl-line.ts';
import { type FailedResponse, failuresOf } from '../report/failures.ts';
import { placesOf } from '../report/findings.ts';
import { formatAnswer, formatClauses } from '../report/format-value.ts';
import type { CaseReport, CheckReport, ExchangeReport, Report, RequirementReport } from '../report/report.ts';
import { formatSending } from './format-counts.ts';
import { outcomeLooks } from './signs.ts';

/**
 * A failed check: a requirement that a case violates or for which the case causes a warning, with the evidence for a
 * bug report.
 */
export interface FailedCheck {
  readonly requirement: RequirementReport;
  readonly item: CaseReport;
  readonly outcome: 'violates' | 'warns';
  /** The highest severity of the failed responses of the check. */
  readonly severity: Severity;
  /** The findings in words, the most severe first; the reason of the check if the check has no findings. */
  readonly found: string;
  /** The place to check first in the response, and the expected value there; empty if the check has no findings. */
  readonly lookAt: string;
  /** The places of the findings in responses: JSON pointers, `status`, `body` or `header NAME`. */
  readonly places: readonly string[];
  /**
   * The exchange with the most severe finding among the exchanges of the case in the report; undefined if the report
   * contains no such exchange.
   */
  readonly exchange: ExchangeReport | undefined;
  /** The reason of the baseline entry that expects the failure; undefined if no entry expects the failure. */
  readonly known: string | undefined;
}

/** The failed checks of a requirement with one outcome, in the order of the report. */
export interface FailedRequirement {
  readonly requirement: RequirementReport;
  readonly outcome: FailedCheck['outcome'];
  readonly breaches: readonly FailedCheck[];
}

/** The maximum number of characters of a quoted body. */
const longestExcerpt = 300;

/** Returns all failed checks of a report, by requirement and then by case, in the order of the report. */
export function collectFailedChecks(report: Report): FailedCheck[] {
  const byRequirement = new Map<string, [CaseReport, CheckReport][]>();
  for (const item of report.cases) {
    for (const check of item.checks) {
      if (!isFailed(check.outcome)) continue;
      const entries = byRequirement.get(check.requirement) ?? [];
      byRequirement.set(check.requirement, [...entries, [item, check]]);
    }
  }
  return report.requirements.flatMap((requirement) =>
    (byRequirement.get(requirement.id) ?? []).flatMap(
      ([item, check]) => toFailedCheck(requirement, item, check) ?? [],
    ),
  );
}

/**
 * Groups the failed checks with the given outcome by requirement. With `known`, returns only checks that the baseline
 * expects; otherwise, only checks that the baseline does not expect.
 */
export function groupFailedChecks(
  checks: readonly FailedCheck[],
  { outcome, known }: { readonly outcome: FailedCheck['outcome']; readonly known: boolean },
): FailedRequirement[] {
  const own = checks.filter((check) => check.outcome === outcome && (check.known !== undefined) === known);
  return [...new Set(own.map(({ requirement }) => requirement))].map((requirement) => ({
    requirement,
    outcome,
    breaches: own.filter((check) => check.requirement === requirement),
  }));
}

/** Returns a failed check with its evidence; undefined if the check did not fail. */
export function toFailedCheck(
  requirement: RequirementReport,
  item: CaseReport,
  check: CheckReport,
): FailedCheck | undefined {
  const { outcome, findings, reason = '', expected: known } = check;
  if (!isFailed(outcome)) return undefined;
  const failures = [...failuresOf(requirement, item, check)].sort(bySeverity);
  const messages = failures.flatMap((failure) => failure.findings.map(({ message }) => message));
  return {
    requirement,
    item,
    outcome,
    severity: findMostSevere(failures.map(({ severity }) => severity)),
    found: [...new Set(messages)].join('; ') || reason,
    lookAt: failures[0]?.symptom.lookAt ?? '',
    places: [...new Set(findings.flatMap(({ finding }) => placesOf(finding)))],
    exchange: failures.find(({ evidence }) => evidence)?.evidence,
    known,
  };
}

function bySeverity(one: FailedResponse, other: FailedResponse): number {
  return rankOf(one.severity) - rankOf(other.severity);
}

/**
 * Returns the rows of text that describe a failed check, as pairs of a name and a text. Rows without a text are
 * omitted. The row `received` has at most 300 characters of the response body.
 */
export function describeFailedCheck({
  requirement,
  severity,
  found,
  lookAt,
  places,
  exchange,
}: FailedCheck): [string, string][] {
  const rows: [string, string | null | undefined][] = [
    ['says', requirement.says],
    ['clause', formatClauses(requirement).join('; ')],
    ['level', requirement.level],
    ['severity', severityLabels[severity]],
    ['expected', requirement.expects],
    ['found', found],
    ['received', exchange && formatAnswer(exchange, longestExcerpt)],
    ['look at', lookAt],
    ['at', places.join(', ')],
    ['exchange', exchange?.id],
    ['time', exchange?.startedAt],
    ['trace ID', exchange?.traceId],
    ...(exchange ? formatSending(exchange) : []),
    ['curl', exchange && joinCurlLines(exchange.curl)],
  ];
  return rows.flatMap(([name, text]) => (text ? [[name, text]] : []));
}

/** A reason why checks were not judged, with the number of these checks. */
export interface NotJudgedGroup {
  readonly outcome: 'inconclusive' | 'not-applicable';
  readonly reason: string;
  /** The property to add to the profile so that the checks can be judged; undefined if no addition helps. */
  readonly add: string | undefined;
  readonly count: number;
}

const asIs = (text: string): string => text;

/**
 * Formats the number of checks that were not judged, the reason, and the addition to the profile. `show` formats the
 * reason and the addition.
 */
export function formatNotJudged({ count, outcome, reason, add }: NotJudgedGroup, show = asIs): string {
  return `${pluralize(count, 'check')} ${outcomeLooks[outcome].word}: ${show(reason)}${formatRemedy(add, show)}`;
}

/**
 * Formats the addition to the profile as a sentence that follows the reason. Returns an empty string if no addition
 * helps.
 */
export function formatRemedy(add: string | undefined, show = asIs): string {
  return add === undefined ? '' : ` Add ${show(add)}.`;
}

interface NotJudgedSource extends Pick<Report, 'models'> {
  readonly cases: readonly Pick<CaseReport, 'model' | 'checks'>[];
}

/**
 * Returns the reasons why checks were not judged, each with the number of checks. The reasons of inconclusive checks
 * come before the reasons of checks that are not applicable.
 */
export function collectNotJudged(report: NotJudgedSource): NotJudgedGroup[] {
  const reasons = new Map<string, NotJudgedGroup>();
  // The report counts the cases of listed models separately.
  const own = report.cases.filter(({ model }) => model === undefined);
  for (const { outcome, reason = '', add } of own.flatMap((item) => item.checks)) {
    if (outcome !== 'inconclusive' && outcome !== 'not-applicable') continue;
    const key = `${outcome} ${reason}`;
    const count = (reasons.get(key)?.count ?? 0) + 1;
    reasons.set(key, { outcome, reason, add, count });
  }
  for (const { outcome, reason, add, count } of report.models?.notJudged ?? []) {
    const key = `${outcome} ${reason}`;
    reasons.set(key, { outcome, reason, add, count: count + (reasons.get(key)?.count ?? 0) });
  }
  const all = [...reasons.values()];
  return (['inconclusive', 'not-applicable'] as const).flatMap((kind) =>
    all.filter(({ outcome }) => outcome === kind),
  );
}
