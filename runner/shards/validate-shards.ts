import type { Catalog } from '../catalog/catalog.ts';
import type { Level } from '../catalog/requirements.ts';
import type { PlannedCase } from '../plan/plan.ts';
import { UsageError } from '../profile/profile.ts';
import type { Counts } from '../report/models-report.ts';
import type { CaseReport, ObligationReport, Report } from '../report/report.ts';

/** A report and where it was read. */
export interface NamedReport {
  readonly file: string;
  readonly report: Report;
}

type Shard = NonNullable<Report['shard']>;
/** A report of a shard. */
export type Part = NamedReport & { readonly shard: Shard };

/** The reports as the parts of one run, by their numbers; throws UsageError, with the files, if they are not, or one is missing. */
export function validateShards(
  named: readonly NamedReport[],
  made: Pick<Report, 'tool' | 'spec'>,
): readonly [Part, ...Part[]] {
  const [first, ...rest] = named.map((item) => validateShard(item, made));
  if (!first) throw new UsageError('There is no report to merge.');
  for (const other of rest) assertSame(first, other);
  const sorted = [first, ...rest].sort((a, b) => a.shard.index - b.shard.index);
  const { of } = first.shard;
  const missing = Array.from({ length: of }, (_, index) => index + 1).filter(
    (index) => !sorted.some(({ shard }) => shard.index === index),
  );
  for (const [index, part] of sorted.entries()) {
    const next = sorted[index + 1];
    if (next?.shard.index === part.shard.index)
      throw new UsageError(`${part.file} and ${next.file} are both shard ${part.shard.index}/${of}.`);
  }
  if (missing.length > 0) {
    const names = missing.map((index) => `${index}/${of}`).join(', ');
    throw new UsageError(`Not all shards are here: ${names} ${missing.length === 1 ? 'is' : 'are'} missing.`);
  }
  return [sorted[0] ?? first, ...sorted.slice(1)];
}

function validateShard({ file, report }: NamedReport, { tool, spec }: Pick<Report, 'tool' | 'spec'>): Part {
  const { shard } = report;
  if (!shard) throw new UsageError(`${file} is of a whole run, not of a shard (--shard I/N).`);
  if (report.tool.version !== tool.version || report.spec.revision !== spec.revision) {
    throw new UsageError(
      `${file} was made by version ${report.tool.version} with the requirements ${report.spec.revision}; this is ${tool.version} with ${spec.revision}. Merge with the version that made it.`,
    );
  }
  return { file, report, shard };
}

function assertSame(first: Part, other: Part): void {
  const differing: readonly [string, (part: Part) => string | number][] = [
    ['base URL', ({ report }) => report.target.baseUrl],
    ['number of shards', ({ shard }) => shard.of],
    ['number of rounds (--repeat)', ({ report }) => report.rounds],
    ['choice of models (--models)', ({ report }) => report.models?.patterns.join() ?? 'none'],
    ['number of listed models', ({ report }) => report.models?.listed ?? 0],
    ['number of chosen models', ({ report }) => report.models?.chosen ?? 0],
    ['choice of suites (--suite)', ({ shard }) => shard.suites?.join() ?? ''],
    ['choice of cases (--only)', ({ shard }) => shard.only?.join() ?? ''],
    ['seed (--seed)', ({ report }) => report.fuzz?.seed ?? 'none'],
    ['number of drawn requests (--fuzz)', ({ report }) => report.fuzz?.count ?? 0],
  ];
  for (const [what, of] of differing) {
    if (of(first) !== of(other)) {
      throw new UsageError(
        `${first.file} and ${other.file} are not of the same run: the ${what} is ${of(first)} in one, ${of(other)} in the other.`,
      );
    }
  }
  if (first.shard.plan.join('\n') !== other.shard.plan.join('\n')) {
    throw new UsageError(
      `${first.file} and ${other.file} are not of the same run: they were to judge different cases. Were the flags and the profile the same?`,
    );
  }
}

type Levels = ReadonlyMap<string, Level>;

const remedy = 'Merge the reports as the shards wrote them.';

