import type { SetupAction } from '../../common/profile-values.ts';
import type { Section } from '../catalog/clauses.ts';
import type { Attributes } from '../catalog/condition.ts';
import type { Level } from '../catalog/requirements.ts';
import type { GeneratedRequest } from '../exchange/exchange.ts';
import type { Stop } from '../exchange/stop.ts';
import type { Finding } from '../judge/finding.ts';
import type { Outcome } from '../judge/outcome.ts';
import type { Scope, Severity } from '../judge/severity.ts';
import type { Coverage } from '../plan/coverage.ts';
import type { Estimate } from '../plan/estimate.ts';
import type { FuzzOptions } from '../plan/generated/fuzz.ts';
import type { DividedShard } from '../plan/select.ts';
import type { KeyVariables } from './curl/shell.ts';
import type {
  BaselineProblem,
  Counts,
  DeviationsReport,
  ModelsReport,
  RecordingReport,
} from './report-sections.ts';
import type { Reproduction } from './reproduction.ts';

export type {
  BrokenStreams,
  ClientDutyReport,
  ClientFinding,
  ClientReport,
  LearnedProperty,
  ModelReport,
  ModelsReport,
  RecordingReport,
} from './report-sections.ts';

/** The JSON report, with keys redacted. `specs/schemas/report.schema.json` is its schema. */
export interface Report {
  readonly schemaVersion: 1;
  readonly tool: { readonly name: string; readonly version: string };
  /** The revision of the requirements, and the sections of the specification. */
  readonly spec: { readonly revision: string; readonly sections: readonly Section[] };
  readonly target: {
    readonly baseUrl: string;
    /** The key variables of curl lines; absent if the profile names no such variable, and for traffic and SDKs. */
    readonly keyVariables?: KeyVariables;
  };
  /** The start of the run or of the recorded traffic, in ISO 8601 and UTC. */
  readonly startedAt: string;
  /** The duration of the run or of the recorded traffic, in milliseconds. */
  readonly durationMs: number;
  /**
   * `violates` if a `must` is violated; else `inconclusive` if a `must`, or everything, could not be judged, or if a
   * part of a recording could not be read; else `as-declared` if a response is what the profile declares instead of the
   * specification; else `conforms`.
   */
  readonly verdict: 'conforms' | 'as-declared' | 'violates' | 'inconclusive';
  /** The reasons why the run, or an operation, could not be judged, and the changes that the run could not undo. */
  readonly diagnosis: readonly Diagnosis[];
  /** Why the run ended early or a recording or merge is incomplete; null if the report is complete. */
  readonly stopped: Stop | null;
  /** The shard of a divided run to which the report belongs; null for the report of an undivided run or of a merge. */
  readonly shard: DividedShard | null;
  readonly rounds: number;
  /** The number of generated requests, and the seed; absent without `--fuzz`. */
  readonly fuzz?: FuzzOptions;
  /** The comparison with the baseline; null without a baseline. */
  readonly baseline: BaselineReport | null;
  /** The lowest severity that fails the run (`--fail-on`); absent if every violation does. */
  readonly scope?: Scope;
  /** The declared deviations; absent if the profile declares none. */
  readonly deviations?: DeviationsReport;
  /**
   * The numbers of planned and sent requests. `sent` includes retries. `billed` is the number of calls that the
   * gateway may have billed; absent from reports of traffic and of `conformance clients`.
   */
  readonly requests: Estimate & { readonly sent: number; readonly billed?: number };
  readonly summary: { readonly cases: Counts; readonly requirements: Counts };
  /**
   * The number of requirements that the suite checks with a complete profile, without those about responses of a kind
   * that the gateway never sent, and whether only selected cases were planned; absent from the report of `conformance
   * clients`.
   */
  readonly suite?: { readonly requirements: number; readonly isSelection: boolean };
  /** The numbers of judged combinations of values; present only for an undivided run of all planned cases. */
  readonly coverage?: Coverage;
  readonly requirements: readonly RequirementReport[];
  readonly cases: readonly CaseReport[];
  /**
   * The exchanges that are not judged with a case, such as controls that were sent again. Later rounds contribute only
   * failed or retried requests of this kind.
   */
  readonly others: readonly ExchangeReport[];
  readonly observations: readonly Observation[];
  /** What happened when failed requests were sent again; absent unless any was. */
  readonly reproductions?: readonly Reproduction[];
  /** The summary of recorded or proxied traffic; absent from the report of a run. */
  readonly recording?: RecordingReport;
  /** The results of listed models; absent without `--models`. */
  readonly models?: ModelsReport;
}

