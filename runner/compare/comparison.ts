import type { OverallResult } from '../gate/exit-code.ts';
import type { Outcome } from '../judge/outcome.ts';
import type { ExchangeReport, Report, RequirementReport } from '../report/report.ts';
import type { Change } from './change.ts';

/** A report, with the name of its column in a comparison. */
export interface TargetReport {
  readonly target: string;
  readonly report: Report;
}

/**
 * What is compared: `targets` are gateways next to each other, and `changes` are the reports of one gateway from the
 * earliest to the latest.
 */
export type ComparisonKind = 'targets' | 'changes';

/**
 * The comparison of two or more reports. The schema is `specs/schemas/comparison.schema.json`. Lists with an entry for
 * each target are in the order of `targets`.
 */
export interface Comparison {
  readonly schemaVersion: 1;
  readonly kind: ComparisonKind;
  readonly tool: Report['tool'];
  readonly spec: Report['spec'];
  /** The targets, in the order of the compared reports. In a comparison of the kind `changes`, `before` and `now`. */
  readonly targets: readonly ComparedTarget[];
  /** What else the reports differ in, such as the version of the tool, and may explain different outcomes. */
  readonly caveats: readonly string[];
  /** The numbers of checks: planned = alike + differing + brokenByAll + notCompared. */
  readonly summary: {
    readonly planned: number;
    readonly alike: number;
    readonly differing: number;
    readonly brokenByAll: number;
    /** Checks that were judged on fewer than two targets; with only one report, checks that were not judged. */
    readonly notCompared: number;
  };
  /**
   * Of the kind `targets`: requirements with different outcomes on some targets, in the same cases: first those that a
   * target violates, then those with which some conform and from which others deviate as declared. Of the kind
   * `changes`: requirements whose checks changed in the same way from the first report to the last, the worst
   * changes first.
   */
  readonly differing: readonly ComparedRequirement[];
  /** Requirements that were violated in the same cases on all targets with a judged check of the requirement. */
  readonly brokenByAll: readonly ComparedRequirement[];
  /**
   * Checks that were judged only on some targets. Omits targets without any judged check. Empty for the kind `changes`,
   * in which such a check is a change.
   */
  readonly notJudged: readonly NotJudgedOn[];
  /** Other differences between responses, which are not violations. */
  readonly open: readonly OpenDifference[];
}

/** A target, or a report of the gateway, with a summary of the report. */
export interface ComparedTarget extends Pick<Report, 'startedAt' | 'durationMs' | 'verdict' | 'summary'> {
  readonly name: string;
  readonly baseUrl: string;
  readonly result: OverallResult;
  readonly sent: number;
  /**
   * The reasons why the target or an operation could not be judged, the changes that the run could not undo, and the
   * reason why the run was stopped.
   */
  readonly diagnosis: readonly string[];
}

/**
 * The results of a requirement on each target, in the cases in which the targets differ or in which all judged targets
 * violate the requirement.
 */
export interface ComparedRequirement
  extends Pick<RequirementReport, 'id' | 'clause' | 'quotes' | 'level' | 'says' | 'expects'> {
  /** Only in `differing` of a comparison of the kind `changes`. */
  readonly change?: Change;
  readonly cases: readonly string[];
  readonly targets: readonly RequirementOfTarget[];
  readonly evidence: Evidence;
}

export interface RequirementOfTarget {
  readonly target: string;
  /** The worst outcome of the cases; null if the target has none of these cases. */
  readonly outcome: Outcome | null;
  /** The number of cases that violate the requirement. */
  readonly broken: number;
  /**
   * The findings in the case of `evidence`, its declared deviations, or the reason why the check was not judged; null if the check conforms or
   * does not exist.
   */
  readonly found: string | null;
}

/** An exchange of each target for one of the cases; null if the report of the target contains no such exchange. */
export interface Evidence {
  readonly case: string;
  readonly answers: readonly { readonly target: string; readonly exchange: ExchangeReport | null }[];
  /** The differences between the responses. Places with a violation come first. */
  readonly differences: readonly AnswerDifference[];
}

/**
 * A place where responses differ: `status`, `header NAME`, `body`, or a JSON pointer in which `*` is any item. The
 * place of a difference between observations is `answer`.
 */
export interface AnswerDifference {
  readonly place: string;
  /**
   * The value on each target; null if the target has no such value. ` or ` separates the values of several responses.
   */
  readonly values: readonly (string | null)[];
}

/** Checks that were not judged on a target for the same reason, but were judged on another target. */
export interface NotJudgedOn {
  readonly target: string;
  readonly outcome: 'inconclusive' | 'not-applicable' | 'not-planned';
  readonly reason: string;
  readonly add: string | null;
  /** The requirements, and the number of their cases. */
  readonly requirements: readonly string[];
  readonly cases: number;
}

/** A difference between targets that is not a violation. */
export interface OpenDifference extends AnswerDifference {
  /** `silent`: a difference between observations; `answer`: a difference between conforming responses. */
  readonly kind: 'silent' | 'answer';
  readonly about: string;
  /**
   * For the kind `silent` and for the place `status`, the IDs of the cases, or of the exchanges for unstable
   * requests. For any other place, the operations with the status of the response, such as `chat streamed 400`.
   */
  readonly where: readonly string[];
}
