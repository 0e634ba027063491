import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { sum } from '../../../common/lists.ts';
import { formatSuggestionOrList } from '../../../common/nearest.ts';
import { listSdkVariables } from '../../../reference-server/connect.ts';
import { createReferenceServer } from '../../../reference-server/create-reference-server.ts';
import { readSeed, type Seed } from '../../../reference-server/gateway/seed.ts';
import { readRules } from '../../../reference-server/read-rules.ts';
import {
  formatAppVerdict,
  formatRunLines,
  formatSituationLines,
  listViolatedDuties,
} from '../../app/format-app.ts';
import { type JudgedSituation, judgeSituation } from '../../app/judge-app.ts';
import { type AppRun, createAppObserver } from '../../app/observe-app.ts';
import { type AppSituation, readAppSituations } from '../../app/situations.ts';
import { type Catalog, catalogOfPackage } from '../../catalog/catalog.ts';
import { exitCodes } from '../../gate/exit-code.ts';
import { describeValue, hideKeys } from '../../profile/describe-value.ts';
import { UsageError } from '../../profile/profile.ts';
import { createPromise } from '../../profile/promise.ts';
import { parseProfile } from '../../profile/read-profile.ts';
import { toRecorded } from '../../traffic/proxy/capture.ts';
import { openProxy } from '../../traffic/proxy/open-proxy.ts';
import type { FlagsOf } from '../command-table.ts';
import { createLogPage } from '../io/log-page.ts';
import { onEndingSignal } from '../io/terminal.ts';

/** An app that sends one request this often won't stop by itself. */
const mostRepeats = 100;

/**
 * Runs an app's command against the reference gateway, first as usual and then in the chosen situations, and returns
 * the exit code. Rejects with a `UsageError` if a situation is unknown or the command can't be started.
 */
export async function appCommand(command: readonly string[], flags: FlagsOf<'app'>): Promise<number> {
  const catalog = await catalogOfPackage();
  const chosen = chooseSituations(flags.situation, readAppSituations(catalog.schemas));
  const { page, logLines } = createLogPage(flags.verbose);
  const seed = addModels(readSeed(), flags.model);
  const run = (situation?: AppSituation): Promise<AppRun | undefined> =>
    runOnce(command, {
      catalog,
      seed,
      situation,
      maxTimeMs: flags.maxTime,
      // What a command prints when each call fails is long, and expected.
      isQuiet: situation !== undefined && !flags.verbose,
    });

  const normal = await run();
  if (normal === undefined) return exitCodes.interrupted;
  logLines(['', ...formatRunLines(page, normal)]);
  if (normal.stopped !== undefined) {
    logLines([`The command was ended: ${normal.stopped}.`]);
    return exitCodes.violated;
  }
  if (normal.exitCode !== 0) {
    if (chosen.length > 0) logLines(['No situation was tried, since the command already fails without one.']);
    return normal.exitCode;
  }
  if (normal.calls === 0) {
    logLines([noCalls]);
    return exitCodes.notJudged;
  }
  const judged: JudgedSituation[] = [];
  for (const situation of chosen) {
    logLines([page.paint('dim', `Situation ${situation.id} …`)]);
    const seen = await run(situation);
    if (seen === undefined) return exitCodes.interrupted;
    judged.push(judgeSituation(situation, seen, normal));
  }
  for (const one of judged) logLines(['', ...formatSituationLines(page, one)]);
  logLines(['', ...formatAppVerdict(page, normal, judged)]);
  if (listViolatedDuties(normal).length > 0 || judged.some(({ outcome }) => outcome === 'broken'))
    return exitCodes.violated;
  const isMissing = judged.some(
    ({ outcome, situation }) => outcome === 'not-seen' && flags.situation.includes(situation.id),
  );
  return isMissing ? exitCodes.notJudged : exitCodes.conforms;
}

const noCalls =
  'The command made no call to the gateway. Its clients must read OPENAI_BASE_URL, ANTHROPIC_BASE_URL, GOOGLE_GEMINI_BASE_URL or GATEWAY_URL.';

function chooseSituations(names: readonly string[], known: readonly AppSituation[]): readonly AppSituation[] {
  const ids = [...known.map(({ id }) => id), 'all'];
  for (const name of names)
    if (!ids.includes(name))
      throw new UsageError(`Unknown situation ${describeValue(name)}.${formatSuggestionOrList(name, ids)}`);
  return names.includes('all') ? known : known.filter(({ id }) => names.includes(id));
}

