import { hasOnlyError } from '../exchange/decode.ts';
import { type Exchange, isSuccess } from '../exchange/exchange.ts';
import { type Finding, type SingleFinding, selectMainFindings } from './finding.ts';
import { isUnauthorized, type Subject, subjectOf, withGeneratedKey } from './subject.ts';

/** The severities, the highest first. */
export const severities = [
  'unauthorized-access',
  'valid-request-fails',
  'invalid-accepted',
  'server-error',
  'wrong-status',
  'not-json',
  'wrong-type',
  'wrong-detail',
  'recommendation',
] as const;
export type Severity = (typeof severities)[number];

export const severityLabels: Readonly<Record<Severity, string>> = {
  'unauthorized-access': 'Unauthorized access',
  'valid-request-fails': 'Valid request fails',
  'invalid-accepted': 'Invalid request accepted',
  'server-error': 'Server error',
  'wrong-status': 'Wrong status',
  'not-json': 'Body is not JSON',
  'wrong-type': 'Wrong error type',
  'wrong-detail': 'Wrong detail',
  recommendation: 'Recommendation',
};

/** The verb between a cause and its requirements, by outcome. */
export const outcomeVerbs = { violates: 'Violates', warns: 'Does not satisfy' } as const;

/** Returns the rank of a severity. The rank of the highest severity is 1. */
export function rankOf(severity: Severity): number {
  return severities.indexOf(severity) + 1;
}

/** Returns the highest of several severities, or `recommendation` for an empty list. */
export function findMostSevere(items: readonly Severity[]): Severity {
  return severities.find((severity) => items.includes(severity)) ?? 'recommendation';
}

/**
 * Whether a severity is above `wrong-status`. Such a failure lets a client do what it must not do, or keeps it from
 * what it may do, so a gate accepts it only for cases that are listed one by one.
 */
export function isGrave(severity: Severity): boolean {
  return rankOf(severity) < rankOf('wrong-status');
}

/** Returns the severity of a failed check; the highest severity if the check states none. */
export function severityOfCheck({ severity }: { readonly severity?: Severity | undefined }): Severity {
  return severity ?? severities[0];
}

/** The kind of a failure, independent of the level of the requirement. */
export type FailureKind = Exclude<Severity, 'recommendation'>;

/** Returns the severity of a failure in a case with this outcome. */
export function severityOf(kind: FailureKind, outcome: 'violates' | 'warns'): Severity {
  return outcome === 'warns' ? 'recommendation' : kind;
}

/** Returns the kind of failure of an exchange with these findings. */
export function kindOfExchange(
  findings: readonly Finding[],
  exchange: Pick<Exchange, 'id' | 'attributes' | 'result'>,
): FailureKind {
  const subject = subjectOf(withGeneratedKey(exchange.id, exchange.attributes));
  const body = exchange.result.kind === 'answer' ? exchange.result.answer.text : undefined;
  return kindOf(findings, subject, body);
}

/** Returns the kind of failure of one response, with these findings and this body, to a request with this subject. */
export function kindOf(findings: readonly Finding[], subject: Subject, body = ''): FailureKind {
  // The status only shows how the gateway reads the unread body of the request before.
  if (subject === 'after-refusal') return 'valid-request-fails';
  const simple = selectMainFindings(findings);
  const statuses = simple.flatMap((finding) =>
    finding.kind === 'wrong-status' || finding.kind === 'happened' ? [finding.actual] : [],
  );
  // A stream with model output instead of an error event counts as a success.
  const isServed = statuses.some(isSuccess) || simple.some(({ kind }) => kind === 'no-error-event');
  if (isServed && !hasOnlyError(body) && subject !== 'valid-request')
    return isUnauthorized(subject) ? 'unauthorized-access' : 'invalid-accepted';
  if (subject === 'valid-request' && simple.some(isRefusal)) return 'valid-request-fails';
  if (statuses.some((status) => status >= 500) || simple.some(({ kind }) => kind === 'no-response'))
    return 'server-error';
  if (statuses.length > 0 || simple.some(concernsStatus)) return 'wrong-status';
  if (simple.some(({ kind }) => kind === 'not-json')) return 'not-json';
  return simple.some(concernsType) ? 'wrong-type' : 'wrong-detail';
}

/** Whether a finding means that a request was not served although it had to be. */
function isRefusal(finding: SingleFinding): boolean {
  switch (finding.kind) {
    case 'no-response':
    case 'only-error':
    case 'not-offered':
      return true;
    case 'wrong-status':
      // A valid request can have to fail, for example to show the error body of a 500.
      return !isSuccess(finding.actual) && !/^[345]/.test(finding.expected);
    case 'happened':
      return !isSuccess(finding.actual);
    default:
      return false;
  }
}

function concernsStatus(finding: SingleFinding): boolean {
  return (
    finding.kind === 'no-error-event' ||
    finding.kind === 'never-happened' ||
    ((finding.kind === 'differs' || finding.kind === 'wrong-attribute') && placeOf(finding) === 'status')
  );
}

function placeOf(finding: Extract<SingleFinding, { kind: 'differs' | 'wrong-attribute' }>): string {
  return finding.kind === 'differs' ? finding.place : finding.name.replace(/^the /, '');
}

/**
 * Whether a finding is about the type of an error, or about a wrong code. Programs read the type and the code first.
 */
function concernsType(finding: SingleFinding): boolean {
  const { kind } = finding;
  if (kind === 'wrong-type' || kind === 'wrong-code') return true;
  return 'place' in finding && finding.place === '/error/type';
}
