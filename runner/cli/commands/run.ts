import { loadCatalog } from '../../catalog/catalog.ts';
import { anySeed } from '../../fuzz/load-fuzz.ts';
import type { JudgedCase } from '../../judge/assess.ts';
import { UsageError } from '../../profile/profile.ts';
import { exitCodes } from '../../report/exit-code.ts';
import type { EngineOptions } from '../../run/engine-options.ts';
import { loadOptions } from '../../run/options.ts';
import { prepare } from '../../run/prepare.ts';
import { run } from '../../run/run.ts';
import { readReach } from '../flags/connection-flags.ts';
import { dutiesOf, isExpected, openBaseline } from '../io/baseline-file.ts';
import { conclude } from '../io/conclude.ts';
import { makeProgress, progressStyle } from '../io/progress.ts';
import { listenForInterruption } from '../io/signals.ts';
import { openTarget } from '../io/target.ts';
import { print, tell } from '../io/terminal.ts';
import { chooseReporters, loadReporters } from '../io/write-reports.ts';
import { dryRun, tellDrawn, tellPlan } from './dry-run.ts';
import type { RunFlags } from './run-flags.ts';
import type { Ran } from './watch.ts';

/** Judges the target, or the reference gateway where there is none, and again where it watches; gives the exit code. */
export async function runCommand(given: RunFlags): Promise<number> {
  const flags = withSeed(given);
  if (flags.target.length > 0) {
    const { runTargets } = await import('./run-targets.ts');
    return runTargets(flags, await optionsOf(flags, undefined));
  }
  if (flags.watch === undefined || flags.dryRun) return (await runOnce(flags)).code;
  const paths = flags.watch === true ? [] : flags.watch;
  if (paths.length === 0 && !process.stdin.isTTY)
    throw new UsageError('--watch needs a path where stdin is no terminal, as nobody can press a key.');
  const { watch } = await import('./watch.ts');
  return watch({
    paths,
    written: [...chooseReporters(flags.reporter).map(({ file }) => file), flags.baseline].filter(
      (file) => file !== undefined,
    ),
    run: (cases) => runOnce(cases ? { ...flags, suite: [], only: cases } : flags),
    tell,
  });
}

/** The flags with a seed where one is needed: each run of a watch draws the same. */
function withSeed(flags: RunFlags): RunFlags {
  if (flags.fuzz === undefined && flags.seed !== undefined)
    throw new UsageError('--seed says what --fuzz draws: say with --fuzz N how many requests.');
  if (flags.fuzz === undefined || flags.seed !== undefined || flags.shard) return flags;
  return { ...flags, seed: anySeed() };
}

/** One run, with its reports written. */
async function runOnce(flags: RunFlags): Promise<Ran> {
  const reporters = chooseReporters(flags.reporter);
  const catalog = await loadCatalog();
  const baseline = openBaseline(flags, catalog.schemas);
  const target = await openTarget(flags, catalog);
  const progress = makeProgress(process.stderr, progressStyle());
  const interruption = listenForInterruption(progress.clear);
  try {
    const options = await optionsOf(flags, baseline && isExpected(baseline));
    const prepared = prepare(catalog, target.profile, options);
    if (flags.dryRun) {
      print(dryRun(target.about, prepared));
      return { code: exitCodes.conforms, report: undefined };
    }
    if (prepared.fuzz) tell(tellDrawn(prepared.fuzz.options));
    // How much there is to do for listed models is known once their list was read.
    if (!prepared.templates) tell(tellPlan(target.about, prepared));
    const report = await run(catalog, target.profile, {
      ...options,
      prepared,
      signal: interruption.signal,
      onEvent: (event) => {
        if (event.kind === 'planned' && prepared.templates)
          tell(tellPlan(target.about, { ...prepared, ...event }));
        if (event.kind === 'exchange' && event.sent === 1) loadReporters(reporters);
        progress.show(event);
      },
    });
    progress.clear();
    const code = await conclude(
      report,
      reporters,
      flags,
      baseline && { open: baseline, known: dutiesOf(prepared.whole.cases) },
    );
    return { code, report };
  } finally {
    progress.clear();
    await target.close();
    // What was told may still be on its way out, and a signal that comes twice must not cut it off; another run of this
    // process has listeners of its own.
    if (flags.watch !== undefined) interruption.release();
  }
}

async function optionsOf(
  flags: RunFlags,
  isExpected: ((item: JudgedCase) => boolean) | undefined,
): Promise<EngineOptions> {
  const { fuzz: count, seed } = flags;
  const options = await loadOptions({
    fuzz: count === undefined ? undefined : { count, seed },
    selection: { suites: flags.suite, only: flags.only, shard: flags.shard },
    models: flags.models?.split(',').map((pattern) => pattern.trim()),
    safe: flags.safe,
    repeat: flags.repeat,
    maxBillable: flags.maxBillable,
    maxMs: flags.maxTime,
    waitMs: flags.wait,
    perSecond: flags.rate,
    reach: readReach(flags),
    concurrency: flags.concurrency,
    limits: {
      connectMs: flags.connectTimeout,
      firstByteMs: flags.firstByteTimeout,
      successFirstByteMs: flags.successTimeout,
      idleMs: flags.idleTimeout,
      totalMs: flags.totalTimeout,
      bodyBytes: flags.maxBody,
    },
  });
  const stopAfter = (item: JudgedCase): boolean => item.outcome === 'violates' && !isExpected?.(item);
  return flags.bail ? { ...options, stopAfter } : options;
}
