/** What became of a check, the worst first. */
export const outcomes = ['violates', 'warns', 'inconclusive', 'conforms', 'not-applicable'] as const;
export type Outcome = (typeof outcomes)[number];

/** Whether an outcome is a violation of a `must` or of a `should`. */
export function isFailed(outcome: Outcome): outcome is 'violates' | 'warns' {
  return outcome === 'violates' || outcome === 'warns';
}

/** Whether the same was kept one time and broken another. */
export function isUnstable(items: readonly Outcome[]): boolean {
  return items.includes('violates') && items.includes('conforms');
}

/** The worst of several outcomes; `not-applicable` of none. */
export function findWorstOutcome(items: readonly Outcome[]): Outcome {
  return outcomes.find((outcome) => items.includes(outcome)) ?? 'not-applicable';
}

/** The most telling first: one exchange with an occasion to judge it is enough for what speaks of all. */
const decisive: readonly Outcome[] = ['violates', 'warns', 'conforms', 'inconclusive', 'not-applicable'];

/** The outcome that decides most of several; `not-applicable` of none. */
export function findDecisiveOutcome(items: readonly Outcome[]): Outcome {
  return decisive.find((outcome) => items.includes(outcome)) ?? 'not-applicable';
}
