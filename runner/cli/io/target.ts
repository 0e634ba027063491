import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describeReadError, readDataFile } from '../../../common/data-file.ts';
import type { Catalog, CatalogData } from '../../catalog/catalog.ts';
import { formatBaseUrlHint } from '../../profile/base-url.ts';
import { describeValue } from '../../profile/describe-value.ts';
import { createEverythingProfile } from '../../profile/everything-profile.ts';
import { findVariables } from '../../profile/expand.ts';
import { readOwnData } from '../../profile/own-files.ts';
import { type Profile, UsageError } from '../../profile/profile.ts';
import { createPromise, type GatewayPromise } from '../../profile/promise.ts';
import { type ProfileOverrides, parseProfile, readProfile } from '../../profile/read-profile.ts';
import type { ValuesOf } from '../../run/define-option.ts';
import { runOptions } from '../../run/options.ts';
import { readHeaderFlags, resolveHeaderValues } from '../flags/connection-flags.ts';
import { readModelFlags, resolveModelIds } from '../flags/model-flags.ts';
import { gatewayFlags } from '../flags/shared-flags.ts';
import { log } from './terminal.ts';

const targetFlags = { ...gatewayFlags, allowSetup: runOptions.allowSetup };

/** The flags that describe a gateway, of which each command has some. */
export type TargetFlags = Partial<ValuesOf<typeof targetFlags>>;

export interface Target {
  readonly promise: GatewayPromise;
  /** The name of the gateway in messages, such as the base URL. */
  readonly about: string;
  /** Whether it is the bundled reference gateway, which gets a new address at each start. */
  readonly isBundled?: boolean;
  readonly close: () => Promise<void>;
}

/** The path of the default profile, relative to the working folder. */
export const defaultProfile = 'conformance.yaml';

/**
 * Reads the gateway from the profile and the flags. If the flags contain no base URL and no profile is found, starts
 * the reference gateway. Rejects with a `UsageError` or a `DataFileError` if a flag or the profile is invalid, or if a
 * flag such as `--key` describes a gateway without a base URL and a profile.
 */
export async function openTarget(flags: TargetFlags, catalog: Catalog): Promise<Target> {
  const path = findProfile(flags);
  if (path === undefined && flags.baseUrl === undefined) {
    assertNoDependentFlags(flags);
    const { createReferenceServer } = await import('../../../reference-server/create-reference-server.ts');
    const server = await createReferenceServer();
    return {
      promise: createPromise(catalog, parseProfile(server.profile, catalog)),
      about: `The reference gateway, started at ${server.url}`,
      isBundled: true,
      close: () => server.close(),
    };
  }
  return readGateway(path, readOverrides(flags), catalog);
}

/** Returns the first of the flags `names` that is given, such as `--key`; undefined if none of these flags is given. */
export function findGivenFlag(flags: TargetFlags, names: readonly (keyof TargetFlags)[]): string | undefined {
  const given = names.find((name) => [flags[name] ?? []].flat().some(Boolean));
  return given && targetFlags[given].flag.split(' ')[0];
}

/** Without this check, a forgotten base URL would lead to a test of the reference gateway, which always conforms. */
function assertNoDependentFlags(flags: TargetFlags): void {
  const given = findGivenFlag(flags, ['keyFile', 'key', 'header', 'model', 'allowEnv', 'allowSetup']);
  if (given !== undefined)
    throw new UsageError(`${given} has no effect without a gateway. Add its URL, or --profile.`);
}

/** Returns the flags as overrides for the reading of a profile. Throws a `UsageError` for an invalid flag. */
export function readOverrides(flags: TargetFlags): ProfileOverrides {
  const headers = readHeaderFlags(flags.header ?? [], process.env);
  const models = readModelFlags(flags.model ?? [], process.env);
  return {
    baseUrl: flags.baseUrl,
    key: readKey(flags),
    headers: resolveHeaderValues(headers),
    models: resolveModelIds(models),
    allowedVariables: flags.allowEnv,
    setupEnvironment: flags.allowSetup ? process.env : undefined,
    usedVariables: [...headers, ...models].flatMap(({ text }) => findVariables(text)),
  };
}

/**
 * Reads a gateway from a profile and overrides or, if `path` is undefined, from the overrides and the keys in
 * environment variables. Throws a `UsageError` or a `DataFileError` if the profile or an override is invalid.
 */
export function readGateway(path: string | undefined, overrides: ProfileOverrides, catalog: Catalog): Target {
  const profile = readProfile(path, overrides, process.env, catalog);
  logBaseUrlHint(profile, catalog);
  return { promise: createPromise(catalog, profile), about: profile.baseUrl, close: async () => {} };
}

/**
 * Reads the gateway whose traffic is judged. All properties of its profile are optional. Throws a `UsageError` or a
 * `DataFileError` if a flag or the profile is invalid.
 */
export function readTrafficTarget(flags: TargetFlags, catalog: Catalog): Target {
  return readGateway(findProfile(flags), { ...readOverrides(flags), sendsNothing: true }, catalog);
}

/**
 * Returns the promise of a gateway whose profile has every property, with the requirements and scenarios that the profile
 * of the flags adds. Nothing else of that profile matters. Throws a `DataFileError` if they are invalid.
 */
export function createEverythingPromise(
  flags: Pick<TargetFlags, 'profile'>,
  catalog: Catalog,
): GatewayPromise {
  const everything = createEverythingProfile(catalog);
  const path = findProfile(flags);
  const own = path === undefined ? everything.own : readOwnData(readDataFile(path), dirname(path));
  return createPromise(catalog, { ...everything, own });
}

/** Logs a hint if the base URL ends with the beginning of a request path, such as `/v1`. */
export function logBaseUrlHint({ baseUrl }: Profile, { operations }: Pick<CatalogData, 'operations'>): void {
  const hint = formatBaseUrlHint(baseUrl, operations);
  if (hint !== undefined) log(`conformance: ${hint}`);
}

/** Returns the path of the profile: the flag, otherwise the default profile if the file exists, otherwise undefined. */
export function findProfile({ profile }: TargetFlags): string | undefined {
  return profile ?? (existsSync(defaultProfile) ? defaultProfile : undefined);
}

/**
 * Returns the valid key of `--key` or `--key-file`; undefined without these flags. Logs a warning for `--key`. Throws a
 * `UsageError` if the key file cannot be read or is empty.
 */
export function readKey({ key, keyFile }: Pick<TargetFlags, 'key' | 'keyFile'>): string | undefined {
  if (key !== undefined) {
    log(
      'conformance: Other users of this machine can see a key on the command line. Use GATEWAY_API_KEY or --key-file instead of --key.',
    );
    return key;
  }
  if (keyFile === undefined) return undefined;
  const text = readText(keyFile).trim();
  if (text === '')
    throw new UsageError(
      `--key-file ${describeValue(keyFile)}: the file is empty. Write the key into the file.`,
    );
  return text;
}

function readText(file: string): string {
  if (!existsSync(file))
    throw new UsageError(
      `--key-file ${describeValue(file)}: the file does not exist. --key-file takes the path of a file that contains the key. To pass the key itself, set GATEWAY_API_KEY.`,
    );
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`--key-file ${describeValue(file)}: ${describeReadError(error)}`);
  }
}
