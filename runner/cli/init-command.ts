import { existsSync } from 'node:fs';
import { loadCatalog } from '../catalog/catalog.ts';
import { yamlLine } from '../catalog/data-file.ts';
import { type Draft, draftFound } from '../draft-found.ts';
import { answered, type Probed, probe } from '../probe.ts';
import { type KeyName, optionalKeys } from '../profile/additions.ts';
import { UsageError } from '../profile/profile.ts';
import { profileOf } from '../profile/read-profile.ts';
import { exitCodes } from '../report/exit-code.ts';
import { makeRedact } from '../report/redact.ts';
import { defaultLimits } from '../send/http.ts';
import { makeKeys } from '../send/keys.ts';
import { type ReachFlags, readReach } from './reach.ts';
import { defaultProfile, readKey, type TargetFlags } from './target.ts';
import { holdReady, writeOrKeep } from './unwritten.ts';
import { Cancelled } from './user-error.ts';

/** The flags of `init`. */
export interface InitFlags extends Pick<TargetFlags, 'baseUrl' | 'keyFile'>, ReachFlags {
  readonly output: string;
  readonly force: boolean;
  readonly yes: boolean;
}

/** What must be known before anything is sent. */
interface Start {
  readonly baseUrl: string | undefined;
  readonly key: string | undefined;
  readonly keys: readonly KeyName[];
  readonly operations: Readonly<Record<string, string>>;
}

/** Probes a gateway and writes what was found into a new profile, which never has a key in it; gives the exit code. */
export async function initCommand(flags: InitFlags): Promise<number> {
  const asks = !flags.yes && process.stdin.isTTY === true && process.stderr.isTTY === true;
  const stop = new AbortController();
  const interrupt = (): void => stop.abort();
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  try {
    await holdFree(flags, asks);
    const start = asks ? await askStart(flags) : startOf(flags);
    return await findAndWrite(flags, start, { asks, signal: stop.signal });
  } catch (error) {
    if (!(error instanceof Cancelled)) throw error;
    process.stderr.write(`conformance: ${error.message}\n`);
    return exitCodes.interrupted;
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}

/** Sees that the file may be written, before anything is asked or sent. */
async function holdFree({ output, force }: InitFlags, asks: boolean): Promise<void> {
  holdReady('The profile', output);
  if (force || !existsSync(output)) return;
  if (asks && (await (await import('./ask.ts')).askWhether(`There is a file ${output}. Write over it?`)))
    return;
  throw new UsageError(`There is a file ${output} already. --force writes over it, --output names another.`);
}

function startOf(flags: InitFlags): Start {
  return {
    baseUrl: flags.baseUrl,
    key: readKey(flags) ?? process.env.GATEWAY_API_KEY,
    keys: knownKeys(),
    operations: {},
  };
}

function knownKeys(): KeyName[] {
  return optionalKeys.filter(({ variable }) => process.env[variable]).map(({ role }) => role);
}

async function askStart(flags: InitFlags): Promise<Start> {
  const { askBaseUrl, askBilling, askKey, askKeys } = await import('./ask.ts');
  const known = startOf(flags);
  return {
    baseUrl: known.baseUrl ?? (await askBaseUrl()),
    key: known.key ?? (await askKey()),
    keys: await askKeys(known.keys),
    operations: await askBilling(),
  };
}

async function findAndWrite(
  flags: InitFlags,
  { baseUrl, key, keys, operations }: Start,
  { asks, signal }: { readonly asks: boolean; readonly signal: AbortSignal },
): Promise<number> {
  const { output, force } = flags;
  const reach = readReach(flags);
  const catalog = await loadCatalog();
  const profile = profileOf({ baseUrl, keys: key ? { valid: key } : {}, operations }, catalog);
  const redact = makeRedact(makeKeys(profile.keys).secrets);
  const isClean = (text: string): boolean => redact(text) === text;
  if (!isClean(profile.baseUrl)) throw new UsageError('The base URL has the key in it.');
  process.stderr.write(`${profile.baseUrl}: sending good calls only, to see what answers.\n`);
  const probed = await probe(catalog, profile, { limits: defaultLimits, reach, signal });
  if (signal.aborted) return exitCodes.interrupted;
  for (const complaint of probed.complaints) process.stderr.write(`! ${complaint}\n`);
  if (!probed.accepted) {
    const wanted =
      force ||
      (asks && (await (await import('./ask.ts')).askWhether(`Write ${output} with nothing found in it?`)));
    if (!wanted) {
      process.stderr.write('Nothing was written. --force writes a file with nothing found in it.\n');
      return exitCodes.notJudged;
    }
  }
  const draft = draftFound(catalog, {
    baseUrl: profile.baseUrl,
    key: profile.keys.valid,
    keys,
    operations,
    probed,
  });
  if (!isClean(draft.text)) throw new Error('The drafted profile has the key in it.');
  const complaint = writeOrKeep('The profile', output, draft.text);
  if (complaint !== undefined) {
    process.stderr.write(`conformance: ${complaint}\n`);
    return exitCodes.reportNotWritten;
  }
  process.stdout.write(told(output, draft, probed));
  return probed.accepted ? exitCodes.conforms : exitCodes.notJudged;
}

/** What was found and written, in a few lines. */
function told(output: string, { judged, whole }: Draft, probed: Probed): string {
  const found = answered(probed).map((id) => {
    const { headers, streams, model } = probed.operations[id];
    const shown = model === undefined ? '' : `; model ${yamlLine(model)}`;
    return `  ${id.padEnd(14)}  key in ${headers.join(', ')}${streams ? '; streams' : ''}${shown}`;
  });
  return [
    `${output} is written. ${found.length === 0 ? 'Nothing answered a good call with success.' : 'These answered a good call with success:'}`,
    ...found,
    `With it ${judged.cases.size} of ${whole.cases.size} cases can be judged; what to add for the others stands in the file.`,
    `Its keys come from the environment: export GATEWAY_API_KEY, then \`conformance run${output === defaultProfile ? '' : ` --profile ${output}`}\`.`,
    '',
  ].join('\n');
}
