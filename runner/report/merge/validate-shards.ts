import type { Level } from '../../catalog/requirements.ts';
import { findWorstOutcome } from '../../judge/outcome.ts';
import type { PlannedCase } from '../../plan/plan.ts';
import { UsageError } from '../../profile/profile.ts';
import type { GatewayPromise } from '../../profile/promise.ts';
import type { CaseReport, CheckReport, Report } from '../report.ts';
import type { Counts } from '../report-sections.ts';
import { summarizeRules } from '../summarize.ts';

export interface NamedReport {
  readonly file: string;
  readonly report: Report;
}

type Shard = NonNullable<Report['shard']>;
export type ShardReport = NamedReport & { readonly shard: Shard };

/** The version of this package, and the revision of its requirements. */
interface Current extends Pick<Report, 'tool'> {
  readonly revision: string;
}

/**
 * Returns the reports of all shards of one run in order. Throws a `UsageError` if a report is missing, is not the
 * report of a shard, or has another version of the tool or of the requirements. Also throws a `UsageError` if a
 * report belongs to another run than the first report, or to the same shard as another report.
 */
export function validateShards(
  named: readonly NamedReport[],
  current: Current,
): readonly [ShardReport, ...ShardReport[]] {
  const [first, ...rest] = named.map((item) => validateShard(item, current));
  if (!first) throw new UsageError('No report was named. Name the report of each shard.');
  for (const other of rest) assertSame(first, other);
  const sorted = [first, ...rest].sort((a, b) => a.shard.index - b.shard.index);
  const { of } = first.shard;
  const missing = Array.from({ length: of }, (_, index) => index + 1).filter(
    (index) => !sorted.some(({ shard }) => shard.index === index),
  );
  for (const [index, part] of sorted.entries()) {
    const next = sorted[index + 1];
    if (next?.shard.index === part.shard.index)
      throw new UsageError(
        `${part.file} and ${next.file} are both reports of shard ${part.shard.index}/${of}. Name only one report for each shard.`,
      );
  }
  if (missing.length > 0) {
    const names = missing.map((index) => `${index}/${of}`).join(', ');
    throw new UsageError(
      `${missing.length === 1 ? 'The report of shard' : 'The reports of shards'} ${names} ${missing.length === 1 ? 'is' : 'are'} missing. Name the report of each shard.`,
    );
  }
  return [sorted[0] ?? first, ...sorted.slice(1)];
}

function validateShard({ file, report }: NamedReport, { tool, revision }: Current): ShardReport {
  const { shard } = report;
  if (!shard)
    throw new UsageError(`${file} is not the report of a shard (--shard I/N). Name only reports of shards.`);
  if (report.tool.version !== tool.version || report.spec.revision !== revision) {
    throw new UsageError(
      `${file} was written by version ${report.tool.version} with revision ${report.spec.revision} of the requirements. This command has version ${tool.version} and revision ${revision}. Merge with the version that wrote the reports.`,
    );
  }
  return { file, report, shard };
}

function assertSame(first: ShardReport, other: ShardReport): void {
  const properties: readonly [string, (part: ShardReport) => string | number][] = [
    ['base URL', ({ report }) => report.target.baseUrl],
    ['number of shards', ({ shard }) => shard.of],
    ['number of rounds (--repeat)', ({ report }) => report.rounds],
    ['choice of models (--models)', ({ report }) => report.models?.patterns.join() ?? 'none'],
    ['number of listed models', ({ report }) => report.models?.listed ?? 0],
    ['number of chosen models', ({ report }) => report.models?.chosen ?? 0],
    ['choice of suites (--suite)', ({ shard }) => shard.suites?.join() || 'all suites'],
    ['choice of cases (--only)', ({ shard }) => shard.only?.join() || 'all cases'],
    ['seed (--seed)', ({ report }) => report.fuzz?.seed ?? 'none'],
    ['number of generated requests (--fuzz)', ({ report }) => report.fuzz?.count ?? 0],
  ];
  for (const [what, of] of properties) {
    if (of(first) !== of(other)) {
      throw new UsageError(
        `${first.file} and ${other.file} do not belong to the same run: the ${what} is ${of(first)} in the first report and ${of(other)} in the second report. Use the same flags and the same profile for all shards.`,
      );
    }
  }
  if (first.shard.plan.join('\n') !== other.shard.plan.join('\n')) {
    throw new UsageError(
      `${first.file} and ${other.file} do not belong to the same run: their plans differ. Use the same flags and the same profile for all shards.`,
    );
  }
}

type Levels = ReadonlyMap<string, Level>;

const remedy = 'Merge the unchanged reports of the command.';

/**
 * Throws a `UsageError`, with the file, if a report contradicts the plan of its shard or itself, is about recorded
 * traffic, or contains an unknown requirement.
 */
export function checkParts(
  parts: readonly ShardReport[],
  expected: ReadonlyMap<string, ExpectedCase>,
  { requirements }: Pick<GatewayPromise, 'requirements'>,
): void {
  const levels: Levels = new Map(requirements.map(({ id, level }) => [id, level]));
  const seen = new Map<string, ShardReport>();
  for (const part of parts) {
    const { report } = part;
    if (report.recording)
      throw new UsageError(
        `${part.file} is a report of recorded traffic, not of a shard. Name only reports of shards.`,
      );
    for (const { id } of [...report.requirements, ...(report.models?.requirements ?? [])])
      if (!levels.has(id)) throw shardError(part, `the requirement "${id}" does not exist`);
    const own = report.cases.filter(({ model }) => model === undefined);
    for (const item of own) {
      const planned = expected.get(item.id);
      if (!planned?.parts.includes(part))
        throw shardError(
          part,
          `the case "${item.id}" does not belong to shard ${part.shard.index}/${part.shard.of}`,
        );
      const before = seen.get(`${item.id} ${planned.planned.pool ? part.file : ''}`);
      if (before)
        throw shardError(
          part,
          `the case "${item.id}" ${before === part ? 'occurs twice' : `is also in ${before.file}`}`,
        );
      seen.set(`${item.id} ${planned.planned.pool ? part.file : ''}`, part);
      checkRequirements(part, item, planned);
    }
    for (const item of report.cases) validateChecks(part, item, levels);
    checkModels(part, levels);
  }
}

