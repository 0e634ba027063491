import { UsageError } from '../profile/profile.ts';
import type { Report } from '../report/report.ts';

/** A report and where it was read. */
export interface NamedReport {
  readonly file: string;
  readonly report: Report;
}

type Shard = NonNullable<Report['shard']>;
/** A report of a shard. */
export type Part = NamedReport & { readonly shard: Shard };

/** The reports as the parts of one run, by their numbers; throws UsageError, with the files, if they are not, or one is missing. */
export function holdTogether(
  named: readonly NamedReport[],
  made: Pick<Report, 'tool' | 'spec'>,
): readonly [Part, ...Part[]] {
  const [first, ...rest] = named.map((item) => holdPart(item, made));
  if (!first) throw new UsageError('There is no report to merge.');
  for (const other of rest) holdAlike(first, other);
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

function holdPart({ file, report }: NamedReport, { tool, spec }: Pick<Report, 'tool' | 'spec'>): Part {
  const { shard } = report;
  if (!shard) throw new UsageError(`${file} is of a whole run, not of a shard (--shard I/N).`);
  if (report.tool.version !== tool.version || report.spec.revision !== spec.revision) {
    throw new UsageError(
      `${file} was made by version ${report.tool.version} with the requirements ${report.spec.revision}; this is ${tool.version} with ${spec.revision}. Merge with the version that made it.`,
    );
  }
  return { file, report, shard };
}

function holdAlike(first: Part, other: Part): void {
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
