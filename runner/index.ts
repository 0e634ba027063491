/**
 * The library, which runs the suite against a gateway, as the command line does (`docs/library.md`). The exports of
 * this file and of `model-gateway-conformance/vitest` are public. Everything else in `runner/` is internal.
 */
export { DataFileError } from '../common/data-file.ts';
export type { KeyRole, TimeFormat } from '../common/profile-values.ts';
export type { Attributes } from './catalog/condition.ts';
export type { OperationId } from './catalog/operations.ts';
export type { Level } from './catalog/requirements.ts';
export type {
  AnswerDifference,
  ComparedRequirement,
  ComparedTarget,
  Comparison,
  ComparisonKind,
  NotJudgedOn,
  OpenDifference,
} from './compare/comparison.ts';
export type { Finding } from './judge/finding.ts';
export type { Outcome } from './judge/outcome.ts';
export { type ComparedTargets, compareTargets, run, runEvents } from './library.ts';
export type { Estimate } from './plan/estimate.ts';
export type { Shard } from './plan/select.ts';
export type { ModelOperation, ModelRole, StatedProfile } from './profile/profile.ts';
export { UsageError } from './profile/profile.ts';
export type {
  AnswerReport,
  BaselineReport,
  Body,
  CaseReport,
  CheckReport,
  Diagnosis,
  ExchangeReport,
  FindingReport,
  ModelReport,
  ModelsReport,
  Observation,
  Report,
  RequirementReport,
} from './report/report.ts';
export type { BaselineProblem } from './report/report-sections.ts';
export type { RunOptions } from './run/options.ts';
export type { PlannedModels, RunEvent } from './run/run-event.ts';
export type { ConnectionOptions } from './send/connection-options.ts';
export type { Wait } from './send/rate-limiter.ts';
