/**
 * The results of the models that a gateway lists. The summary counts all cases of these models. The report
 * contains only the first failed and inconclusive cases, each with its `model`.
 */
export interface ModelsReport {
  readonly patterns: readonly string[];
  /** The number of models that the gateway lists. */
  readonly listed: number;
  /** The number of models that match the patterns, across all shards; absent from reports of earlier versions. */
  readonly chosen?: number;
  /** Why the list could not be read; absent if the list was read. */
  readonly unread?: string;
  /** The results of the models, in the order of the list. */
  readonly items: readonly ModelReport[];
  /** The number of models by outcome for each requirement about models, in the order of the ledger. */
  readonly requirements: readonly { readonly id: string; readonly models: Counts }[];
  /** The reasons why checks were not judged, each with the number of checks. */
  readonly notJudged: readonly {
    readonly outcome: 'inconclusive' | 'not-applicable';
    readonly reason: string;
    readonly add?: string;
    readonly count: number;
  }[];
}

/** The results of a listed model. */
export interface ModelReport {
  readonly id: string;
  /** The operations with which the model was tried. */
  readonly operations: readonly string[];
  /** The operations for which the cases of the suites call this model. */
  readonly own: readonly string[];
  readonly cases: Counts;
  /** The violated requirements, each with the number of violating cases. */
  readonly broken: readonly {
    readonly requirement: string;
    readonly outcome: 'violates' | 'warns';
    readonly cases: number;
    /**
     * The reason of the baseline entry that expects the violation in all cases of the model; absent if no entry
     * expects it.
     */
    readonly expected?: string;
  }[];
}

/** The number of items with each outcome; planned = conforms + violates + warns + inconclusive + notApplicable. */
export interface Counts {
  readonly planned: number;
  readonly conforms: number;
  readonly violates: number;
  readonly warns: number;
  readonly inconclusive: number;
  readonly notApplicable: number;
}

/** A summary of recorded or proxied traffic. */
export interface RecordingReport {
  readonly exchanges: number;
  /** The number of exchanges to which a requirement applied. `notJudged` has the reasons for the others. */
  readonly judged: number;
  readonly notJudged: readonly {
    readonly reason: string;
    readonly count: number;
    readonly example: string;
  }[];
  /** Streams that were broken off after their start, by the side that closed the connection. */
  readonly brokenStreams?: Readonly<Partial<Record<'gateway' | 'client' | 'unknown', BrokenStreams>>>;
  /** Members that the traffic shows and the profile lacks. */
  readonly learned?: readonly LearnedMember[];
  /** The duties of clients; absent if this suite sent all requests. */
  readonly client?: ClientReport;
}

/** The number of broken streams, and the place of the first one. */
export interface BrokenStreams {
  readonly count: number;
  readonly example: string;
}

/** A member of a profile that was learned from traffic. */
export interface LearnedMember {
  /** The path of the member, such as `models.chat.good`. */
  readonly path: string;
  readonly value: string;
  /** The evidence, in one sentence. */
  readonly because: string;
}

/** The duties of clients, and how often clients satisfied and violated each duty. */
export interface ClientReport {
  readonly requests: number;
  readonly duties: readonly ClientDutyReport[];
}

/** A duty of clients, with the numbers of requests that satisfied (`kept`) and violated (`broken`) the duty. */
export interface ClientDutyReport {
  readonly id: string;
  readonly clause: string;
  readonly quotes?: readonly string[];
  /** `observe`: reported, but never a failure. */
  readonly level: 'must' | 'should' | 'observe';
  readonly says: string;
  readonly kept: number;
  readonly broken: number;
  readonly findings: readonly ClientFinding[];
}

/** A request that violated a duty. */
export interface ClientFinding {
  readonly exchange: string;
  readonly startedAt: string;
  readonly request: string;
  readonly status: number | null;
  readonly message: string;
  /** The header `user-agent`; absent if the request had none. */
  readonly client?: string;
}
