import type { Severity } from '../judge/severity.ts';

/**
 * The results of the listed models that were tested. `summary.cases` of the report includes all cases of these
 * models. The report lists only the first failed, warned and inconclusive cases, each with its `model`.
 */
export interface ModelsReport {
  /** The patterns of `--models`. */
  readonly patterns: readonly string[];
  /** The number of models that the gateway lists. */
  readonly listed: number;
  /** The number of models that match the patterns, across all shards; absent from reports of older versions. */
  readonly chosen?: number;
  /** Why the list could not be read; absent if the list was read. */
  readonly unread?: string;
  /** The results of the tested models, in the order of the list. */
  readonly items: readonly ModelReport[];
  /** The number of models with each outcome, for each requirement that was checked, in the order of the ledger. */
  readonly requirements: readonly { readonly id: string; readonly models: Counts }[];
  /**
   * The reasons why checks were not judged, each with the number of checks, the most frequent reason first. Reasons
   * after the first hundred are counted together.
   */
  readonly notJudged: readonly {
    readonly outcome: 'inconclusive' | 'not-applicable';
    readonly reason: string;
    /** The property to add to the profile so that the checks can be judged; absent if no addition helps. */
    readonly add?: string;
    /** The ID of the violated requirement because of which the checks are not applicable. */
    readonly dependsOn?: string;
    readonly count: number;
  }[];
}

export interface ModelReport {
  readonly id: string;
  /** The operations that were tested with the model. */
  readonly operations: readonly string[];
  /** The operations that the cases of the suites call with this model. These operations are not tested again. */
  readonly own: readonly string[];
  readonly cases: Counts;
  /** The violated requirements, each with the number of cases that have the outcome. */
  readonly broken: readonly {
    readonly requirement: string;
    readonly outcome: 'violates' | 'warns';
    readonly cases: number;
    /** The highest severity of these cases. */
    readonly severity?: Severity;
    /**
     * The reason of the baseline entry that expects the violation in all cases of the model; absent if no such entry
     * exists.
     */
    readonly expected?: string;
  }[];
}

/** The number of items with each outcome. `planned` is the sum of the other numbers. */
export interface Counts {
  readonly planned: number;
  readonly conforms: number;
  readonly violates: number;
  readonly warns: number;
  readonly inconclusive: number;
  readonly deviates: number;
  readonly notApplicable: number;
}

/** What the profile declares that the gateway does instead of the specification. */
export interface DeviationsReport {
  readonly parts: readonly DeclaredPartReport[];
  /** The expired and stale parts, which fail the run. */
  readonly problems: readonly DeviationProblem[];
}

/** A declared name, such as `types.invalid_api_key`, or the declared expectation of a requirement. */
export interface DeclaredPartReport {
  readonly id: string;
  /** The name of the gateway, or the expectation as JSON. */
  readonly about: string;
  readonly reason?: string;
  /** The last day on which it is declared. */
  readonly until?: string;
  /** The file and the line. */
  readonly place: string;
  /** The number of checks with a response that is as declared. */
  readonly used: number;
  /** The number of checks that conform or deviate as declared, of the requirements that can show whether it is needed. */
  readonly judged: number;
}

export interface DeviationProblem {
  readonly place: string;
  readonly status: 'expired' | 'stale';
  readonly message: string;
}

/** A summary of recorded or proxied traffic. */
export interface RecordingReport {
  readonly exchanges: number;
  /**
   * The number of exchanges with a result for at least one requirement, without requirements that compare responses.
   */
  readonly judged: number;
  /**
   * The reasons why exchanges were not judged, or not by all requirements, and the number of requirements that the
   * traffic does not test. `example` is the first exchange, operation or requirement with the reason.
   */
  readonly notJudged: readonly {
    readonly reason: string;
    readonly count: number;
    readonly example: string;
  }[];
  /**
   * The streams that broke off, by the side that broke the connection (or `unknown`); absent if no stream broke off.
   * Streams that ended because the proxy was stopped do not count.
   */
  readonly brokenStreams?: Readonly<Partial<Record<'gateway' | 'client' | 'unknown', BrokenStreams>>>;
  /** The properties of a profile that were inferred from the traffic. */
  readonly learned?: readonly LearnedProperty[];
  /** The results of the duties of clients; absent if runs of this suite sent all requests. */
  readonly client?: ClientReport;
}

/** A number of broken streams, with the first broken stream as an example. */
export interface BrokenStreams {
  readonly count: number;
  /** The ID of the exchange. */
  readonly example: string;
}

/** A property of a profile that was inferred from traffic. */
export interface LearnedProperty {
  /** The path of the property, such as `models.chat.good`. */
  readonly path: string;
  readonly value: string;
  /** The evidence in words. */
  readonly because: string;
}

/** The number of checked requests, and the result of each duty of clients. */
export interface ClientReport {
  readonly requests: number;
  readonly duties: readonly ClientDutyReport[];
}

/** A duty of clients, with the numbers of requests that satisfied (`kept`) and violated (`broken`) the duty. */
export interface ClientDutyReport {
  readonly id: string;
  readonly clause: string;
  readonly quotes?: readonly string[];
  /** `observe`: a violation is reported, but is never a failure. */
  readonly level: 'must' | 'should' | 'observe';
  readonly says: string;
  readonly kept: number;
  readonly broken: number;
  /** At most ten requests that violate the duty. */
  readonly findings: readonly ClientFinding[];
}

/** A request that violates a duty of clients. */
export interface ClientFinding {
  /** The ID of the exchange. */
  readonly exchange: string;
  readonly startedAt: string;
  /** The method, and the path with its query. */
  readonly request: string;
  readonly status: number | null;
  readonly message: string;
  /** The value of `user-agent`; absent if the request had no such header. */
  readonly client?: string;
}

/** A baseline entry that fails the run. */
export interface BaselineProblem {
  readonly line: number;
  readonly message: string;
  /** The reason why the entry fails the run; absent from older reports. */
  readonly status?: 'stale' | 'expired' | 'matches-nothing';
}
