import { type Catalog, loadCatalog } from '../../catalog/catalog.ts';
import { compareReports } from '../../compare/compare-reports.ts';
import type { TargetReport } from '../../compare/comparison.ts';
import { UsageError } from '../../profile/profile.ts';
import { exitCode, exitCodes, worstCode } from '../../report/exit-code.ts';
import type { Report } from '../../report/report.ts';
import type { TextStyle } from '../../reporters/reporter.ts';
import { type CompleteOptions, completeOptions, type RunOptions } from '../../run/options.ts';
import { type PreparedRun, prepare } from '../../run/prepare.ts';
import { run, runAlike } from '../../run/run.ts';
import type { EngineEvent } from '../../run/run-event.ts';
import { dutiesOf, type OpenBaseline, openBaseline, settle } from '../io/baseline-file.ts';
import { makeProgress, progressStyle } from '../io/progress.ts';
import { errorOfTarget, type NamedTarget, readTargets } from '../io/read-targets.ts';
import { listenForInterruption } from '../io/signals.ts';
import { log, print, stdoutWidth, wantsColour } from '../io/terminal.ts';
import { writeTexts, writingOf } from '../io/write-reports.ts';
import { describeFuzz, describePlan, dryRun } from './dry-run.ts';
import type { RunFlags } from './run-flags.ts';
import {
  chooseForTargets,
  inPath,
  isForEach,
  type TargetChoices,
  writeComparison,
} from './target-reports.ts';

/** A target that can be judged at once. */
interface ReadyTarget extends NamedTarget {
  readonly prepared: PreparedRun;
  readonly baseline: OpenBaseline | undefined;
}

/** A target that was judged, and what it came to. */
interface JudgedTarget extends TargetReport {
  readonly code: number;
  readonly complaints: readonly string[];
}

/** Flags that stand in the way of a comparison, and why. */
const conflicts: readonly {
  readonly flag: string;
  readonly isGiven: (flags: RunFlags) => boolean;
  readonly why: string;
}[] = [
  { flag: '--base-url', isGiven: ({ baseUrl }) => baseUrl !== undefined, why: 'each target has its own' },
  {
    flag: '--watch',
    isGiven: ({ watch }) => watch !== undefined,
    why: 'it judges one gateway again and again',
  },
  {
    flag: '--update-baseline',
    isGiven: ({ baseline, updateBaseline }) => updateBaseline === true && !isForEach(baseline ?? ''),
    why: 'targets would write over what others wrote, unless each has a file, such as --baseline known.{target}.yaml',
  },
  { flag: '--bail', isGiven: ({ bail }) => bail, why: 'what was not judged could not be compared' },
];

/**
 * Judges several targets, one after another, and compares them; gives the worst of their exit codes. All of them are
 * read and planned before the first is asked anything.
 */
export async function runTargets(flags: RunFlags, given: RunOptions): Promise<number> {
  for (const { flag, isGiven, why } of conflicts)
    if (isGiven(flags)) throw new UsageError(`${flag} doesn't go with --target: ${why}.`);
  const catalog = await loadCatalog();
  const targets = readTargets(flags.target, flags, catalog);
  const choices = chooseForTargets(
    flags.reporter,
    targets.map(({ name }) => name),
  );
  // All targets have the same defaults, with the same random seed.
  const options = completeOptions(given);
  const ready = await Promise.all(targets.map((target) => makeReady(target, flags, options, catalog)));
  if (flags.dryRun) {
    print(ready.map(({ about, prepared }) => dryRun(about, prepared)).join('\n'));
    return exitCodes.conforms;
  }
  const drawn = ready[0]?.prepared.fuzz;
  if (drawn) log(describeFuzz(drawn.options));
  // How much there is to do for listed models is known once their list was read.
  for (const { about, prepared } of ready) if (!prepared.templates) log(describePlan(about, prepared));
  const judged = await judgeInTurn(ready, { flags, options, catalog, choices });
  const comparison = compareReports(judged);
  const complaints = [
    ...judged.flatMap((item) => item.complaints),
    ...(await writeComparison(comparison, choices.comparison, textStyle(flags))),
  ];
  for (const complaint of complaints) log(`conformance: ${complaint}`);
  return worstCode([
    ...judged.map(({ code }) => code),
    ...(complaints.length > 0 ? [exitCodes.reportNotWritten] : []),
  ]);
}

async function makeReady(
  target: NamedTarget,
  flags: RunFlags,
  options: CompleteOptions,
  catalog: Catalog,
): Promise<ReadyTarget> {
  const { name, about, profile } = target;
  const { baseline: path, updateBaseline } = flags;
  try {
    const prepared = await prepare(catalog, profile, options);
    const baseline = openBaseline({ baseline: path && inPath(path, name), updateBaseline }, catalog.schemas);
    return { ...target, about: `${name}: ${about}`, prepared, baseline };
  } catch (error) {
    throw errorOfTarget(name, error);
  }
}

interface Turn {
  readonly flags: RunFlags;
  readonly options: CompleteOptions;
  readonly catalog: Catalog;
  readonly choices: TargetChoices;
}

/**
 * One after another, so that each is judged as it would be alone: neither do they share this machine, nor does the burst
 * on one, or the guard of one against bad keys, reach another that has the same limits behind it.
 */
async function judgeInTurn(targets: readonly ReadyTarget[], turn: Turn): Promise<JudgedTarget[]> {
  let clear = (): void => {};
  const { signal } = listenForInterruption(() => clear());
  const alike = runAlike(targets.map(({ profile }) => profile));
  const judged: JudgedTarget[] = [];
  for (const target of targets) {
    const progress = makeProgress(process.stderr, { ...progressStyle(), target: target.name });
    clear = progress.clear;
    const onEvent = (event: EngineEvent): void => {
      if (event.kind === 'planned' && target.prepared.templates)
        log(describePlan(target.about, { ...target.prepared, ...event }));
      progress.show(event);
    };
    const options = { ...turn.options, ...alike(target.profile), signal, onEvent };
    try {
      const report = await run(turn.catalog, target.profile, options, target.prepared);
      progress.clear();
      judged.push(await conclude(report, target, turn));
    } catch (error) {
      throw errorOfTarget(target.name, error);
    } finally {
      progress.clear();
    }
  }
  return judged;
}

/** Holds a report to the baseline of its target, and writes what is for this target alone. */
async function conclude(
  report: Report,
  { name, prepared, baseline }: ReadyTarget,
  { flags, choices }: Turn,
): Promise<JudgedTarget> {
  const logOf = (message: string): void => log(`conformance: ${name}: ${message}`);
  const settled = baseline
    ? settle(report, baseline, dutiesOf(prepared.whole.cases), flags, logOf)
    : { report };
  const own = choices.own.get(name) ?? [];
  const writings = own.map((choice) => writingOf(settled.report, choice));
  return {
    target: name,
    report: settled.report,
    code: exitCode(settled.report, flags),
    complaints: [
      ...('complaint' in settled ? [settled.complaint] : []),
      ...(await writeTexts(writings, textStyle(flags))),
    ],
  };
}

function textStyle({ verbose }: RunFlags): TextStyle {
  return { colour: wantsColour(process.env, process.stdout.isTTY), verbose, width: stdoutWidth() };
}
