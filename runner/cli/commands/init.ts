import { existsSync } from 'node:fs';
import { type Catalog, loadCatalog } from '../../catalog/catalog.ts';
import { draftFound } from '../../init/draft-found.ts';
import { UsageError } from '../../profile/profile.ts';
import { exitCodes } from '../../report/exit-code.ts';
import { type ProbeResult, probe } from '../../run/probe.ts';
import { oneLine } from '../../text/printable.ts';
import { hang } from '../../text/wrap.ts';
import { defaultLimits } from '../../transport/http.ts';
import { readReach } from '../flags/connection-flags.ts';
import { Cancelled } from '../io/conclude.ts';
import { onEndingSignal } from '../io/signals.ts';
import { logBaseUrlHint } from '../io/target.ts';
import { log, print, stderrWidth } from '../io/terminal.ts';
import { assertWritableFiles, writeOrKeep } from '../io/write-file.ts';
import { type InitFlags, type InitStart, readStart } from './init-start.ts';
import { operationLines, summarizeInit } from './init-summary.ts';

const logWrapped = (text: string, prefix = ''): void =>
  log(hang({ width: stderrWidth() }, prefix, text).join('\n'));

/** Probes a gateway and writes what was found into a profile, which never has a key in it; returns the exit code. */
export async function initCommand(flags: InitFlags): Promise<number> {
  const asks = !flags.yes && process.stdin.isTTY === true && process.stderr.isTTY === true;
  const stop = new AbortController();
  const release = onEndingSignal(() => stop.abort());
  try {
    await checkOutput(flags, asks);
    const catalog = await loadCatalog();
    const start = await readStart(flags, catalog, asks);
    return await probeAndWrite(flags, start, { catalog, asks, signal: stop.signal });
  } catch (error) {
    if (!(error instanceof Cancelled)) throw error;
    logWrapped(`conformance: ${error.message}`);
    return exitCodes.interrupted;
  } finally {
    release();
  }
}

/** Throws where the file may not be written, before anything is asked or sent. */
async function checkOutput({ output, profile, force }: InitFlags, asks: boolean): Promise<void> {
  assertWritableFiles('The profile', output);
  if (force || !existsSync(output)) return;
  if (asks && (await (await import('../io/ask.ts')).askWhether(`${output} exists. Replace it?`))) return;
  const extend = profile === undefined ? `, --profile ${output} --force extends it` : '';
  throw new UsageError(`${output} exists. --force replaces it${extend}, --output names another file.`);
}

async function probeAndWrite(
  flags: InitFlags,
  { profile, stated, redact }: InitStart,
  {
    catalog,
    asks,
    signal,
  }: { readonly catalog: Catalog; readonly asks: boolean; readonly signal: AbortSignal },
): Promise<number> {
  const { output, force } = flags;
  const reach = readReach(flags);
  logBaseUrlHint(profile, catalog);
  for (const [member, variable] of profile.unset) {
    if (!member.startsWith('keys.'))
      logWrapped(`${member} is left out: the environment variable ${variable} is not set.`, '! ');
  }
  logWrapped(`Sending valid requests to ${profile.baseUrl} to find out which operations answer.`);
  const probed = await probe(catalog, profile, { limits: defaultLimits, reach, signal });
  if (signal.aborted) return exitCodes.interrupted;
  // What is wrong with one operation is in its line.
  for (const { operation, message } of probed.diagnosis)
    if (operation === undefined) logWrapped(oneLine(message), '! ');
  if (!probed.accepted && !force) {
    if (!isUnreachable(probed)) log(operationLines(probed, stderrWidth()).join('\n'));
    const wanted = asks && (await (await import('../io/ask.ts')).askWhether(`Write ${output} all the same?`));
    if (!wanted) {
      logWrapped(
        'Nothing was written, as no valid request succeeded. --force writes the profile all the same.',
      );
      return exitCodes.notJudged;
    }
  }
  const draft = draftFound(catalog, {
    baseUrl: profile.baseUrl,
    key: profile.keys.valid,
    stated,
    probed,
  });
  if (redact(draft.text) !== draft.text) throw new Error('The drafted profile has a key in it.');
  const complaint = writeOrKeep('The profile', output, draft.text);
  if (complaint !== undefined) {
    logWrapped(`conformance: ${complaint}`);
    return exitCodes.reportNotWritten;
  }
  print(summarizeInit(flags, draft, { probed, stated }));
  return probed.accepted ? exitCodes.conforms : exitCodes.notJudged;
}

function isUnreachable({ diagnosis }: ProbeResult): boolean {
  return diagnosis.some(({ kind }) => kind === 'unreachable');
}
