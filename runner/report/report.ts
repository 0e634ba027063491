import type { Facts } from '../catalog/condition.ts';
import type { Level } from '../catalog/ledger.ts';
import type { Finding } from '../judge/finding.ts';
import type { Outcome } from '../judge/outcome.ts';
import type { Estimate } from '../plan/estimate.ts';

/** The JSON report; `specs/schemas/report.schema.json` is its schema. Keys in it are redacted. */
export interface Report {
  readonly schemaVersion: 1;
  readonly tool: { readonly name: string; readonly version: string };
  /** The revision of the requirement ledger. */
  readonly spec: { readonly revision: string };
  readonly target: { readonly baseUrl: string };
  readonly startedAt: string;
  readonly durationMs: number;
  readonly verdict: 'conforms' | 'violates' | 'inconclusive';
  /** What kept the run, or an operation, from being judged; each said once. */
  readonly diagnosis: readonly Diagnosis[];
  readonly interrupted: boolean;
  readonly requests: Estimate & { readonly sent: number };
  readonly summary: { readonly cases: Counts; readonly requirements: Counts };
  readonly requirements: readonly RequirementReport[];
  readonly cases: readonly CaseReport[];
  readonly observations: readonly Observation[];
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

export interface Diagnosis {
  readonly kind: 'unreachable' | 'key-refused' | 'wrong-path' | 'control-failed' | 'locked-out';
  readonly operation: string | undefined;
  readonly message: string;
}

export interface RequirementReport {
  readonly id: string;
  readonly clause: string;
  readonly level: Level;
  readonly says: string;
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
  readonly outcome: Outcome;
  readonly obligations: readonly ObligationReport[];
  readonly exchanges: readonly ExchangeReport[];
}

export interface ExchangeReport {
  readonly id: string;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: Body | null;
  };
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: Body;
  } | null;
  readonly failure: { readonly reason: string; readonly detail: string } | null;
  /** Statuses of earlier tries; null where no answer came. */
  readonly earlier: readonly (number | null)[];
  readonly traceId: string | null;
  readonly curl: string;
}

/** A body of at most 64 KiB; of a longer one its beginning, with its length and hash. */
export interface Body {
  readonly text: string;
  readonly bytes: number;
  readonly sha256?: string;
}

/** What was seen where the specification is silent; it never fails anything. */
export interface Observation {
  readonly kind: 'open-point' | 'unstable';
  readonly case: string;
  readonly about: string;
  readonly clause: string;
  readonly seen: string;
}
