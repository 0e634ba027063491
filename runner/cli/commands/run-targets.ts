import { catalogOfPackage } from '../../catalog/catalog.ts';
import { compareReports } from '../../compare/compare-reports.ts';
import type { TargetReport } from '../../compare/comparison.ts';
import { chooseExitCode, chooseWorstCode, exitCodes } from '../../gate/exit-code.ts';
import { UsageError } from '../../profile/profile.ts';
import type { Report } from '../../report/report.ts';
import type { TextStyle } from '../../reporters/reporter.ts';
import { type CompleteOptions, completeOptions, type RunOptions } from '../../run/options.ts';
import { type PreparedRun, prepare } from '../../run/prepare.ts';
import { createSharedOptions, runSuite } from '../../run/run.ts';
import type { EngineEvent } from '../../run/run-event.ts';
import { createView } from '../../view/view.ts';
import type { RunFlags } from '../flags/run-flags.ts';
import {
  applyOrUpdateBaseline,
  listPlannedChecks,
  type OpenBaseline,
  openBaseline,
} from '../io/baseline-file.ts';
import { chooseProgressStyle, createProgress } from '../io/progress.ts';
import { type NamedTarget, readTargets, withTargetName } from '../io/read-targets.ts';
import { getStdoutWidth, isColourEnabled, listenForInterruption, log, print } from '../io/terminal.ts';
import { prepareWriting, writeTexts } from '../io/write-reports.ts';
import { describeFuzz, describePlan, formatDryRun } from './dry-run.ts';
import {
  chooseTargetReporters,
  isPerTarget,
  pathForTarget,
  type TargetReporters,
  writeComparison,
} from './target-reports.ts';

interface ReadyTarget extends NamedTarget {
  readonly prepared: PreparedRun;
  readonly baseline: OpenBaseline | undefined;
}

interface JudgedTarget extends TargetReport {
  readonly code: number;
  readonly complaints: readonly string[];
}

/** The uses of flags that cannot be combined with `--target`, with the reason and the remedy. */
const conflicts: readonly {
  readonly flag: string;
  readonly isGiven: (flags: RunFlags) => boolean;
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
    flag: '--update-baseline without {target} in the path of --baseline',
    isGiven: ({ baseline, updateBaseline }) => updateBaseline === true && !isPerTarget(baseline ?? ''),
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
export async function runTargets(flags: RunFlags, given: RunOptions): Promise<number> {
  for (const { flag, isGiven, why, remedy = 'Remove one of the flags.' } of conflicts)
    if (isGiven(flags)) throw new UsageError(`${flag} cannot be combined with --target: ${why}. ${remedy}`);
  const targets = readTargets(flags.target, flags, await catalogOfPackage());
  const choices = chooseTargetReporters(
    flags.reporter,
    targets.map(({ name }) => name),
  );
  // All targets have the same defaults, including the random seed.
  const options = completeOptions(given);
  const ready = await Promise.all(targets.map((target) => prepareTarget(target, flags, options)));
  if (flags.dryRun) {
    print(ready.map(({ about, prepared }) => formatDryRun(about, prepared)).join('\n'));
    return exitCodes.conforms;
  }
  const fuzz = ready[0]?.prepared.fuzz;
  if (fuzz) log(describeFuzz(fuzz.options));
  // The plan for listed models is known only after the model list has been read.
  for (const { about, prepared } of ready) if (!prepared.templates) log(describePlan(about, prepared));
  const judged = await judgeInTurn(ready, { flags, options, choices });
  const comparison = compareReports(judged);
  const complaints = [
    ...judged.flatMap((item) => item.complaints),
    ...(await writeComparison(comparison, choices.comparison, textStyle(flags))),
  ];
  for (const complaint of complaints) log(`conformance: ${complaint}`);
  return chooseWorstCode([
    ...judged.map(({ code }) => code),
    ...(complaints.length > 0 ? [exitCodes.reportNotWritten] : []),
  ]);
}

async function prepareTarget(
  target: NamedTarget,
  flags: RunFlags,
  options: CompleteOptions,
): Promise<ReadyTarget> {
  const { name, about, promise } = target;
  const { baseline: path, updateBaseline } = flags;
  try {
    const prepared = await prepare(promise, options);
    const baseline = openBaseline(
      { baseline: path && pathForTarget(path, name), updateBaseline },
      promise.schemas,
    );
    return { ...target, about: `${name}: ${about}`, prepared, baseline };
  } catch (error) {
    throw withTargetName(name, error);
  }
}

interface ComparisonParts {
  readonly flags: RunFlags;
  readonly options: CompleteOptions;
  readonly choices: TargetReporters;
}

/**
 * Tests the targets one after another, and writes the reports of each target after its run. If targets share a rate
 * limit or a lockout, concurrent runs would affect each other.
 */
async function judgeInTurn(targets: readonly ReadyTarget[], parts: ComparisonParts): Promise<JudgedTarget[]> {
  let clear = (): void => {};
  const { signal } = listenForInterruption(() => clear());
  const sharedOptionsFor = createSharedOptions(targets.map(({ promise }) => promise.profile));
  const judged: JudgedTarget[] = [];
  for (const target of targets) {
    const progress = createProgress(process.stderr, { ...chooseProgressStyle(), target: target.name });
    clear = progress.clear;
    const onEvent = (event: EngineEvent): void => {
      if (event.kind === 'planned' && target.prepared.templates)
        log(describePlan(target.about, { ...target.prepared, ...event }));
      progress.show(event);
    };
    const options = { ...parts.options, ...sharedOptionsFor(target.promise.profile), signal, onEvent };
    try {
      const report = await runSuite(target.promise, options, target.prepared);
      progress.clear();
      judged.push(await concludeTarget(report, target, parts));
    } catch (error) {
      throw withTargetName(target.name, error);
    } finally {
      progress.clear();
    }
  }
  return judged;
}

async function concludeTarget(
  report: Report,
  { name, prepared, baseline }: ReadyTarget,
  { flags, choices }: ComparisonParts,
): Promise<JudgedTarget> {
  const logForTarget = (message: string): void => log(`conformance: ${name}: ${message}`);
  const settled = baseline
    ? applyOrUpdateBaseline(report, baseline, listPlannedChecks(prepared.whole.cases), flags, logForTarget)
    : { report };
  const own = choices.own.get(name) ?? [];
  const view = createView(settled.report);
  const writings = own.map((choice) => prepareWriting(view, choice));
  return {
    target: name,
    report: settled.report,
    code: chooseExitCode(settled.report, flags),
    complaints: [
      ...('complaint' in settled ? [settled.complaint] : []),
      ...(await writeTexts(writings, textStyle(flags))),
    ],
  };
}

function textStyle({ verbose }: RunFlags): TextStyle {
  return { colour: isColourEnabled(process.env, process.stdout.isTTY), verbose, width: getStdoutWidth() };
}
