import type { Facts } from '../catalog/condition.ts';
import type { Level } from '../catalog/ledger.ts';
import type { FuzzOptions } from '../fuzz/fuzz.ts';
import type { Finding } from '../judge/finding.ts';
import type { Outcome } from '../judge/outcome.ts';
import type { Estimate } from '../plan/estimate.ts';
import type { DividedShard } from '../plan/select.ts';
import type { Stop } from '../transport/deadline.ts';
import type { GeneratedRequest } from '../transport/exchange.ts';
import type { KeyVariables } from './curl/shell.ts';
import type { Counts, ModelsReport } from './models-report.ts';

export type { ModelReport, ModelsReport } from './models-report.ts';

/** The JSON report; `specs/schemas/report.schema.json` is its schema. Keys in it are redacted. */
export interface Report {
  readonly schemaVersion: 1;
  readonly tool: { readonly name: string; readonly version: string };
  /** The revision of the requirement ledger. */
  readonly spec: { readonly revision: string };
  readonly target: {
    readonly baseUrl: string;
    /** The environment variables that curl lines take keys from, as the profile names them. */
    readonly keyVariables?: KeyVariables;
  };
  readonly startedAt: string;
  readonly durationMs: number;
  readonly verdict: 'conforms' | 'violates' | 'inconclusive';
  /** What kept the run, or an operation, from being judged; each said once. */
  readonly diagnosis: readonly Diagnosis[];
  /** Why not everything was sent; null where it was. */
  readonly stopped: Stop | null;
  /** Which part of a divided run this is; null of a whole one. */
  readonly shard: DividedShard | null;
  /** How often every case was sent. */
  readonly rounds: number;
  /** How many requests were drawn at random, and from what; absent where none was. */
  readonly fuzz?: FuzzOptions;
  /** What a list of known violations made of it; null where none was given. */
  readonly baseline: BaselineReport | null;
  /** What was planned, and what was sent; `billed` counts the model calls that the gateway may have billed. */
  readonly requests: Estimate & { readonly sent: number; readonly billed?: number };
  readonly summary: { readonly cases: Counts; readonly requirements: Counts };
  readonly requirements: readonly RequirementReport[];
  readonly cases: readonly CaseReport[];
  /** What was sent beside the cases: tries to find a model, and controls. */
  readonly others: readonly ExchangeReport[];
  readonly observations: readonly Observation[];
  /** Of traffic that somebody else produced; absent of a run. */
  readonly recording?: RecordingReport;
  /** What became of listed models; absent where none were asked for. */
  readonly models?: ModelsReport;
}

/** What recorded or passing traffic was, beside what was judged of it. */
export interface RecordingReport {
  readonly exchanges: number;
  /** Those of which at least one requirement spoke. */
  readonly judged: number;
  /** Why others, or some of what could be asked of them, were not. */
  readonly notJudged: readonly {
    readonly reason: string;
    readonly count: number;
    readonly example: string;
  }[];
  /** The side of those who called; undefined where all requests were this suite's own. */
  readonly client?: ClientReport;
}

/** What clients owe, and how often they kept it and broke it. */
export interface ClientReport {
  readonly requests: number;
  readonly duties: readonly ClientDutyReport[];
}

export interface ClientDutyReport {
  readonly id: string;
  readonly clause: string;
  /** `observe`: told, and never a fault. */
  readonly level: 'must' | 'should' | 'observe';
  readonly says: string;
  readonly kept: number;
  readonly broken: number;
  readonly findings: readonly ClientFinding[];
}

/** A request that broke a duty. */
export interface ClientFinding {
  readonly exchange: string;
  readonly startedAt: string;
  readonly request: string;
  readonly status: number | null;
  readonly message: string;
}

/** How a run compares with its baseline. */
export interface BaselineReport {
  readonly file: string;
  /** How many obligations broke a requirement, or were not applicable, as the baseline says. */
  readonly expected: number;
  /** Entries that no longer hold, each a reason to fail. */
  readonly problems: readonly { readonly line: number; readonly message: string }[];
}

export interface Diagnosis {
  readonly kind:
    | 'unreachable'
    | 'stopped'
    | 'key-refused'
    | 'wrong-path'
    | 'no-good-call'
    | 'control-failed'
    | 'locked-out';
  readonly operation: string | undefined;
  readonly message: string;
}

export interface RequirementReport {
  readonly id: string;
  readonly clause: string;
  readonly level: Level;
  readonly says: string;
  /** What an answer must be, in words. */
  readonly expects: string;
  readonly outcome: Outcome;
  /** The ids of the cases that judge it. */
  readonly cases: readonly string[];
}

export interface ObligationReport {
  readonly requirement: string;
  readonly outcome: Outcome;
  readonly findings: readonly FindingReport[];
  readonly reason?: string;
  readonly add?: string;
  /** The requirement whose violation leaves nothing to judge here. */
  readonly dependsOn?: string;
  /** Why the baseline expects this outcome; absent where it doesn't. */
  readonly expected?: string;
}

/** A finding in words, with its facts. */
export interface FindingReport {
  readonly exchange: string;
  readonly message: string;
  readonly finding: Finding;
}

export interface CaseReport {
  readonly id: string;
  readonly suite: string;
  readonly about: string;
  readonly facts: Facts;
  /** The listed model that it is about; absent of a case of the suites as they are. */
  readonly model?: string;
  readonly outcome: Outcome;
  /** The outcome of each round, where there were several. */
  readonly outcomes?: readonly Outcome[];
  /** A `must` was kept in one round and broken in another. */
  readonly unstable?: true;
  readonly obligations: readonly ObligationReport[];
  readonly exchanges: readonly ExchangeReport[];
}

export interface ExchangeReport {
  readonly id: string;
  /** What was known before the answer came. */
  readonly facts: Facts;
  /** The ID of the model that was asked for, where one was. */
  readonly model?: string;
  /** A step of its case that isn't judged itself: it must succeed for others to tell something. */
  readonly control?: true;
  /** Whether the good calls sent to confirm a response that may be transient all succeeded; absent if none was sent. */
  readonly controlAfter?: 'succeeded' | 'failed';
  /** Of a request that was drawn at random: which it is, and what came of the search for smaller ones. */
  readonly drawn?: GeneratedRequest;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    /** The name and password of the Basic scheme, with keys redacted; `authorization` has them in base64. */
    readonly user?: string;
    readonly body: Body | null;
  };
  readonly response: AnswerReport | null;
  readonly failure: { readonly reason: string; readonly detail: string } | null;
  /** Statuses of the other tries of the same request, which do not count; null if no response came. */
  readonly earlier: readonly (number | null)[];
  /** The answers of earlier tries, where there were any. */
  readonly earlierAnswers?: readonly AnswerReport[];
  readonly traceId: string | null;
  readonly curl: string;
}

export interface AnswerReport {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
  /** In how many pieces the body arrived. */
  readonly pieces: number;
}

/** A body of at most 64 KiB; of a longer one its beginning, with its length and hash. */
export interface Body {
  readonly text: string;
  readonly bytes: number;
  readonly sha256?: string;
  /** Why it can't be judged, where it can't. */
  readonly unreadable?: string;
}

/** What was seen where the specification is silent; it never fails anything. */
export interface Observation {
  readonly kind: 'open-point' | 'unstable';
  readonly case: string;
  readonly about: string;
  readonly clause: string;
  readonly seen: string;
}
