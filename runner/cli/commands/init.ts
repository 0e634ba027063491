import { existsSync } from 'node:fs';
import { formatYamlLine } from '../../../common/data-file.ts';
import { pluralize } from '../../../common/lists.ts';
import { formatOneLine } from '../../../common/printable.ts';
import { wrapWords } from '../../../common/wrap.ts';
import { type Catalog, catalogOfPackage } from '../../catalog/catalog.ts';
import { type OperationId, operationIds } from '../../catalog/operations.ts';
import { exitCodes } from '../../gate/exit-code.ts';
import { createDraft, type Draft } from '../../init/create-draft.ts';
import { describeOperation } from '../../init/format-draft.ts';
import type { StatedProperty } from '../../init/optional-properties.ts';
import { formatProposals, proposeDeviations } from '../../init/propose-deviations.ts';
import { UsageError } from '../../profile/profile.ts';
import { createPromise, type GatewayPromise } from '../../profile/promise.ts';
import type { RunOptions } from '../../run/options.ts';
import { type ProbeResult, probe } from '../../run/probe.ts';
import { runSuite } from '../../run/run.ts';
import { type Look, outcomeLooks, untriedLook } from '../../view/signs.ts';
import type { FlagsOf } from '../command-table.ts';
import { readConnectionOptions } from '../flags/connection-flags.ts';
import { CancelError } from '../io/conclude.ts';
import { assertWritableFile, writeOrKeep } from '../io/output-file.ts';
import { defaultProfile, logBaseUrlHint } from '../io/target.ts';
import { getStderrWidth, getStdoutWidth, log, onEndingSignal, print } from '../io/terminal.ts';
import { type InitStart, readInitStart } from './init-start.ts';

const logWrapped = (text: string, prefix = ''): void =>
  log(wrapWords({ width: getStderrWidth() }, prefix, text).join('\n'));

/**
 * Sends valid requests to a gateway, writes a profile that contains no key, and returns the exit code. Writes nothing
 * if no valid request succeeded, since such a profile would know nothing. Rejects with a `UsageError` or a
 * `DataFileError` if a flag or the existing profile is invalid, or if the output file exists and must not be replaced.
 * Rejects with an `UnwritableError` if the output file is not writable before the first request.
 */
export async function initCommand(flags: FlagsOf<'init'>): Promise<number> {
  const asks = !flags.yes && process.stdin.isTTY === true && process.stderr.isTTY === true;
  const stop = new AbortController();
  const release = onEndingSignal(() => stop.abort());
  try {
    const catalog = await catalogOfPackage();
    const start = await readInitStart(flags, catalog, { asks, checkOutput: () => checkOutput(flags, asks) });
    return await probeAndWrite(flags, start, { catalog, signal: stop.signal });
  } catch (error) {
    if (!(error instanceof CancelError)) throw error;
    logWrapped(`conformance: ${error.message}`);
    return exitCodes.interrupted;
  } finally {
    release();
  }
}

/**
 * Rejects with an `UnwritableError` if the file cannot be written, and a `UsageError` if the file exists and must not
 * be replaced. If the file exists, `force` is false and `asks` is true, asks the user whether to replace the file.
 * Rejects with a `CancelError` if the user cancels the question.
 */
async function checkOutput({ output, profile, force }: FlagsOf<'init'>, asks: boolean): Promise<void> {
  assertWritableFile('The profile', output);
  if (force || !existsSync(output)) return;
  if (
    asks &&
    (await (await import('../io/ask.ts')).askWhether(`${output} already exists. Replace the file?`))
  )
    return;
  const extend = profile === undefined ? `, --profile ${output} --force to extend the file` : '';
  throw new UsageError(
    `${output} already exists. Use --force to replace it${extend}, or --output to write to another file.`,
  );
}

