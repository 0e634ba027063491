/** What became of an obligation, the worst first. */
export const outcomes = ['violates', 'warns', 'inconclusive', 'conforms', 'not-applicable'] as const;
export type Outcome = (typeof outcomes)[number];

/** The worst of several outcomes; `not-applicable` of none. */
export function worst(items: readonly Outcome[]): Outcome {
  return outcomes.find((outcome) => items.includes(outcome)) ?? 'not-applicable';
}
