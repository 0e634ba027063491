/**
 * What became of the models that a gateway lists. Their cases are counted in the summary; of those that broke something
 * or were inconclusive, the first ones are among the cases, each with its `model`.
 */
export interface ModelsReport {
  readonly patterns: readonly string[];
  /** How many models the gateway lists. */
  readonly listed: number;
  /** How many of them the patterns choose, over all parts of a divided run; absent from reports of before this was stated. */
  readonly chosen?: number;
  /** Why the list could not be read; absent where it could. */
  readonly unread?: string;
  /** In the order of the list. */
  readonly items: readonly ModelReport[];
  /** How many models came to what, for each requirement that speaks of a model, in the order of the ledger. */
  readonly requirements: readonly { readonly id: string; readonly models: Counts }[];
  /** Why obligations were not judged, and how many of how many models. */
  readonly notJudged: readonly {
    readonly outcome: 'inconclusive' | 'not-applicable';
    readonly reason: string;
    readonly add?: string;
    readonly count: number;
  }[];
}

/** What became of a listed model. */
export interface ModelReport {
  readonly id: string;
  /** The operations that it was tried with. */
  readonly operations: readonly string[];
  /** Those of which the cases without a model's name are about it. */
  readonly own: readonly string[];
  readonly cases: Counts;
  /** What it broke, and in how many cases. */
  readonly broken: readonly {
    readonly requirement: string;
    readonly outcome: 'violates' | 'warns';
    readonly cases: number;
    /** Why the baseline expects it in all cases of the model; absent where it doesn't. */
    readonly expected?: string;
  }[];
}

/** planned = conforms + violates + warns + inconclusive + notApplicable. */
export interface Counts {
  readonly planned: number;
  readonly conforms: number;
  readonly violates: number;
  readonly warns: number;
  readonly inconclusive: number;
  readonly notApplicable: number;
}
