import { catalogOfPackage } from '../../catalog/catalog.ts';
import { compareReports } from '../../compare/compare-reports.ts';
import type { TargetReport } from '../../compare/comparison.ts';
import { chooseWorstCode, exitCodes } from '../../gate/exit-code.ts';
import { UsageError } from '../../profile/profile.ts';
import { prepare } from '../../run/prepare.ts';
import { createSharedOptions } from '../../run/run.ts';
import { listPlannedChecks, type OpenBaseline, openBaseline } from '../io/baseline-file.ts';
import { chooseStyle, settle } from '../io/conclude.ts';
import { addPage, showPages } from '../io/page-file.ts';
import { chooseProgressStyle, createProgress } from '../io/progress.ts';
import { type NamedTarget, readTargets, withTargetName } from '../io/read-targets.ts';
import { listenForInterruption, log } from '../io/terminal.ts';
import { writeComparison } from '../io/write-comparison.ts';
import { judgeGateway, logPlans, type OptionsOfRun, printPlans, type ReadyGateway } from './judge-gateway.ts';
import { chooseTargetReporters, isPerTarget, pathForTarget, type TargetReporters } from './target-reports.ts';

interface ReadyTarget extends ReadyGateway {
  readonly name: string;
  readonly baseline: OpenBaseline | undefined;
}

interface JudgedTarget extends TargetReport {
  readonly code: number;
  readonly complaints: readonly string[];
}

/** The uses of flags that cannot be combined with `--target`, with the reason and the remedy. */
const conflicts: readonly {
  readonly flag: string;
  readonly isGiven: (flags: OptionsOfRun) => boolean;
  readonly why: string;
  /** Default: `Remove one of the flags.` */
  readonly remedy?: string;
}[] = [
  {
    flag: '--base-url',
    isGiven: ({ baseUrl }) => baseUrl !== undefined,
    why: 'each target has its own base URL',
  },
  {
    flag: '--watch',
    isGiven: ({ watch }) => watch !== undefined,
    why: 'watch mode tests only one gateway',
  },
  {
    flag: '--last-failed',
    isGiven: ({ lastFailed }) => lastFailed,
    why: 'the last run of several gateways is not kept',
  },
  {
    flag: '--update-baseline without {target} in the path of --baseline',
    isGiven: ({ baseline, updateBaseline }) => updateBaseline && !isPerTarget(baseline ?? ''),
    why: 'each target would overwrite the baseline of the previous target',
    remedy: 'Use one file for each target, such as --baseline known.{target}.yaml.',
  },
  {
    flag: '--bail',
    isGiven: ({ bail }) => bail,
    why: 'cases that were not sent cannot be compared',
  },
];

/**
 * Tests several targets one after another, compares and writes their reports, and returns the worst exit code.
 * Validates all profiles and plans all runs before the first request. With `dryRun`, only prints the plans. Rejects
 * with a `UsageError` or a `DataFileError` if a flag or a file is invalid, and an `UnwritableError` if an output file
 * is not writable.
 */
export async function runTargets(options: OptionsOfRun): Promise<number> {
  for (const { flag, isGiven, why, remedy = 'Remove one of the flags.' } of conflicts)
    if (isGiven(options)) throw new UsageError(`${flag} cannot be combined with --target: ${why}. ${remedy}`);
  const targets = readTargets(options.target, options, await catalogOfPackage());
  const choices = chooseTargetReporters(
    addPage(options),
    targets.map(({ name }) => name),
  );
  const ready = await Promise.all(targets.map((target) => prepareTarget(target, options)));
  if (options.dryRun) {
    printPlans(ready);
    return exitCodes.conforms;
  }
  logPlans(ready);
  const judged = await judgeInTurn(ready, choices, options);
  const complaints = [
    ...judged.flatMap((item) => item.complaints),
    ...(await writeComparison(compareReports(judged), choices.comparison, chooseStyle(options))),
  ];
  for (const complaint of complaints) log(`conformance: ${complaint}`);
  if (complaints.length === 0)
    await showPages([...choices.comparison, ...[...choices.own.values()].flat()], options.open);
  return chooseWorstCode([
    ...judged.map(({ code }) => code),
    ...(complaints.length > 0 ? [exitCodes.reportNotWritten] : []),
  ]);
}

async function prepareTarget(
  { name, about, promise }: NamedTarget,
  options: OptionsOfRun,
): Promise<ReadyTarget> {
  const { baseline: path, updateBaseline } = options;
  try {
    const prepared = await prepare(promise, options);
    const baseline = openBaseline(
      { baseline: path && pathForTarget(path, name), updateBaseline },
      promise.schemas,
    );
    return { name, about: `${name}: ${about}`, promise, prepared, baseline };
  } catch (error) {
    throw withTargetName(name, error);
  }
}

/**
 * Tests the targets one after another, and writes the reports of each target after its run. If targets share a rate
 * limit or a lockout, concurrent runs would affect each other.
 */
async function judgeInTurn(
  targets: readonly ReadyTarget[],
  { own }: TargetReporters,
  options: OptionsOfRun,
): Promise<JudgedTarget[]> {
  let clear = (): void => {};
  const { signal } = listenForInterruption(() => clear());
  const sharedOptionsFor = createSharedOptions(targets.map(({ promise }) => promise.profile));
  const judged: JudgedTarget[] = [];
  for (const target of targets) {
    const { name, promise, prepared, baseline } = target;
    const progress = createProgress(process.stderr, { ...chooseProgressStyle(), target: name });
    clear = progress.clear;
    try {
      const shared = { ...options, ...sharedOptionsFor(promise.profile), signal };
      const report = await judgeGateway(target, shared, progress);
      const settled = await settle(
        { report, known: () => listPlannedChecks(prepared.whole.cases) },
        { reporters: own.get(name) ?? [], baseline, flags: options },
        (message) => log(`conformance: ${name}: ${message}`),
      );
      judged.push({ target: name, ...settled });
    } catch (error) {
      throw withTargetName(name, error);
    }
  }
  return judged;
}