async function probeAndWrite(
  flags: FlagsOf<'init'>,
  { profile, stated, redact }: InitStart,
  { catalog, signal }: { readonly catalog: Catalog; readonly signal: AbortSignal },
): Promise<number> {
  const { output } = flags;
  const promise = createPromise(catalog, profile);
  const reach = readConnectionOptions(flags);
  logBaseUrlHint(profile, catalog);
  for (const [property, variable] of profile.unset) {
    if (!property.startsWith('keys.'))
      logWrapped(
        `${property} is ignored, since the environment variable ${variable} is unset or empty. Set the variable if the gateway needs this property.`,
        '! ',
      );
  }
  logWrapped(`Sending valid requests to ${profile.baseUrl} to find out which operations the gateway offers.`);
  const probed = await probe(promise, { reach, signal });
  if (signal.aborted) return exitCodes.interrupted;
  // A problem of one operation is printed in the line of this operation.
  for (const { operation, message } of probed.diagnosis)
    if (operation === undefined) logWrapped(formatOneLine(message), '! ');
  if (!probed.accepted) {
    const unreachable = probed.diagnosis.some(({ kind }) => kind === 'unreachable');
    if (!unreachable) log(formatOperations(probed, getStderrWidth()).join('\n'));
    const kept = existsSync(output) ? `${output} was not changed` : 'nothing was written';
    const remedy = unreachable ? 'Start the gateway' : 'Solve the problem above';
    logWrapped(`No valid request succeeded, so ${kept}. ${remedy}, and run \`init\` again.`);
    return exitCodes.notJudged;
  }
  const draft = createDraft(promise, {
    baseUrl: profile.baseUrl,
    key: profile.keys.valid,
    stated,
    probed,
  });
  if (redact(draft.text) !== draft.text)
    throw new Error('The draft of the profile contains a key, so nothing was written. Report this defect.');
  const proposals = flags.deviations ? await propose(promise, { reach, signal }) : '';
  if (signal.aborted) return exitCodes.interrupted;
  const complaint = writeOrKeep('The profile', output, () => draft.text + redact(proposals));
  if (complaint !== undefined) {
    logWrapped(`conformance: ${complaint}`);
    return exitCodes.reportNotWritten;
  }
  print(summarizeInit(flags, draft, { probed, stated }));
  return exitCodes.conforms;
}

/** Runs the suite, and returns the comments that propose deviations. */
async function propose(promise: GatewayPromise, options: RunOptions): Promise<string> {
  logWrapped('Running the suite to find out what the gateway does instead of the specification.');
  const report = await runSuite(promise, options);
  const proposed = proposeDeviations(report, promise);
  logWrapped(
    proposed.length === 0
      ? 'The gateway does nothing else consistently, so the profile proposes no deviation.'
      : `The profile proposes ${pluralize(proposed.length, 'deviation')} as comments.`,
  );
  return formatProposals(proposed);
}

function formatOperations(probed: ProbeResult, width: number): string[] {
  return operationIds.flatMap((id) => {
    const operation = probed.operations[id];
    const outcome = describeOperation(id, operation);
    if (outcome === undefined) return [];
    const { sign } = lookOf(operation.kind);
    const model = operation.model === undefined ? '' : `; model ${formatYamlLine(operation.model)}`;
    return wrapWords({ width }, `  ${sign} ${id.padEnd(14)}  `, formatOneLine(`${outcome}${model}`));
  });
}

function lookOf(kind: ProbeResult['operations'][OperationId]['kind']): Look {
  if (kind === 'presumed' || kind === 'no-model') return untriedLook;
  return kind === 'succeeded' ? outcomeLooks.conforms : outcomeLooks.violates;
}

/**
 * Formats the path of the profile, the outcomes of the operations, the number of cases that can be tested, and the
 * commands to run next.
 */
function summarizeInit(
  flags: FlagsOf<'init'>,
  { judged, whole }: Draft,
  { probed, stated }: { readonly probed: ProbeResult; readonly stated: readonly StatedProperty[] },
): string {
  const [cases, all] = [judged.cases.size, whole.cases.size];
  const width = getStdoutWidth();
  const amount = `${cases} of ${all} cases can be tested with this profile.${cases < all ? ' The file shows what to add for the other cases.' : ''}`;
  return [
    `Wrote ${flags.output}.`,
    '',
    ...formatOperations(probed, width),
    '',
    ...wrapWords({ width }, '', amount),
    '',
    'Next:',
    ...listUnsetVariables(stated, flags).map((name) => `  export ${name}=…`),
    `  ${formatRunCommand(flags)}`,
    '',
  ].join('\n');
}

function listUnsetVariables(stated: readonly StatedProperty[], { keyFile }: FlagsOf<'init'>): string[] {
  const texts = stated
    .filter(({ path }) => keyFile === undefined || path.join('.') !== 'keys.valid')
    .map(({ value }) => JSON.stringify(value));
  const names = texts.flatMap((text) => [...text.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => name));
  return [...new Set(names)].filter((name) => !process.env[name]);
}

function formatRunCommand({ output, keyFile, ca, insecure }: FlagsOf<'init'>): string {
  return [
    'npx conformance run',
    ...(output === defaultProfile ? [] : ['--profile', quote(output)]),
    ...(keyFile === undefined ? [] : ['--key-file', quote(keyFile)]),
    ...(ca === undefined ? [] : ['--ca', quote(ca)]),
    ...(insecure ? ['--insecure'] : []),
  ].join(' ');
}

function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