/** Throws UsageError, with the file, if a report has something that its shard could not have written. */
export function checkParts(
  parts: readonly Part[],
  due: ReadonlyMap<string, DueCase>,
  { requirements }: Pick<Catalog, 'requirements'>,
): void {
  const levels: Levels = new Map(requirements.map(({ id, level }) => [id, level]));
  const seen = new Map<string, Part>();
  for (const part of parts) {
    const { report } = part;
    if (report.recording) throw wrong(part, 'it is about recorded traffic, which has no shards');
    for (const { id } of [...report.requirements, ...(report.models?.requirements ?? [])])
      if (!levels.has(id)) throw wrong(part, `no requirement "${id}" exists`);
    const own = report.cases.filter(({ model }) => model === undefined);
    for (const item of own) {
      const planned = due.get(item.id);
      if (!planned?.parts.includes(part))
        throw wrong(part, `the case "${item.id}" is not one of shard ${part.shard.index}/${part.shard.of}`);
      const before = seen.get(`${item.id} ${planned.planned.pool ? part.file : ''}`);
      if (before)
        throw wrong(part, `the case "${item.id}" is also in ${before === part ? 'it' : before.file}`);
      seen.set(`${item.id} ${planned.planned.pool ? part.file : ''}`, part);
      checkRequirements(part, item, planned);
    }
    for (const item of report.cases) checkObligations(part, item, levels);
    checkModels(part, levels);
  }
}

function checkRequirements(part: Part, { id, obligations }: CaseReport, { planned }: DueCase): void {
  const given = obligations.map(({ requirement }) => requirement);
  const expected = planned.checks.map(({ requirement }) => requirement.id);
  const missing = expected.find((requirement) => !given.includes(requirement));
  if (missing !== undefined) throw wrong(part, `the case "${id}" lacks the requirement "${missing}"`);
  const extra = given.find(
    (requirement, index) => !expected.includes(requirement) || given.indexOf(requirement) < index,
  );
  if (extra !== undefined) throw wrong(part, `the case "${id}" has the requirement "${extra}" too often`);
}

/** An outcome that says the opposite of its findings, or of the level of its requirement, was changed. */
function checkObligations(part: Part, { id, obligations }: CaseReport, levels: Levels): void {
  for (const { requirement, outcome, findings } of obligations) {
    const level = levels.get(requirement);
    if (level === undefined) throw wrong(part, `no requirement "${requirement}" exists`);
    const failed: ObligationReport['outcome'] = level === 'must' ? 'violates' : 'warns';
    const isFailure = outcome === 'violates' || outcome === 'warns';
    if (isFailure !== findings.length > 0 || (isFailure && outcome !== failed))
      throw wrong(part, `in the case "${id}", the outcome of "${requirement}" does not fit its findings`);
  }
}

/** Of listed models, most cases are only counted: the counts must fit each other. */
function checkModels(part: Part, levels: Levels): void {
  const { models, cases } = part.report;
  const listed = new Set(models?.items.map(({ id }) => id));
  const stray = cases.find(({ model }) => model !== undefined && !listed.has(model));
  if (stray) throw wrong(part, `the case "${stray.id}" is about a model that was not judged`);
  if (!models) return;
  const { index, of } = part.shard;
  const { chosen = 0, items } = models;
  const own = Math.max(0, Math.ceil((chosen - index + 1) / of));
  if (listed.size !== items.length || items.length !== own)
    throw wrong(part, `it has ${items.length} of the ${own} models that are shard ${index}/${of}`);
  for (const { id, cases: counts, broken } of items) {
    const has = (outcome: string): boolean => broken.some((item) => item.outcome === outcome);
    const fits = has('violates') === counts.violates > 0 && (counts.warns === 0 || broken.length > 0);
    if (!fits || !addsUp(counts))
      throw wrong(part, `the counts of the model "${id}" do not fit what it broke`);
  }
  for (const { id, models: counts } of models.requirements) {
    const outcome = levels.get(id) === 'must' ? 'violates' : 'warns';
    const broken = items.filter((item) => item.broken.some(({ requirement }) => requirement === id)).length;
    if (counts[outcome] !== broken || counts.planned > items.length || !addsUp(counts))
      throw wrong(part, `the counts of "${id}" do not fit the models that broke it`);
  }
}

function addsUp({ planned, conforms, violates, warns, inconclusive, notApplicable }: Counts): boolean {
  return planned === conforms + violates + warns + inconclusive + notApplicable;
}

function wrong({ file }: Part, problem: string): UsageError {
  return new UsageError(`${file}: ${problem}. ${remedy}`);
}

/** A case that a divided run was to judge. */
export interface DueCase {
  readonly planned: PlannedCase;
  /** The parts that were to judge it; of cases whose place in the plan is not known, any one of them. */
  readonly parts: readonly Part[];
}
