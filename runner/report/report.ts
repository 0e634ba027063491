import type { Attributes } from '../catalog/condition.ts';
import type { Level } from '../catalog/requirements.ts';
import type { FuzzOptions } from '../fuzz/fuzz.ts';
import type { Finding } from '../judge/finding.ts';
import type { Outcome } from '../judge/outcome.ts';
import type { Coverage } from '../plan/coverage.ts';
import type { Estimate } from '../plan/estimate.ts';
import type { DividedShard } from '../plan/select.ts';
import type { GeneratedRequest } from '../transport/exchange.ts';
import type { Stop } from '../transport/stop-switch.ts';
import type { KeyVariables } from './curl/shell.ts';
import type { Counts, ModelsReport, RecordingReport } from './report-sections.ts';

export type {
  BrokenStreams,
  ClientDutyReport,
  ClientFinding,
  ClientReport,
  LearnedMember,
  ModelReport,
  ModelsReport,
  RecordingReport,
} from './report-sections.ts';

/** The JSON report; `specs/schemas/report.schema.json` is its schema. Keys in it are redacted. */
export interface Report {
  readonly schemaVersion: 1;
  readonly tool: { readonly name: string; readonly version: string };
  /** The revision of the requirement ledger. */
  readonly spec: { readonly revision: string };
  readonly target: {
    readonly baseUrl: string;
    /** The environment variables from which curl lines read keys, as the profile names them. */
    readonly keyVariables?: KeyVariables;
  };
  /** The start of the run, in ISO 8601 and UTC. */
  readonly startedAt: string;
  /** The duration of the run in milliseconds. */
  readonly durationMs: number;
  /** `violates` if a `must` is violated, else `inconclusive` if a `must`, or everything, could not be judged. */
  readonly verdict: 'conforms' | 'violates' | 'inconclusive';
  /** Why the run, or an operation, could not be judged. */
  readonly diagnosis: readonly Diagnosis[];
  /** Why the run ended early; null if everything was sent. */
  readonly stopped: Stop | null;
  /** The shard of the divided run to which the report belongs; null for a whole run. */
  readonly shard: DividedShard | null;
  /** The number of times that each case was sent. */
  readonly rounds: number;
  /** The number of generated cases, and the seed; absent without `--fuzz`. */
  readonly fuzz?: FuzzOptions;
  /** The comparison with a baseline; null without one. */
  readonly baseline: BaselineReport | null;
  /**
   * The numbers of planned and sent requests. `sent` includes retries; `billed` counts calls that the gateway
   * may have billed.
   */
  readonly requests: Estimate & { readonly sent: number; readonly billed?: number };
  readonly summary: { readonly cases: Counts; readonly requirements: Counts };
  /** The numbers of judged combinations of values; absent if only a part of the suites was selected, or after a merge. */
  readonly coverage?: Coverage;
  readonly requirements: readonly RequirementReport[];
  readonly cases: readonly CaseReport[];
  /** The exchanges that belong to no case: controls and the search for models. */
  readonly others: readonly ExchangeReport[];
  readonly observations: readonly Observation[];
  /** The summary of recorded or proxied traffic; absent from the report of a run. */
  readonly recording?: RecordingReport;
  /** The results of listed models; absent without `--models`. */
  readonly models?: ModelsReport;
}

/** The comparison of a run with its baseline. */
export interface BaselineReport {
  readonly file: string;
  /** The number of checks whose outcome the baseline expects. */
  readonly expected: number;
  /** Stale entries, with their line in the file. Each of them fails the run. */
  readonly problems: readonly { readonly line: number; readonly message: string }[];
}

/**
 * A reason why the run, or an operation, could not be judged. `left-changed` reports keys or balances that the
 * run changed and could not restore.
 */
export interface Diagnosis {
  readonly kind:
    | 'unreachable'
    | 'stopped'
    | 'key-refused'
    | 'wrong-path'
    | 'no-good-call'
    | 'control-failed'
    | 'locked-out'
    | 'left-changed';
  /** The operation; undefined if the diagnosis applies to the whole run. */
  readonly operation: string | undefined;
  readonly message: string;
}

