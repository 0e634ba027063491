import type { Finding } from '../../judge/finding.ts';
import { isSuccess } from '../../transport/exchange.ts';
import { isUnauthorized, type Subject } from './subject.ts';
import { selectMainFindings } from './symptom.ts';

/** The severities, the highest first. */
export const severities = [
  'unauthorized-access',
  'invalid-accepted',
  'server-error',
  'wrong-status',
  'not-json',
  'wrong-type',
  'wrong-detail',
  'recommendation',
] as const;
export type Severity = (typeof severities)[number];

/** The names of the severities in reports. */
export const severityLabels: Readonly<Record<Severity, string>> = {
  'unauthorized-access': 'Unauthorized access',
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

/** The kind of a failure, independent of the level of the requirement. */
export type FailureKind = Exclude<Severity, 'recommendation'>;

/**
 * Returns the kind of failure of one response with these findings. `isErrorBody` is true if the body contains only an
 * error.
 */
export function kindOf(findings: readonly Finding[], subject: Subject, isErrorBody: boolean): FailureKind {
  // The status only shows how the gateway reads the unread body.
  if (subject === 'after-refusal') return 'wrong-status';
  const simple = selectMainFindings(findings);
  const statuses = simple.flatMap((finding) =>
    finding.kind === 'wrong-status' || finding.kind === 'happened' ? [finding.actual] : [],
  );
  // A stream with model output instead of an error event counts as a success.
  const isServed = statuses.some(isSuccess) || simple.some(({ kind }) => kind === 'no-error-event');
  if (isServed && !isErrorBody && subject !== 'valid-request')
    return isUnauthorized(subject) ? 'unauthorized-access' : 'invalid-accepted';
  if (statuses.some((status) => status >= 500) || simple.some(({ kind }) => kind === 'no-response'))
    return 'server-error';
  if (statuses.length > 0 || simple.some(concernsStatus)) return 'wrong-status';
  if (simple.some(({ kind }) => kind === 'not-json')) return 'not-json';
  return simple.some(concernsType) ? 'wrong-type' : 'wrong-detail';
}

type SimpleFinding = ReturnType<typeof selectMainFindings>[number];

function concernsStatus(finding: SimpleFinding): boolean {
  return (
    finding.kind === 'no-error-event' ||
    finding.kind === 'never-happened' ||
    (finding.kind === 'differs' && finding.place === 'status')
  );
}

/**
 * Whether a finding is about the type of an error, or about a wrong code. Programs read the type and the code first.
 */
function concernsType(finding: SimpleFinding): boolean {
  const { kind } = finding;
  if (kind === 'wrong-type' || kind === 'wrong-code') return true;
  return 'place' in finding && finding.place === '/error/type';
}
