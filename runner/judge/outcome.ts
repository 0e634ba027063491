/** The outcomes of a check, the worst first. */
export const outcomes = [
  'violates',
  'warns',
  'inconclusive',
  'deviates',
  'conforms',
  'not-applicable',
] as const;
export type Outcome = (typeof outcomes)[number];

/** Whether an outcome shows that a requirement of level `must` or `should` is not satisfied. */
export function isFailed(outcome: Outcome): outcome is 'violates' | 'warns' {
  return outcome === 'violates' || outcome === 'warns';
}

/** Whether an outcome shows that a gateway keeps its promise: the specification, or what the profile declares instead. */
export function isKept(outcome: Outcome): outcome is 'conforms' | 'deviates' {
  return outcome === 'conforms' || outcome === 'deviates';
}

/** Whether an outcome shows neither a violation nor conformance. */
export function isUndecided(outcome: Outcome): outcome is 'inconclusive' | 'not-applicable' {
  return outcome === 'inconclusive' || outcome === 'not-applicable';
}

/** Whether the gateway keeps its promise in some of these outcomes, and violates it in others. */
export function isUnstable(items: readonly Outcome[]): boolean {
  return items.includes('violates') && items.some(isKept);
}

/** Returns the worst of several outcomes, or `not-applicable` for an empty list. */
export function findWorstOutcome(items: readonly Outcome[]): Outcome {
  return outcomes.find((outcome) => items.includes(outcome)) ?? 'not-applicable';
}

/**
 * The outcomes of a check, the most decisive first. For a requirement on many exchanges, an exchange that conforms is
 * more decisive than an exchange that could not be judged.
 */
const decisiveFirst: readonly Outcome[] = [
  'violates',
  'warns',
  'deviates',
  'conforms',
  'inconclusive',
  'not-applicable',
];

/** Returns the most decisive of several outcomes, or `not-applicable` for an empty list. */
export function findDecisiveOutcome(items: readonly Outcome[]): Outcome {
  return decisiveFirst.find((outcome) => items.includes(outcome)) ?? 'not-applicable';
}

/** The reason why a requirement is not applicable that is about responses of a kind that the gateway never sent. */
export const nothingMatched = 'No response matched this requirement.';