/** A requirement with its result. */
export interface RequirementReport {
  readonly id: string;
  /** The clauses of the specification, separated by `; `. */
  readonly clause: string;
  /** The sentence of each clause; absent from older reports. */
  readonly quotes?: readonly string[];
  readonly level: Level;
  /** The requirement in one sentence. */
  readonly says: string;
  /** The expected response in words. */
  readonly expects: string;
  /** The worst outcome of the checks of the requirement. */
  readonly outcome: Outcome;
  /** The IDs of the cases that check the requirement. */
  readonly cases: readonly string[];
}

/** A check: a requirement in one case. */
export interface ObligationReport {
  /** The ID of the requirement. */
  readonly requirement: string;
  readonly outcome: Outcome;
  readonly findings: readonly FindingReport[];
  /** Why the check was not judged. */
  readonly reason?: string;
  /** The addition to the profile that makes the requirement apply. */
  readonly add?: string;
  /** The ID of the violated requirement because of which this requirement could not be judged. */
  readonly dependsOn?: string;
  /** The reason why the baseline expects this outcome; absent if the baseline does not expect it. */
  readonly expected?: string;
}

/** A difference between a response and a requirement. */
export interface FindingReport {
  /** The ID of the exchange. */
  readonly exchange: string;
  readonly message: string;
  /** The finding as data. */
  readonly finding: Finding;
}

/** A case with its checks and exchanges. */
export interface CaseReport {
  readonly id: string;
  readonly suite: string;
  readonly about: string;
  /** The attributes of the requests of the case. */
  readonly facts: Attributes;
  /** The listed model that the case calls; absent from a case of the suites. */
  readonly model?: string;
  /** The worst outcome of the checks of the case. */
  readonly outcome: Outcome;
  /** The outcome of each round, if there was more than one. */
  readonly outcomes?: readonly Outcome[];
  /** Set if a `must` passed in one round and failed in another. */
  readonly unstable?: true;
  readonly obligations: readonly ObligationReport[];
  readonly exchanges: readonly ExchangeReport[];
}

/** A request and its response, with keys redacted. */
export interface ExchangeReport {
  readonly id: string;
  /** The attributes of the request. */
  readonly facts: Attributes;
  /** The model ID in the request; absent if the request has none. */
  readonly model?: string;
  /** Set for a control. The control must succeed before the other steps are judged, and is not judged itself. */
  readonly control?: true;
  /** Whether all good calls that followed a response that may be transient succeeded; absent if none were sent. */
  readonly controlAfter?: 'succeeded' | 'failed';
  /** The number and seed of a generated request, and the result of the search for a smaller one. */
  readonly drawn?: GeneratedRequest;
  /** The start of the request, in ISO 8601 and UTC. */
  readonly startedAt: string;
  /** The duration in milliseconds, including retries and their pauses. */
  readonly durationMs: number;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    /** The name and password of the Basic scheme, with keys redacted; `authorization` has them in base64. */
    readonly user?: string;
    readonly body: Body | null;
  };
  /** The response; null if none was received, and `failure` then contains the reason. */
  readonly response: AnswerReport | null;
  readonly failure: { readonly reason: string; readonly detail: string } | null;
  /** The statuses of earlier attempts, which are not judged; null for an attempt without a response. */
  readonly earlier: readonly (number | null)[];
  /** The responses to earlier attempts; absent if no earlier attempt received a response. */
  readonly earlierAnswers?: readonly AnswerReport[];
  readonly traceId: string | null;
  /** A command that repeats the request, with keys from environment variables. */
  readonly curl: string;
}

/** A response, with keys redacted. */
export interface AnswerReport {
  readonly status: number;
  /** The headers by name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
  /** The number of chunks in which the body arrived. */
  readonly pieces: number;
}

/** The body of a request or of a response. */
export interface Body {
  /** The first 65,536 characters at most, with keys redacted. */
  readonly text: string;
  /** The length of the whole body, in bytes. */
  readonly bytes: number;
  /** The SHA-256 hash of the whole body with keys redacted, in hexadecimal; absent if `text` is the whole body. */
  readonly sha256?: string;
  /** Why the body cannot be judged; absent if the body can be judged. */
  readonly unreadable?: string;
}

/** Behaviour that never fails a run: a choice that the specification leaves open, or a retry with a different response. */
export interface Observation {
  readonly kind: 'open-point' | 'unstable';
  /** The ID of the case; for `unstable`, the ID of the exchange. */
  readonly case: string;
  /** The open point or the retry, described in words. */
  readonly about: string;
  readonly clause: string;
  /** The behaviour of the gateway. */
  readonly seen: string;
}