function checkRequirements(part: ShardReport, { id, checks }: CaseReport, { planned }: ExpectedCase): void {
  const given = checks.map(({ requirement }) => requirement);
  const expected = planned.checks.map(({ requirement }) => requirement.id);
  const missing = expected.find((requirement) => !given.includes(requirement));
  if (missing !== undefined) throw shardError(part, `the case "${id}" lacks the requirement "${missing}"`);
  const extra = given.find(
    (requirement, index) => !expected.includes(requirement) || given.indexOf(requirement) < index,
  );
  if (extra !== undefined)
    throw shardError(part, `the case "${id}" has the unexpected requirement "${extra}"`);
}

/**
 * Throws a `UsageError` if an outcome contradicts its findings or the level of its requirement, or if the requirement
 * does not exist.
 */
function validateChecks(part: ShardReport, { id, checks }: CaseReport, levels: Levels): void {
  for (const { requirement, outcome, findings } of checks) {
    const level = levels.get(requirement);
    if (level === undefined) throw shardError(part, `the requirement "${requirement}" does not exist`);
    const failed: CheckReport['outcome'] = level === 'must' ? 'violates' : 'warns';
    const isFailure = outcome === 'violates' || outcome === 'warns';
    if (isFailure !== findings.length > 0 || (isFailure && outcome !== failed))
      throw shardError(part, `in the case "${id}", the outcome of "${requirement}" contradicts its findings`);
  }
}

/** Throws a `UsageError` if the listed models of a report contradict its cases, its shard or its counts. */
function checkModels(part: ShardReport, levels: Levels): void {
  const { models, cases } = part.report;
  const listed = new Set(models?.items.map(({ id }) => id));
  const stray = cases.find(({ model }) => model !== undefined && !listed.has(model));
  if (stray) throw shardError(part, `the model of the case "${stray.id}" is not in \`models.items\``);
  if (!models) return;
  const { index, of } = part.shard;
  const { chosen = 0, items } = models;
  const own = Math.max(0, Math.ceil((chosen - index + 1) / of));
  if (listed.size !== items.length || items.length !== own)
    throw shardError(
      part,
      `the number of models is ${items.length}, but must be ${own} in shard ${index}/${of}`,
    );
  for (const { id, cases: counts, broken } of items) {
    const has = (outcome: string): boolean => broken.some((item) => item.outcome === outcome);
    const fits = has('violates') === counts.violates > 0 && (counts.warns === 0 || broken.length > 0);
    if (!fits || !addsUp(counts))
      throw shardError(part, `the counts of the model "${id}" contradict its violations`);
  }
  for (const { id, models: counts } of models.requirements) {
    const outcome = levels.get(id) === 'must' ? 'violates' : 'warns';
    const broken = items.filter((item) => item.broken.some(({ requirement }) => requirement === id)).length;
    if (counts[outcome] !== broken || counts.planned > items.length || !addsUp(counts))
      throw shardError(part, `the counts of "${id}" contradict the violations of the models`);
  }
}

function addsUp({ planned, conforms, violates, warns, inconclusive, notApplicable }: Counts): boolean {
  return planned === conforms + violates + warns + inconclusive + notApplicable;
}

function shardError({ file }: ShardReport, problem: string): UsageError {
  return new UsageError(`${file}: ${problem}. ${remedy}`);
}

/** A planned case of a divided run. */
export interface ExpectedCase {
  readonly planned: PlannedCase;
  /** The shards that should have judged the case. Contains all shards if the responsible shard is not known. */
  readonly parts: readonly ShardReport[];
}

const unchangedRemedy = 'Use the report without changes.';

/**
 * Recomputes the outcomes, counts and verdict of a report from its checks, since the report may have been changed.
 * Throws a `UsageError`, with the file, if the report lacks the requirement of a check, or contains a case or a check
 * twice: one copy would hide the other.
 */
export function recomputeReport({ file, report }: NamedReport): Report {
  const known = new Set(report.requirements.map(({ id }) => id));
  const ids = new Set<string>();
  for (const { id, checks } of report.cases) {
    if (ids.has(id)) throw new UsageError(`${file}: the case "${id}" occurs twice. ${unchangedRemedy}`);
    ids.add(id);
    const own = new Set<string>();
    for (const { requirement } of checks) {
      if (own.has(requirement))
        throw new UsageError(
          `${file}: the case "${id}" has the requirement "${requirement}" twice. ${unchangedRemedy}`,
        );
      if (!known.has(requirement))
        throw new UsageError(
          `${file}: the requirement "${requirement}" of the case "${id}" is not in \`requirements\`. ${unchangedRemedy}`,
        );
      own.add(requirement);
    }
  }
  const cases = report.cases.map((item) => ({
    ...item,
    outcome: findWorstOutcome(item.checks.map(({ outcome }) => outcome)),
  }));
  return { ...report, cases, ...summarizeRules(report.requirements, cases, report.models) };
}
