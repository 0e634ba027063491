/** The kinds of failure, independent of the level of the requirement, the most severe first. */
export const failureKinds = [
  'unauthorized-access',
  'valid-request-fails',
  'invalid-accepted',
  'server-error',
  'wrong-status',
  'not-json',
  'wrong-type',
  'wrong-detail',
] as const;
export type FailureKind = (typeof failureKinds)[number];

/** The severities, the highest first. */
export const severities = [...failureKinds, 'recommendation'] as const;
export type Severity = (typeof severities)[number];

/** The words for the severities up to which a gate can be limited. */
export const scopes = {
  access: 'unauthorized-access',
  valid: 'valid-request-fails',
  invalid: 'invalid-accepted',
  server: 'server-error',
  status: 'wrong-status',
  json: 'not-json',
  type: 'wrong-type',
} as const satisfies Readonly<Record<string, FailureKind>>;
export type Scope = keyof typeof scopes;

export const isScope = (text: string): text is Scope => Object.hasOwn(scopes, text);

/** Whether a violation of this severity counts in a scope; without a scope, each counts. */
export const isInScope = (severity: Severity, scope: Scope | undefined): boolean =>
  scope === undefined || rankOf(severity) <= rankOf(scopes[scope]);

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

/** Returns the severity of a failure in a case with this outcome. */
export function severityOf(kind: FailureKind, outcome: 'violates' | 'warns'): Severity {
  return outcome === 'warns' ? 'recommendation' : kind;
}
