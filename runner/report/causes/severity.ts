import type { Finding } from '../../judge/finding.ts';
import { isSuccess } from '../../transport/exchange.ts';
import { lacksRight, type Subject } from './subject.ts';
import { simpleFindings } from './symptom.ts';

/** How grave a failure is, the gravest first; every report uses this order. */
export const severities = [
  'unauthorized-access',
  'invalid-accepted',
  'server-error',
  'wrong-status',
  'wrong-type',
  'wrong-detail',
  'recommendation',
] as const;
export type Severity = (typeof severities)[number];

/** The severities as people read them. */
export const severityLabels: Readonly<Record<Severity, string>> = {
  'unauthorized-access': 'Access without a right',
  'invalid-accepted': 'Invalid request accepted',
  'server-error': 'Server error',
  'wrong-status': 'Wrong status',
  'wrong-type': 'Wrong error type',
  'wrong-detail': 'Wrong detail',
  recommendation: 'Recommendation',
};

/** The place of a severity in their order: 1 for the gravest. */
export function rankOf(severity: Severity): number {
  return severities.indexOf(severity) + 1;
}

/** The gravest of several severities; a recommendation of none. */
export function gravest(items: readonly Severity[]): Severity {
  return severities.find((severity) => items.includes(severity)) ?? 'recommendation';
}

/** What the findings of one response mean, whatever the level of the requirement is. */
export type Kind = Exclude<Severity, 'recommendation'>;

/** What one response to a request of that subject did wrong, by its findings. `isErrorBody`: a 2xx holds an error alone. */
export function kindOf(findings: readonly Finding[], subject: Subject, isErrorBody: boolean): Kind {
  const simple = simpleFindings(findings);
  const statuses = simple.flatMap((finding) =>
    finding.kind === 'wrong-status' || finding.kind === 'happened' ? [finding.actual] : [],
  );
  // A stream without an error in it is a success.
  const isServed = statuses.some(isSuccess) || simple.some(({ kind }) => kind === 'no-error-event');
  if (isServed && !isErrorBody && subject !== 'valid-request')
    return lacksRight(subject) ? 'unauthorized-access' : 'invalid-accepted';
  if (statuses.some((status) => status >= 500)) return 'server-error';
  if (statuses.length > 0 || simple.some(concernsStatus)) return 'wrong-status';
  return simple.some(concernsType) ? 'wrong-type' : 'wrong-detail';
}

type Simple = ReturnType<typeof simpleFindings>[number];

function concernsStatus(finding: Simple): boolean {
  return (
    finding.kind === 'no-error-event' ||
    finding.kind === 'never-happened' ||
    (finding.kind === 'differs' && finding.place === 'status')
  );
}

/** What a program that handles errors reads first. */
function concernsType(finding: Simple): boolean {
  const { kind } = finding;
  if (kind === 'wrong-type' || kind === 'wrong-code' || kind === 'not-json') return true;
  return 'place' in finding && finding.place === '/error/type';
}
