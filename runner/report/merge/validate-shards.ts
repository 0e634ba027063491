import { UsageError } from '../../profile/profile.ts';
import type { CaseReport, Report } from '../report.ts';

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
  const [[base, own], [currentBase, currentOwn]] = [report.spec.revision.split('+'), revision.split('+')];
  if (report.tool.version === tool.version && base === currentBase && own !== currentOwn)
    throw new UsageError(
      `${file} is the report of a run ${own === undefined ? 'without requirements or scenarios of its profile' : 'whose profile adds requirements or scenarios'} (revision ${report.spec.revision}), and this command has revision ${revision}. Merge with --profile and the profile of the run.`,
    );
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

/**
 * Throws a `UsageError` if a case of the run is in no report, or in several. Of a pooled case, each report has a part.
 */
export function validateCases(parts: readonly ShardReport[], isPooled: (item: CaseReport) => boolean): void {
  const remedy = 'Merge the unchanged reports of the command.';
  const seen = new Map<string, { readonly files: string[]; readonly isPooled: boolean }>();
  for (const { file, report } of parts)
    for (const item of report.cases.filter(({ model }) => model === undefined)) {
      const known = seen.get(item.id);
      if (known) known.files.push(file);
      else seen.set(item.id, { files: [file], isPooled: isPooled(item) });
    }
  for (const [id, { files, isPooled }] of seen)
    if (files.length > 1 && (!isPooled || new Set(files).size < files.length))
      throw new UsageError(`The case "${id}" occurs twice: in ${files.join(' and ')}. ${remedy}`);
  const [first] = parts;
  const judged = first?.shard.judged ?? 0;
  const complete = [...seen.values()].filter(
    ({ files, isPooled }) => !isPooled || files.length === parts.length,
  ).length;
  if (complete !== judged)
    throw new UsageError(`The reports have ${complete} of the ${judged} cases of the run. ${remedy}`);
}
