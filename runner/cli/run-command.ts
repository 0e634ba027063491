import { existsSync, readFileSync } from 'node:fs';
import { createReferenceServer } from '../../reference-server/index.ts';
import { type Catalog, loadCatalog } from '../catalog/catalog.ts';
import { type Profile, UsageError } from '../profile/profile.ts';
import { profileOf, readProfile } from '../profile/read-profile.ts';
import { exitCode, exitCodes } from '../report/exit-code.ts';
import { prepare, run } from '../run.ts';
import { makeProgress } from './progress.ts';
import { chooseReporters, writeReports } from './reporters.ts';

/** The flags of `run`; times in milliseconds. */
export interface RunFlags {
  readonly baseUrl?: string;
  readonly profile?: string;
  readonly keyFile?: string;
  readonly key?: string;
  readonly suite: readonly string[];
  readonly only: readonly string[];
  readonly reporter: readonly string[];
  readonly concurrency: number;
  readonly wait: number;
  readonly strict: boolean;
  readonly strictShould: boolean;
  readonly verbose: boolean;
  readonly connectTimeout: number;
  readonly firstByteTimeout: number;
  readonly successTimeout: number;
  readonly idleTimeout: number;
  readonly totalTimeout: number;
  readonly maxBody: number;
}

const defaultProfile = 'conformance.yaml';

/** Judges the target, or the reference gateway where there is none, and gives the exit code. */
export async function runCommand(flags: RunFlags): Promise<number> {
  const reporters = chooseReporters(flags.reporter);
  const catalog = await loadCatalog();
  const target = await openTarget(flags, catalog);
  const stop = new AbortController();
  const interrupt = (): void => (stop.signal.aborted ? process.exit(exitCodes.interrupted) : stop.abort());
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  const progress = makeProgress(process.stderr);
  try {
    const selection = { suites: flags.suite, only: flags.only };
    const prepared = prepare(catalog, target.profile, selection);
    const { requests, billable, badKeys } = prepared.estimate;
    process.stderr.write(
      `${target.about}: ${prepared.plan.cases.length} cases, about ${requests} requests; ${billable} may be billed, ${badKeys} carry a bad key.\n`,
    );
    const report = await run(catalog, target.profile, {
      selection,
      prepared,
      concurrency: flags.concurrency,
      waitMs: flags.wait,
      signal: stop.signal,
      onProgress: progress.show,
      limits: {
        connectMs: flags.connectTimeout,
        firstByteMs: flags.firstByteTimeout,
        successFirstByteMs: flags.successTimeout,
        idleMs: flags.idleTimeout,
        totalMs: flags.totalTimeout,
        bodyBytes: flags.maxBody,
      },
    });
    progress.clear();
    const complaints = writeReports(report, reporters, { colour: wantsColour(), verbose: flags.verbose });
    for (const complaint of complaints) process.stderr.write(`conformance: ${complaint}\n`);
    const code = exitCode(report, flags);
    return complaints.length > 0 && code !== exitCodes.interrupted ? exitCodes.reportNotWritten : code;
  } finally {
    progress.clear();
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
    await target.close();
  }
}

interface Target {
  readonly profile: Profile;
  readonly about: string;
  readonly close: () => Promise<void>;
}

async function openTarget(flags: RunFlags, catalog: Catalog): Promise<Target> {
  const path = flags.profile ?? (existsSync(defaultProfile) ? defaultProfile : undefined);
  if (path === undefined && flags.baseUrl === undefined) {
    const server = await createReferenceServer();
    return {
      profile: profileOf(server.profile, catalog),
      about: `The reference gateway, started at ${server.url}`,
      close: () => server.close(),
    };
  }
  const profile = readProfile(path, { baseUrl: flags.baseUrl, key: readKey(flags) }, process.env, catalog);
  const hint = /\/v1$/.test(profile.baseUrl)
    ? ' (it ends in /v1, and request paths begin with it: is that meant?)'
    : '';
  return { profile, about: `${profile.baseUrl}${hint}`, close: async () => {} };
}

function readKey({ key, keyFile }: RunFlags): string | undefined {
  if (key !== undefined) {
    process.stderr.write(
      'conformance: a key on the command line can be seen by others; use GATEWAY_API_KEY or --key-file.\n',
    );
    return key;
  }
  if (keyFile === undefined) return undefined;
  const text = readText(keyFile).trim();
  if (text === '') throw new UsageError(`The key file ${keyFile} is empty.`);
  return text;
}

/** Colour where stdout is a terminal, unless the environment says otherwise. */
function wantsColour(): boolean {
  if (process.env.NO_COLOR) return false;
  return process.stdout.isTTY === true && process.env.TERM !== 'dumb';
}

function readText(file: string): string {
  if (!existsSync(file)) throw new UsageError(`There is no key file ${file}.`);
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(
      `The key file ${file} can't be read: ${error instanceof Error ? error.message : error}`,
    );
  }
}