export interface BaselineReport {
  readonly file: string;
  /** The number of checks in the cases of the report whose outcome the baseline expects. */
  readonly expected: number;
  /** The stale, expired and unmatched entries that fail the run. */
  readonly problems: readonly BaselineProblem[];
}

/** A reason why the run or an operation could not be judged, or (`left-changed`) a change that could not be undone. */
export interface Diagnosis {
  readonly kind:
    | 'unreachable'
    | 'stopped'
    | 'key-refused'
    | 'wrong-path'
    | 'no-good-call'
    | 'control-failed'
    | 'locked-out'
    | 'rate-limited'
    | 'left-changed';
  /** The operation, or the first of several operations; undefined if the diagnosis applies to the whole run. */
  readonly operation: string | undefined;
  readonly message: string;
}

export interface RequirementReport {
  readonly id: string;
  /** The names of the clauses, separated by `; `. */
  readonly clause: string;
  /** The sentence of each clause; absent from reports of older versions. */
  readonly quotes?: readonly string[];
  readonly level: Level;
  /** The requirement in one sentence. */
  readonly says: string;
  /** The expected response in words. */
  readonly expects: string;
  /** What the profile declares instead, in words; absent if it declares nothing about the requirement. */
  readonly declares?: string;
  /** The worst outcome of the checks of the requirement. */
  readonly outcome: Outcome;
  /** The IDs of the cases of the report that check the requirement. */
  readonly cases: readonly string[];
}

/** A check: a requirement in one case. */
export interface CheckReport {
  /** The ID of the requirement. */
  readonly requirement: string;
  readonly outcome: Outcome;
  readonly findings: readonly FindingReport[];
  /** The severity of the worst response; absent unless the check failed. */
  readonly severity?: Severity;
  /** Why the check was not judged; absent if the check was judged. */
  readonly reason?: string;
  /** The property to add to the profile so that the check can be judged; absent if no addition helps. */
  readonly add?: string;
  /** The ID of the violated requirement because of which the check is not applicable. */
  readonly dependsOn?: string;
  /** The IDs of the declared deviations that responses need; absent if none does. */
  readonly declared?: readonly string[];
  /** The reason of the baseline entry that expects this outcome; absent if no entry expects the outcome. */
  readonly expected?: string;
  /** The worst severity that the baseline accepts for this check; absent unless the check is worse. */
  readonly acceptedSeverity?: Severity;
}

/** A difference between an exchange and a requirement. */
export interface FindingReport {
  /** The ID of the exchange; empty if the profile alone shows the difference. */
  readonly exchange: string;
  /** The expected and the received value, as a sentence without its full stop. */
  readonly message: string;
  readonly finding: Finding;
}

export interface CaseReport {
  readonly id: string;
  readonly suite: string;
  readonly about: string;
  /** The attributes of the last request; for pooled cases, recorded traffic and SDKs, selected attributes. */
  readonly attributes: Attributes;
  /** The listed model that the case calls; absent from a case of the suites. */
  readonly model?: string;
  /** The worst outcome of the checks of the case. */
  readonly outcome: Outcome;
  /** The outcome of the case in each round; absent if only one round has the case. */
  readonly outcomes?: readonly Outcome[];
  /** Set if a `must` was satisfied in one round and violated in another. */
  readonly unstable?: true;
  /**
   * The duration of the exchanges of the case, in milliseconds; 0 for a pooled case, whose exchanges belong to other
   * cases. Absent for recorded traffic and in reports of earlier versions.
   */
  readonly durationMs?: number;
  readonly checks: readonly CheckReport[];
  /**
   * The exchanges of the case; from later rounds, at most ten exchanges with findings. Pooled cases and cases of
   * recorded traffic contain only examples. Empty if exchanges were omitted, for example without failures.
   */
  readonly exchanges: readonly ExchangeReport[];
}

