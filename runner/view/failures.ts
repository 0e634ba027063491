import { groupBy } from '../../common/lists.ts';
import { attributesOfPackage } from '../catalog/attributes.ts';
import type { Attributes } from '../catalog/condition.ts';
import { kindOf } from '../judge/failure-kind.ts';
import { placesOf } from '../judge/finding.ts';
import { isFailed } from '../judge/outcome.ts';
import { type FailureKind, findMostSevere, rankOf, type Severity, severityOf } from '../judge/severity.ts';
import { type Subject, subjectOf, withGeneratedKey } from '../judge/subject.ts';
import type {
  CaseReport,
  CheckReport,
  ExchangeReport,
  FindingReport,
  Report,
  RequirementReport,
} from '../report/report.ts';
import { requestOf } from '../report/select-examples.ts';
import { type Symptom, symptomOf } from '../report/symptom.ts';
import { severityLabels } from './signs.ts';

/** A response that violates a requirement, or a failed check without a finding. */
export interface FailedResponse {
  readonly requirement: RequirementReport;
  readonly item: CaseReport;
  readonly outcome: 'violates' | 'warns';
  /** The ID of the exchange with the response; empty if no exchange shows the failure. */
  readonly exchange: string;
  /**
   * The exchange, or else the exchange with the result of the same request; undefined if neither was found.
   */
  readonly evidence: ExchangeReport | undefined;
  readonly attributes: Attributes;
  readonly subject: Subject;
  /** The kind of failure, independent of the level of the requirement. */
  readonly kind: FailureKind;
  readonly severity: Severity;
  readonly symptom: Symptom;
  readonly findings: readonly FindingReport[];
  /** The worst severity that the baseline accepts for the check; undefined unless the check is worse. */
  readonly acceptedSeverity: Severity | undefined;
}

/** A failed check, with the evidence for a bug report. */
export interface FailedCheck {
  readonly requirement: RequirementReport;
  readonly item: CaseReport;
  readonly outcome: 'violates' | 'warns';
  /** One for each response with findings, or one without a response if the check has no findings. */
  readonly responses: readonly [FailedResponse, ...FailedResponse[]];
  /** The highest severity of the responses. */
  readonly severity: Severity;
  /** The findings in words, the most severe first; the reason of the check if the check has no findings. */
  readonly found: string;
  /** The place to check first in the response, and the expected value there; empty if the check has no findings. */
  readonly lookAt: string;
  /** The places of the findings in responses: JSON pointers, `status`, `body` or `header NAME`. */
  readonly places: readonly string[];
  /** The exchange with the most severe finding; undefined if the report contains no exchange with a finding. */
  readonly exchange: ExchangeReport | undefined;
  /** The reason of the baseline entry that expects the failure; undefined if no entry expects the failure. */
  readonly known: string | undefined;
}

const [wrongPlace, wrongForm] = ['Key accepted in a wrong place', 'Key accepted in a wrong form'];

/** Names the severity of failures, the highest of which is `severity`. */
export function labelOf(
  severity: Severity,
  failures: readonly Pick<FailedResponse, 'severity' | 'subject' | 'attributes'>[],
): string {
  if (severity !== 'unauthorized-access') return severityLabels[severity];
  const worst = failures.filter((failure) => failure.severity === severity);
  const [label, ...others] = new Set(worst.map(findMisuse));
  return label === undefined || others.length > 0 ? severityLabels[severity] : label;
}

/** Names how the valid key was sent, if nothing else was wrong: whoever has the key has a right to access. */
function findMisuse({
  subject,
  attributes: { key = '' },
}: Pick<FailedResponse, 'subject' | 'attributes'>): string | undefined {
  if (attributesOfPackage().keyKinds.get(key)?.edit?.kind === 'wrap') return wrongForm;
  if (key !== 'good') return undefined;
  if (subject === 'misplaced-key') return wrongPlace;
  return subject === 'malformed-credential' ? wrongForm : undefined;
}

/** Returns all failed checks of a report, in the order of its cases. */
export function collectFailedChecks(report: Pick<Report, 'cases' | 'requirements'>): FailedCheck[] {
  const requirements = new Map(report.requirements.map((requirement) => [requirement.id, requirement]));
  // A pooled case shows only some of its exchanges, but other cases show most of the remaining exchanges.
  let all: ReadonlyMap<string, ExchangeReport> | undefined;
  const find: FindExchange = (id) => {
    all ??= new Map(
      report.cases.flatMap(({ exchanges }) => exchanges.map((exchange) => [exchange.id, exchange])),
    );
    return all.get(id);
  };
  return report.cases.flatMap((item) =>
    item.checks.flatMap((check) => {
      const requirement = requirements.get(check.requirement);
      return requirement ? readFailedCheck(requirement, item, check, find) : [];
    }),
  );
}

