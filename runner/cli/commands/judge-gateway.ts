import type { GatewayPromise } from '../../profile/promise.ts';
import type { Report } from '../../report/report.ts';
import type { CompleteOptions, EngineOptions } from '../../run/options.ts';
import type { PreparedRun } from '../../run/prepare.ts';
import { runSuite } from '../../run/run.ts';
import type { FlagsOf } from '../command-table.ts';
import type { Progress } from '../io/progress.ts';
import { log, print } from '../io/terminal.ts';
import { describeFuzz, describePlan, formatDryRun } from './dry-run.ts';

/** The flags of `run`, which are also the complete options of the run. */
export type OptionsOfRun = FlagsOf<'run'> & CompleteOptions & Pick<EngineOptions, 'cases'>;

/** A gateway whose run is planned. */
export interface ReadyGateway {
  readonly about: string;
  readonly promise: GatewayPromise;
  readonly prepared: PreparedRun;
}

/** Prints the plans as tables. */
export function printPlans(gateways: readonly ReadyGateway[]): void {
  print(gateways.map(({ about, prepared }) => formatDryRun(about, prepared)).join('\n'));
}

/** Logs the generated requests, which are the same for all gateways, and each plan that is already known. */
export function logPlans(gateways: readonly ReadyGateway[]): void {
  const fuzz = gateways[0]?.prepared.fuzz;
  if (fuzz) log(describeFuzz(fuzz.options));
  // The plan for listed models is known only after the model list has been read.
  for (const { about, prepared } of gateways) if (!prepared.templates) log(describePlan(about, prepared));
}

/** Runs the suite against a gateway, and shows the progress. */
export async function judgeGateway(
  { about, promise, prepared }: ReadyGateway,
  options: EngineOptions,
  progress: Progress,
): Promise<Report> {
  const onEvent: EngineOptions['onEvent'] = (event) => {
    if (event.kind === 'planned' && prepared.templates) log(describePlan(about, { ...prepared, ...event }));
    options.onEvent?.(event);
    progress.show(event);
  };
  try {
    return await runSuite(promise, { ...options, onEvent }, prepared);
  } finally {
    progress.clear();
  }
}
