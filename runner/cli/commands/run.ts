import { pluralize } from '../../../common/lists.ts';
import { exitCodes } from '../../gate/exit-code.ts';
import { UsageError } from '../../profile/profile.ts';
import type { Report } from '../../report/report.ts';
import { reportersWithAllExchanges } from '../../reporters/reporters.ts';
import { completeOptions } from '../../run/options.ts';
import { type PreparedRun, prepare } from '../../run/prepare.ts';
import type { FlagsOf } from '../command-table.ts';
import { readConnectionOptions } from '../flags/connection-flags.ts';
import { listPlannedChecks } from '../io/baseline-file.ts';
import { readLastRun, saveLastRun } from '../io/last-run.ts';
import { addPage } from '../io/page-file.ts';
import { chooseProgressStyle, createProgress } from '../io/progress.ts';
import { openTarget, type Target } from '../io/target.ts';
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
  const reporter = addPage(options);
  let { open } = options;
  return watch({
    paths,
    written: [...chooseReporters(reporter).map(({ file }) => file), options.baseline].filter(
      (file) => file !== undefined,
    ),
    run: async (cases) => {
      let report: Report | undefined;
      const own = { ...options, reporter, open, ...(cases && { lastFailed: false, cases }) };
      const code = await runOnce(own, (written) => {
        report = written;
        open = false;
      });
      return { code, report };
    },
    strictShould: options.strictShould,
    log,
  });
}

function runOnce(options: OptionsOfRun, onReport: (report: Report) => void = () => {}): Promise<number> {
  return reportOn(options, {
    open: (catalog) => openTarget(options, catalog),
    async judge(target, { reporters, isExpected }) {
      const { promise, about } = target;
      const cases = options.lastFailed ? readFailedCases(nameOf(target)) : options.cases;
      if (options.lastFailed && cases?.length === 0) {
        log('conformance: No case failed in the last run, so nothing was sent.');
        return exitCodes.conforms;
      }
      const prepared = await prepare(promise, { ...options, cases });
      if (cases) assertChosen(cases, prepared);
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
            cases,
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
        return { report, known: () => listPlannedChecks(prepared.whole.cases) };
      } finally {
        // After a single run, the listeners stay, so that a signal does not interrupt pending output. With `--watch`,
        // each run adds its own listeners.
        if (options.watch !== undefined) release();
      }
    },
    onReport(report, target) {
      saveLastRun(nameOf(target), report, options);
      onReport(report);
    },
  });
}

/** The name of a gateway in the file of the last run. */
function nameOf({ promise, isBundled = false }: Target): string {
  return isBundled ? 'the bundled reference gateway' : promise.profile.baseUrl;
}

function readFailedCases(target: string): readonly string[] {
  const last = readLastRun();
  if (last.target !== target)
    log(
      `conformance: The last run tested ${last.target}, not ${target}. --last-failed runs the cases that failed there.`,
    );
  // A pooled case judges the responses of other cases, so each of them would be sent again.
  const direct = last.failed.filter((id) => !id.startsWith('pooled/'));
  const left = last.failed.length - direct.length;
  if (direct.length === 0 || left === 0) return last.failed;
  log(
    `conformance: Left out: ${pluralize(left, 'failed case')} of the suite \`pooled\`, which judges the responses of all others. To run that suite: --only 'pooled/*'`,
  );
  return direct;
}

/** Throws a `UsageError` if the run has none of the cases. Logs how many are missing, for example without `--thorough`. */
function assertChosen(cases: readonly string[], { plan, whole }: PreparedRun): void {
  const planned = new Set(whole.cases.map(({ id }) => id));
  const missing = cases.filter((id) => !planned.has(id));
  const [first] = missing;
  if (first !== undefined)
    log(
      `conformance: ${missing.length} of the ${pluralize(cases.length, 'failed case')} of the last run ${missing.length === 1 ? 'is' : 'are'} not planned with these flags and this profile, such as ${first}.`,
    );
  if (plan.cases.length === 0)
    throw new UsageError(
      `No case to run: none of the ${pluralize(cases.length, 'case')} that failed in the last run is in this run. Run without --last-failed, or with the flags of the last run.`,
    );
}