/** Returns a seed that also offers these models. */
function addModels(seed: Seed, ids: readonly string[]): Seed {
  const added = ids.map((id) => ({
    id,
    protocols: ['chat', 'responses', 'messages', 'generate'] as const,
    images: true,
  }));
  return { ...seed, models: [...seed.models.filter(({ id }) => !ids.includes(id)), ...added] };
}

/** Runs the command with a gateway of its own. Resolves to undefined if a signal arrives. */
async function runOnce(
  command: readonly string[],
  options: {
    readonly catalog: Catalog;
    readonly seed: Seed;
    readonly situation: AppSituation | undefined;
    readonly maxTimeMs: number;
    /** Whether the output of the command is kept instead of shown. */
    readonly isQuiet: boolean;
  },
): Promise<AppRun | undefined> {
  const { catalog, seed, situation, maxTimeMs, isQuiet } = options;
  const rules = readRules(situation?.rules ?? []);
  const gateway = await createReferenceServer({ seed });
  for (const rule of rules) gateway.situations.add(rule);
  const observer = createAppObserver(createPromise(catalog, parseProfile(gateway.profile, catalog)));
  const child = new AbortController();
  const proxy = await openProxy({
    baseUrl: gateway.url,
    port: 0,
    onExchange: (passed) => {
      if (observer.add(toRecorded(passed)) > mostRepeats)
        child.abort(`it sent one request more than ${mostRepeats} times`);
    },
  });
  const timer = setTimeout(
    () => child.abort(`it ran longer than ${maxTimeMs / 1000} s (--max-time)`),
    maxTimeMs,
  );
  let isInterrupted = false;
  const release = onEndingSignal(() => {
    isInterrupted = true;
    child.abort('a signal arrived');
  });
  let ended: EndedChild;
  try {
    const env = environmentFor(proxy.url, gateway.profile.keys.valid, process.env);
    ended = await runChild(command, { env, signal: child.signal, isQuiet });
  } finally {
    clearTimeout(timer);
    release();
    await proxy.close();
    await gateway.close();
  }
  if (isInterrupted) return undefined;
  const stopped = child.signal.aborted ? String(child.signal.reason) : undefined;
  const met = sum(gateway.situations.list().map(({ used }) => used));
  return observer.end({ ...ended, stopped, met });
}

/** Returns the environment of the command: the one of this process, and what SDKs read to find the gateway. */
function environmentFor(url: string, key: string, outer: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  // The SDK of Anthropic would send this token next to the key.
  const { ANTHROPIC_AUTH_TOKEN: _, ...kept } = outer;
  // The gateway is on this machine, which a proxy of the environment can't reach.
  const noProxy = [outer.NO_PROXY ?? outer.no_proxy, '127.0.0.1'].filter(Boolean).join(',');
  return {
    ...kept,
    GATEWAY_URL: url,
    GATEWAY_API_KEY: key,
    ...listSdkVariables(url, key),
    NO_PROXY: noProxy,
    no_proxy: noProxy,
  };
}

/** The time between SIGTERM and SIGKILL, in milliseconds. */
const killAfterMs = 5_000;

/** The number of characters of a quiet command's output that are kept. */
const mostOutput = 16_384;

type EndedChild = Pick<AppRun, 'exitCode' | 'output'>;

/** Runs a command until it ends, or `signal` ends it. */
async function runChild(
  [file = '', ...args]: readonly string[],
  {
    env,
    signal,
    isQuiet,
  }: { readonly env: NodeJS.ProcessEnv; readonly signal: AbortSignal; readonly isQuiet: boolean },
): Promise<EndedChild> {
  const out = isQuiet ? 'pipe' : 'inherit';
  const child = spawn(file, args, { env, stdio: ['inherit', out, out] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text) => {
      output = (output + text).slice(-mostOutput);
    });
  let killTimer: NodeJS.Timeout | undefined;
  const stop = (): void => {
    child.kill('SIGTERM');
    killTimer = setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  };
  signal.addEventListener('abort', stop);
  try {
    const exitCode = await new Promise<number>((resolve, reject) => {
      child.once('error', (error) =>
        reject(
          new UsageError(
            `The command ${describeValue(file)} could not be started: ${hideKeys(error.message, process.env)}. Check its name and your PATH.`,
          ),
        ),
      );
      child.once('exit', (code, name) =>
        resolve(code ?? 128 + (name === null ? 0 : constants.signals[name])),
      );
    });
    return { exitCode, output: hideKeys(output, env) };
  } finally {
    signal.removeEventListener('abort', stop);
    clearTimeout(killTimer);
  }
}
