import { pluralize } from '../../../common/lists.ts';
import { formatSuggestion } from '../../../common/nearest.ts';
import { catalogOfPackage } from '../../catalog/catalog.ts';
import { estimateRequests, judgeSdks } from '../../clients/judge-sdks.ts';
import { prepareSdks } from '../../clients/prepare-sdks.ts';
import type { SdkDriver } from '../../clients/sdk.ts';
import { aiAnthropic, aiGoogle, aiOpenai } from '../../clients/sdks/ai.ts';
import { anthropic } from '../../clients/sdks/anthropic.ts';
import { google } from '../../clients/sdks/google.ts';
import { openai } from '../../clients/sdks/openai.ts';
import { UsageError } from '../../profile/profile.ts';
import { type ConnectionFlags, readConnectionOptions } from '../flags/connection-flags.ts';
import { type BaselineFlags, openBaseline } from '../io/baseline-file.ts';
import { type ConcludeFlags, conclude } from '../io/conclude.ts';
import { openTarget, type TargetFlags } from '../io/target.ts';
import { log, onEndingSignal } from '../io/terminal.ts';
import { chooseReporters } from '../io/write-reports.ts';

/** The drivers of all supported SDKs, in the order of the report. */
export const sdks: readonly SdkDriver[] = [openai, anthropic, google, aiOpenai, aiAnthropic, aiGoogle];

export interface ClientsFlags extends TargetFlags, ConnectionFlags, ConcludeFlags, BaselineFlags {
  readonly sdk: readonly string[];
  readonly reporter: readonly string[];
}

/**
 * Calls a gateway through official SDKs, writes the reports, and returns the exit code. Rejects with a `UsageError` or
 * a `DataFileError` if a flag or a file is invalid, and an `UnwritableError` if an output file is not writable.
 */
export async function clientsCommand(flags: ClientsFlags): Promise<number> {
  const reporters = chooseReporters(flags.reporter);
  const chosen = chooseSdks(flags.sdk);
  const reach = readConnectionOptions(flags);
  const catalog = await catalogOfPackage();
  const baseline = openBaseline(flags, catalog.schemas);
  const target = await openTarget(flags, catalog);
  const stop = new AbortController();
  const release = onEndingSignal(() => stop.abort());
  const unmute = muteConsole();
  try {
    const prepared = await prepareSdks(target.promise, {
      drivers: chosen,
      folder: process.cwd(),
      connection: reach,
      signal: stop.signal,
    });
    const { requests, billable, badKeys } = estimateRequests(prepared.cases);
    log(
      `${target.about}: ${pluralize(prepared.cases.length, 'case')}, about ${pluralize(requests, 'request')} from SDKs; ${billable} may be billed and ${badKeys} will have a wrong key.`,
    );
    const report = await judgeSdks(prepared, stop.signal);
    const known = prepared.cases.flatMap(({ id, requirements }) =>
      requirements.map((requirement) => ({ requirement, case: id })),
    );
    return await conclude(report, reporters, flags, baseline && { open: baseline, known });
  } finally {
    unmute();
    release();
    await target.close();
  }
}

function chooseSdks(names: readonly string[]): readonly SdkDriver[] {
  const ids = sdks.map(({ id }) => id);
  for (const name of names) {
    if (!ids.includes(name))
      throw new UsageError(
        `Unknown SDK "${name}".${formatSuggestion(name, ids) || ` Expected one of: ${ids.join(', ')}.`}`,
      );
  }
  return names.length === 0 ? sdks : sdks.filter(({ id }) => names.includes(id));
}

/**
 * Mutes the console, because SDKs write messages to the console, such as deprecation warnings. Returns a function that
 * restores the console.
 */
function muteConsole(): () => void {
  const methods = ['log', 'info', 'debug', 'warn', 'error'] as const;
  const before = methods.map((method) => [method, console[method]] as const);
  for (const method of methods) console[method] = () => {};
  return () => {
    for (const [method, original] of before) console[method] = original;
  };
}
