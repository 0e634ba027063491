import { exitCodes } from '../../gate/exit-code.ts';
import { UsageError } from '../../profile/profile.ts';
import type { Report } from '../../report/report.ts';
import { reportersWithAllExchanges } from '../../reporters/reporters.ts';
import { completeOptions } from '../../run/options.ts';
import { prepare } from '../../run/prepare.ts';
import type { FlagsOf } from '../command-table.ts';
import { readConnectionOptions } from '../flags/connection-flags.ts';
import { listPlannedChecks } from '../io/baseline-file.ts';
import { chooseProgressStyle, createProgress } from '../io/progress.ts';
import { openTarget } from '../io/target.ts';
import { listenForInterruption, log } from '../io/terminal.ts';
import { chooseReporters, loadReporters } from '../io/write-reports.ts';
import { judgeGateway, logPlans, type OptionsOfRun, printPlans } from './judge-gateway.ts';
import { reportOn } from './report-command.ts';

/**
 * Tests one gateway once, one gateway repeatedly (`--watch`), or several gateways (`--target`). With `dryRun`, only
 * prints the plan. Returns the exit code. Rejects in the same cases as `reportOn`.
 */
export async function runCommand(flags: FlagsOf<'run'>): Promise<number> {
  // All runs of `--watch` and all targets have the same options, including the random seed.
  const options = completeOptions({ ...flags, reach: readConnectionOptions(flags) });
  if (options.target.length > 0) return (await import('./run-targets.ts')).runTargets(options);
  return options.watch === undefined || options.dryRun
    ? runOnce(options)
    : runInWatchMode(options, options.watch);
}

/**
 * Runs once, and again after a watched file changes or the user presses Enter, `r` or `f`. Returns the exit code of the
 * last run. Rejects with a `UsageError` if a path does not exist, or if no path is given and stdin is not a terminal.
 * Also rejects with the errors of the first run.
 */
async function runInWatchMode(options: OptionsOfRun, watched: true | readonly string[]): Promise<number> {
  const paths = watched === true ? [] : watched;
  if (paths.length === 0 && !process.stdin.isTTY)
    throw new UsageError(
      '--watch without a path waits for a key press, but stdin is not a terminal. Add the path of a file or folder to watch: --watch PATH.',
    );
  const { watch } = await import('./watch.ts');
  return watch({
    paths,
    written: [...chooseReporters(options.reporter).map(({ file }) => file), options.baseline].filter(
      (file) => file !== undefined,
    ),
    run: async (cases) => {
      let report: Report | undefined;
      const code = await runOnce(cases ? { ...options, suites: [], only: cases } : options, (written) => {
        report = written;
      });
      return { code, report };
    },
    log,
  });
}

function runOnce(options: OptionsOfRun, onReport: (report: Report) => void = () => {}): Promise<number> {
  return reportOn(options, {
    open: (catalog) => openTarget(options, catalog),
    async judge({ promise, about }, { reporters, isExpected }) {
      const prepared = await prepare(promise, options);
      const gateway = { about, promise, prepared };
      if (options.dryRun) {
        if (reporters.some(({ file }) => file !== undefined))
          log('conformance: --dry-run sends nothing, so no report is written to a file.');
        printPlans([gateway]);
        return exitCodes.conforms;
      }
      logPlans([gateway]);
      const progress = createProgress(process.stderr, chooseProgressStyle());
      const { signal, release } = listenForInterruption(progress.clear);
      try {
        const report = await judgeGateway(
          gateway,
          {
            ...options,
            signal,
            needsExchanges:
              options.verbose || reporters.some(({ name }) => reportersWithAllExchanges.includes(name)),
            ...(options.bail && {
              stopAfter: (item) => item.outcome === 'violates' && !isExpected(item),
            }),
            onEvent(event) {
              if (event.kind === 'exchange' && event.sent === 1) loadReporters(reporters);
            },
          },
          progress,
        );
        onReport(report);
        return { report, known: () => listPlannedChecks(prepared.whole.cases) };
      } finally {
        // After a single run, the listeners stay, so that a signal does not interrupt pending output. With `--watch`,
        // each run adds its own listeners.
        if (options.watch !== undefined) release();
      }
    },
  });
}
