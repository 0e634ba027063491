import { catalogOfPackage } from '../../catalog/catalog.ts';
import { exitCodes } from '../../gate/exit-code.ts';
import type { JudgedCase } from '../../judge/judge-cases.ts';
import { UsageError } from '../../profile/profile.ts';
import type { Report } from '../../report/report.ts';
import { reportersWithAllExchanges } from '../../reporters/reporters.ts';
import { createRandomSeed, type RunOptions } from '../../run/options.ts';
import { prepare } from '../../run/prepare.ts';
import { runSuite } from '../../run/run.ts';
import type { EngineEvent } from '../../run/run-event.ts';
import { readConnectionOptions } from '../flags/connection-flags.ts';
import type { RunFlags } from '../flags/run-flags.ts';
import { isExpected, listPlannedChecks, openBaseline } from '../io/baseline-file.ts';
import { conclude } from '../io/conclude.ts';
import { chooseProgressStyle, createProgress } from '../io/progress.ts';
import { openTarget } from '../io/target.ts';
import { listenForInterruption, log, print } from '../io/terminal.ts';
import { chooseReporters, loadReporters } from '../io/write-reports.ts';
import { describeFuzz, describePlan, formatDryRun } from './dry-run.ts';

/**
 * Tests one gateway once, one gateway repeatedly (`--watch`), or several gateways (`--target`). With `dryRun`, only
 * prints the plan. Returns the exit code. Rejects with a `UsageError` or a `DataFileError` if a flag or a file is
 * invalid, and an `UnwritableError` if an output file is not writable before the first request.
 */
export async function runCommand(given: RunFlags): Promise<number> {
  const flags = withSeed(given);
  if (flags.target.length > 0) {
    const { runTargets } = await import('./run-targets.ts');
    return runTargets(flags, readRunOptions(flags));
  }
  return flags.watch === undefined || flags.dryRun ? runOnce(flags) : runInWatchMode(flags, flags.watch);
}

/**
 * Runs once, and again after a watched file changes or the user presses Enter, `r` or `f`. Returns the exit code of the
 * last run. Rejects with a `UsageError` if a path does not exist, or if no path is given and stdin is not a terminal.
 * Also rejects with the errors of the first run.
 */
async function runInWatchMode(flags: RunFlags, watched: true | readonly string[]): Promise<number> {
  const paths = watched === true ? [] : watched;
  if (paths.length === 0 && !process.stdin.isTTY)
    throw new UsageError(
      '--watch without a path waits for a key press, but stdin is not a terminal. Add the path of a file or folder to watch: --watch PATH.',
    );
  const { watch } = await import('./watch.ts');
  return watch({
    paths,
    written: [...chooseReporters(flags.reporter).map(({ file }) => file), flags.baseline].filter(
      (file) => file !== undefined,
    ),
    run: async (cases) => {
      let report: Report | undefined;
      const code = await runOnce(cases ? { ...flags, suite: [], only: cases } : flags, (written) => {
        report = written;
      });
      return { code, report };
    },
    log,
  });
}

/**
 * Adds a random seed to `--fuzz` without `--seed`, so that all runs of `--watch` generate the same requests. The flags
 * of a shard are not changed. Throws a `UsageError` for `--seed` without `--fuzz`.
 */
function withSeed(flags: RunFlags): RunFlags {
  if (flags.fuzz === undefined && flags.seed !== undefined)
    throw new UsageError(
      '--seed has no effect without --fuzz. Add --fuzz N, where N is the number of requests to generate.',
    );
  if (flags.fuzz === undefined || flags.seed !== undefined || flags.shard) return flags;
  return { ...flags, seed: createRandomSeed() };
}

async function runOnce(flags: RunFlags, onReport: (report: Report) => void = () => {}): Promise<number> {
  const reporters = chooseReporters(flags.reporter);
  const catalog = await catalogOfPackage();
  const baseline = openBaseline(flags, catalog.schemas);
  const target = await openTarget(flags, catalog);
  const progress = createProgress(process.stderr, chooseProgressStyle());
  const interruption = listenForInterruption(progress.clear);
  try {
    const options = readRunOptions(flags);
    const prepared = await prepare(target.promise, options);
    if (flags.dryRun) {
      if (reporters.some(({ file }) => file !== undefined))
        log('conformance: --dry-run sends nothing, so no report is written to a file.');
      print(formatDryRun(target.about, prepared));
      return exitCodes.conforms;
    }
    if (prepared.fuzz) log(describeFuzz(prepared.fuzz.options));
    // The plan for listed models is known only after the model list has been read.
    if (!prepared.templates) log(describePlan(target.about, prepared));
    const isUnexpected = (item: JudgedCase): boolean =>
      item.outcome === 'violates' && !(baseline && isExpected(baseline)(item));
    const onEvent = (event: EngineEvent): void => {
      if (event.kind === 'planned' && prepared.templates)
        log(describePlan(target.about, { ...prepared, ...event }));
      if (event.kind === 'exchange' && event.sent === 1) loadReporters(reporters);
      progress.show(event);
    };
    const { signal } = interruption;
    const stopAfter = flags.bail ? { stopAfter: isUnexpected } : {};
    const needsExchanges =
      flags.verbose || reporters.some(({ name }) => reportersWithAllExchanges.includes(name));
    const report = await runSuite(
      target.promise,
      { ...options, ...stopAfter, needsExchanges, signal, onEvent },
      prepared,
    );
    progress.clear();
    onReport(report);
    const known = baseline && { open: baseline, known: listPlannedChecks(prepared.whole.cases) };
    return await conclude(report, reporters, flags, known);
  } finally {
    progress.clear();
    await target.close();
    // After a single run, the listeners stay, so that a signal does not interrupt pending output. With `--watch`, each
    // run adds its own listeners.
    if (flags.watch !== undefined) interruption.release();
  }
}

function readRunOptions(flags: RunFlags): RunOptions {
  const { fuzz: count, seed } = flags;
  return {
    fuzz: count === undefined ? undefined : { count, seed },
    selection: { suites: flags.suite, only: flags.only, shard: flags.shard },
    models: flags.models?.split(',').map((pattern) => pattern.trim()),
    maxModels: flags.maxModels,
    thorough: flags.thorough,
    safe: flags.safe,
    repeat: flags.repeat,
    maxBillable: flags.maxBillable,
    maxMs: flags.maxTime,
    waitMs: flags.wait,
    perSecond: flags.rate,
    reach: readConnectionOptions(flags),
    concurrency: flags.concurrency,
    limits: {
      connectMs: flags.connectTimeout,
      firstByteMs: flags.firstByteTimeout,
      successFirstByteMs: flags.successTimeout,
      idleMs: flags.idleTimeout,
      totalMs: flags.totalTimeout,
      bodyBytes: flags.maxBody,
    },
  };
}