/** Returns the exchange with the ID from any case; undefined if no case contains the exchange. */
type FindExchange = (id: string) => ExchangeReport | undefined;

function readFailedCheck(
  requirement: RequirementReport,
  item: CaseReport,
  check: CheckReport,
  find: FindExchange,
): FailedCheck[] {
  const { outcome, findings, reason = '', expected: known } = check;
  const [first, ...others] = readResponses(requirement, item, check, find);
  if (!isFailed(outcome) || !first) return [];
  const ranked = [first, ...others].sort((one, other) => rankOf(one.severity) - rankOf(other.severity));
  const messages = ranked.flatMap((response) => response.findings.map(({ message }) => message));
  return [
    {
      requirement,
      item,
      outcome,
      responses: [first, ...others],
      severity: findMostSevere(ranked.map(({ severity }) => severity)),
      found: [...new Set(messages)].join('; ') || reason,
      lookAt: ranked[0]?.symptom.lookAt ?? '',
      places: [...new Set(findings.flatMap(({ finding }) => placesOf(finding)))],
      exchange: ranked.find(({ evidence }) => evidence)?.evidence,
      known,
    },
  ];
}

function readResponses(
  requirement: RequirementReport,
  item: CaseReport,
  { outcome, findings, reason = '', acceptedSeverity }: CheckReport,
  find: FindExchange,
): FailedResponse[] {
  if (!isFailed(outcome)) return [];
  const about = { requirement, item, outcome, acceptedSeverity };
  if (findings.length === 0) return [withoutFinding(about, reason)];
  const shown = new Map(item.exchanges.map((exchange) => [exchange.id, exchange]));
  return groupBy(findings, ({ exchange }) => exchange).map(([exchange, own]) => {
    const evidence = shown.get(exchange) ?? find(requestOf(exchange));
    const attributes = attributesOf(item, evidence);
    const subject = subjectOf(attributes);
    const found = own.map(({ finding }) => finding);
    const kind = kindOf(found, subject, evidence?.response?.body.text);
    return {
      ...about,
      exchange,
      evidence,
      attributes,
      subject,
      kind,
      severity: severityOf(kind, outcome),
      symptom: symptomOf(found),
      findings: own,
    };
  });
}

function attributesOf(item: CaseReport, evidence: ExchangeReport | undefined): Attributes {
  return withGeneratedKey(item.id, evidence?.attributes ?? item.attributes);
}

function withoutFinding(
  about: Pick<FailedResponse, 'requirement' | 'item' | 'outcome' | 'acceptedSeverity'>,
  reason: string,
): FailedResponse {
  const { attributes } = about.item;
  return {
    ...about,
    exchange: '',
    evidence: undefined,
    attributes,
    subject: subjectOf(attributes),
    kind: 'wrong-detail',
    severity: severityOf('wrong-detail', about.outcome),
    symptom: { key: reason, message: reason, seen: reason, lookAt: '', places: [] },
    findings: [],
  };
}

/**
 * Whether most of the judged cases that are similar to the failed cases did not fail. A case is similar if its
 * subject, and the value of each of its attributes, also occur in failed cases.
 */
export function isScattered(failures: readonly FailedResponse[], judged: readonly CaseReport[]): boolean {
  const subjects = new Set(failures.map(({ subject }) => subject));
  const failed = new Set(failures.map(({ item }) => item));
  const values = new Map<string, Set<string | undefined>>();
  for (const item of failed)
    for (const [name, value] of Object.entries(attributesOf(item, undefined)))
      values.set(name, (values.get(name) ?? new Set()).add(value));
  const alike = judged.filter((item) => {
    const attributes = attributesOf(item, undefined);
    return (
      subjects.has(subjectOf(attributes)) &&
      Object.entries(attributes).every(([name, value]) => values.get(name)?.has(value))
    );
  });
  return 2 * alike.filter((item) => failed.has(item)).length < alike.length;
}

/** Whether the failed request belongs to the case, so that sending the case shows the failure. */
export function isDirect({ item, exchange }: Pick<FailedResponse, 'item' | 'exchange'>): boolean {
  return exchange.startsWith(`${item.id}#`);
}

/** Returns the IDs of the requests of the failures. A failed check without a finding has no request. */
export function requestsOf(failures: readonly FailedResponse[]): Set<string> {
  return new Set(failures.flatMap(({ exchange }) => (exchange === '' ? [] : [requestOf(exchange)])));
}