/** A request and its response, with keys redacted. */
export interface ExchangeReport {
  readonly id: string;
  readonly attributes: Attributes;
  /** The ID of the requested model; absent if no ID is known. */
  readonly model?: string;
  /** Set for a step that is a control: a failure prevents the later steps, and the step itself is not judged. */
  readonly control?: true;
  /**
   * Whether the response was confirmed by a control, or, for a rejected valid key, by a later success of the same key.
   * `failed` also if no control could be sent; absent if no confirmation was attempted.
   */
  readonly controlAfter?: 'succeeded' | 'failed';
  /** The number and the seed of a generated request, and the result of its shrinking. */
  readonly generatedRequest?: GeneratedRequest;
  /**
   * The start of the request, in ISO 8601 and UTC. If the request was sent again later to confirm its result, the
   * value is usually the start of the last exchange.
   */
  readonly startedAt: string;
  /** The duration of the exchange that began at `startedAt`, in milliseconds. */
  readonly durationMs: number;
  readonly request: RequestReport;
  /**
   * The changes and requests before this request on which it depends, such as the creation of its key, in order;
   * absent if it depends on none.
   */
  readonly before?: readonly PreparationReport[];
  /** The response; null if no response was received. `failure` then contains the reason. */
  readonly response: AnswerReport | null;
  readonly failure: {
    readonly reason: string;
    readonly detail: string;
    /** The status of a response that ended before its end. */
    readonly cutStatus?: number;
  } | null;
  /** The statuses of all other attempts, which only pooled cases judge; null for an attempt without a response. */
  readonly earlier: readonly (number | null)[];
  /** The responses to all other attempts; absent if no other attempt received a response. */
  readonly earlierAnswers?: readonly AnswerReport[];
  readonly traceId: string | null;
  /**
   * Shell commands that repeat the request, with keys from environment variables: a curl line. If `before` is present,
   * the lines before this line repeat the changes and requests in `before`.
   */
  readonly curl: string;
}

/** A request, with keys redacted. */
export interface RequestReport {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The decoded `NAME:PASSWORD` of the scheme `Basic`, if the text is printable ASCII; otherwise absent. */
  readonly user?: string;
  readonly body: Body | null;
}

/** A change of the gateway, or a request, on which a later request depends. */
export type PreparationReport =
  | {
      readonly kind: 'setup';
      readonly action: SetupAction;
      /** The request of `setup`, with placeholders such as `{{setup.id}}` for values of the key; null for a command. */
      readonly request: RequestReport | null;
      /** The values of the key that later requests need: name → JSON pointer into the response. */
      readonly values: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: 'request';
      readonly request: RequestReport;
      /** The number of such requests that were under way during the next change; absent for a single request. */
      readonly underWay?: number;
      /** Present if the connection of the exchange carried this request just before. */
      readonly sameConnection?: true;
    };

/** A response, with keys redacted. */
export interface AnswerReport {
  readonly status: number;
  /** The headers, by name in lower case. The values of secret headers such as `set-cookie` are redacted. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
  /** The number of chunks in which the body arrived. */
  readonly pieces: number;
}

export interface Body {
  /** The first 65,536 characters of a response, or 131,072 of a request, at most, with keys redacted. */
  readonly text: string;
  /** The length of the body in bytes, up to the limit of `--max-body` and before keys were redacted. */
  readonly bytes: number;
  /** The SHA-256 hash of the whole body, in hexadecimal; absent if `text` was not truncated. */
  readonly sha256?: string;
  /** Why the body cannot be judged; absent if the body can be judged. */
  readonly unreadable?: string;
}

/** Behaviour of the gateway that never fails a run. */
export interface Observation {
  /** `open-point`: a choice that the specification leaves open. `unstable`: a retry with a different response. */
  readonly kind: 'open-point' | 'unstable';
  /** The ID of the case; for `unstable`, the ID of the exchange. */
  readonly case: string;
  /** A description of the open point or of the retry. */
  readonly about: string;
  readonly clause: string;
  /** The response, or the results of all attempts. */
  readonly seen: string;
}
