import { pluralize } from '../../../common/lists.ts';
import { formatSuggestionOrList } from '../../../common/nearest.ts';
import { estimateRequests, judgeSdks } from '../../clients/judge-sdks.ts';
import { prepareSdks } from '../../clients/prepare-sdks.ts';
import type { SdkDriver } from '../../clients/sdk.ts';
import { aiAnthropic, aiGoogle, aiOpenai } from '../../clients/sdks/ai.ts';
import { anthropic } from '../../clients/sdks/anthropic.ts';
import { google } from '../../clients/sdks/google.ts';
import { openai } from '../../clients/sdks/openai.ts';
import type { CheckId } from '../../gate/apply-baseline.ts';
import { UsageError } from '../../profile/profile.ts';
import type { FlagsOf } from '../command-table.ts';
import { readConnectionOptions } from '../flags/connection-flags.ts';
import { openTarget } from '../io/target.ts';
import { listenForInterruption, log } from '../io/terminal.ts';
import { reportOn } from './report-command.ts';

/** The drivers of all supported SDKs, in the order of the report. */
export const sdks: readonly SdkDriver[] = [openai, anthropic, google, aiOpenai, aiAnthropic, aiGoogle];

/**
 * Calls a gateway through official SDKs, writes the reports, and returns the exit code. Rejects in the same cases as
 * `reportOn`.
 */
export async function clientsCommand(flags: FlagsOf<'clients'>): Promise<number> {
  const drivers = chooseSdks(flags.sdk);
  const connection = readConnectionOptions(flags);
  return reportOn(flags, {
    open: (catalog) => openTarget(flags, catalog),
    async judge({ promise, about }) {
      const { signal, release } = listenForInterruption(() => {});
      const unmute = muteConsole();
      try {
        const prepared = await prepareSdks(promise, { drivers, folder: process.cwd(), connection, signal });
        const { cases } = prepared;
        const { requests, billable, badKeys } = estimateRequests(cases);
        log(
          `${about}: ${pluralize(cases.length, 'case')}, about ${pluralize(requests, 'request')} from SDKs; ${billable} may be billed and ${badKeys} will have a wrong key.`,
        );
        const report = await judgeSdks(prepared, signal);
        const known = (): CheckId[] =>
          cases.flatMap(({ id, requirements }) =>
            requirements.map((requirement) => ({ requirement, case: id })),
          );
        return { report, known };
      } finally {
        unmute();
        release();
      }
    },
  });
}

function chooseSdks(names: readonly string[]): readonly SdkDriver[] {
  const ids = sdks.map(({ id }) => id);
  for (const name of names) {
    if (!ids.includes(name))
      throw new UsageError(`Unknown SDK "${name}".${formatSuggestionOrList(name, ids)}`);
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
