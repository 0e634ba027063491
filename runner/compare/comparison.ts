import type { Outcome } from '../judge/outcome.ts';
import type { Standing } from '../report/exit-code.ts';
import type { ExchangeReport, Report, RequirementReport } from '../report/report.ts';

/** The report of a target by its name. */
export interface TargetReport {
  readonly target: string;
  readonly report: Report;
}

/**
 * How several targets compare that were judged alike; `specs/schemas/comparison.schema.json` is its schema. All lists
 * that have an entry for each target are in the order of `targets`.
 */
export interface Comparison {
  readonly schemaVersion: 1;
  readonly tool: Report['tool'];
  readonly spec: Report['spec'];
  /** In the order of their names as given; the others are compared with the first. */
  readonly targets: readonly ComparedTarget[];
  /** Requirements in cases; planned = alike + differing + brokenByAll + notCompared. */
  readonly summary: {
    readonly planned: number;
    readonly alike: number;
    readonly differing: number;
    readonly brokenByAll: number;
    /** Those that were not judged, or on one target alone. */
    readonly notCompared: number;
  };
  /** Requirements that some targets satisfy and others violate. */
  readonly differing: readonly ComparedRequirement[];
  /** Requirements that all targets violate in the same cases. */
  readonly brokenByAll: readonly ComparedRequirement[];
  /** What could not be judged on a target, although it was on another. */
  readonly notJudged: readonly NotJudgedOn[];
  /** Other differences between responses, none of which is a violation. */
  readonly open: readonly OpenDifference[];
}

/** A target, with a summary of its report. */
export interface ComparedTarget extends Pick<Report, 'startedAt' | 'durationMs' | 'verdict' | 'summary'> {
  readonly name: string;
  readonly baseUrl: string;
  readonly standing: Standing;
  readonly sent: number;
  /** What kept it from being judged, and why it was stopped. */
  readonly diagnosis: readonly string[];
}

/** How a requirement stands with each target, in those cases in which that is so. */
export interface ComparedRequirement
  extends Pick<RequirementReport, 'id' | 'clause' | 'level' | 'says' | 'expects'> {
  readonly cases: readonly string[];
  readonly targets: readonly RequirementOfTarget[];
  readonly evidence: Evidence;
}

/** How a requirement stands with one target. */
export interface RequirementOfTarget {
  readonly target: string;
  /** The worst of the cases; null where it was in none of them. */
  readonly outcome: Outcome | null;
  /** In how many of the cases it is broken. */
  readonly broken: number;
  /** What was found, or why it wasn't judged, in the case of the evidence; null where there is nothing to say. */
  readonly found: string | null;
}

/** What each target answered in one of the cases. */
export interface Evidence {
  readonly case: string;
  readonly answers: readonly { readonly target: string; readonly exchange: ExchangeReport | null }[];
  /** Where the answers differ; first where one of them is at fault. */
  readonly differences: readonly AnswerDifference[];
}

/** A place of an answer that is not the same everywhere: `status`, `header NAME`, `body`, or a JSON pointer in which `*` stands for every item. */
export interface AnswerDifference {
  readonly place: string;
  /** What each target has there; null where it has nothing. */
  readonly values: readonly (string | null)[];
}

/** Why so much could not be judged on a target that was judged on another. */
export interface NotJudgedOn {
  readonly target: string;
  readonly outcome: 'inconclusive' | 'not-applicable' | 'not-planned';
  readonly reason: string;
  readonly add: string | null;
  /** Requirements, and in how many cases together. */
  readonly requirements: readonly string[];
  readonly cases: number;
}

/** Something in which targets differ, and for which none of them is to blame. */
export interface OpenDifference extends AnswerDifference {
  /** `silent`: the specification leaves open what is seen of a request; `answer`: how answers look that keep it. */
  readonly kind: 'silent' | 'answer';
  readonly about: string;
  /** Cases, or the operations and statuses of the answers. */
  readonly where: readonly string[];
}
