import { existsSync, readFileSync } from 'node:fs';
import type { Catalog } from '../../catalog/catalog.ts';
import { baseUrlHint } from '../../profile/base-url.ts';
import { describeValue } from '../../profile/describe-value.ts';
import { variablesIn } from '../../profile/expand.ts';
import { type Profile, UsageError } from '../../profile/profile.ts';
import { type ProfileOverrides, profileOf, readProfile } from '../../profile/read-profile.ts';
import { headerValues, readHeaderFlags } from '../flags/connection-flags.ts';
import { log } from './terminal.ts';

/** The flags that say which gateway is meant. */
export interface TargetFlags {
  readonly baseUrl?: string;
  readonly profile?: string;
  readonly keyFile?: string;
  readonly key?: string;
  readonly header?: readonly string[];
  readonly allowEnv?: readonly string[];
}

/** A gateway to judge. */
export interface Target {
  readonly profile: Profile;
  /** What people are told of it. */
  readonly about: string;
  readonly close: () => Promise<void>;
}

/** The profile that is read where none is named. */
export const defaultProfile = 'conformance.yaml';

/** The gateway of the flags, or the reference gateway, started for this, where they name none. */
export async function openTarget(flags: TargetFlags, catalog: Catalog): Promise<Target> {
  const path = profilePath(flags);
  if (path === undefined && flags.baseUrl === undefined) {
    const { createReferenceServer } = await import('../../../reference-server/create-reference-server.ts');
    const server = await createReferenceServer();
    return {
      profile: profileOf(server.profile, catalog),
      about: `The reference gateway, started at ${server.url}`,
      close: () => server.close(),
    };
  }
  return gatewayOf(path, readOverrides(flags), catalog);
}

/** What the flags state over a profile. */
export function readOverrides(flags: TargetFlags): ProfileOverrides {
  const headers = readHeaderFlags(flags.header ?? [], process.env);
  return {
    baseUrl: flags.baseUrl,
    key: readKey(flags),
    headers: headerValues(headers),
    allowedVariables: flags.allowEnv,
    usedVariables: headers.flatMap(({ text }) => variablesIn(text)),
  };
}

/** The gateway of a profile, or of the overrides alone. */
export function gatewayOf(path: string | undefined, overrides: ProfileOverrides, catalog: Catalog): Target {
  const profile = readProfile(path, overrides, process.env, catalog);
  logBaseUrlHint(profile, catalog);
  return { profile, about: profile.baseUrl, close: async () => {} };
}

/** What is known of the gateway whose traffic is judged: the defaults where neither flags nor a profile say more. */
export function trafficProfile(flags: TargetFlags, catalog: Catalog): Profile {
  const overrides = { ...readOverrides(flags), sendsNothing: true };
  const profile = readProfile(profilePath(flags), overrides, process.env, catalog);
  logBaseUrlHint(profile, catalog);
  return profile;
}

/** Says where a base URL seems to have the beginning of a request path in it. */
export function logBaseUrlHint({ baseUrl }: Profile, { operations }: Catalog): void {
  const hint = baseUrlHint(baseUrl, operations);
  if (hint !== undefined) log(`conformance: ${hint}`);
}

/** The profile of the flags, or of the working folder. */
export function profilePath({ profile }: TargetFlags): string | undefined {
  return profile ?? (existsSync(defaultProfile) ? defaultProfile : undefined);
}

/** The valid key that the flags give, if they do; throws UsageError where the file has none. */
export function readKey({ key, keyFile }: Pick<TargetFlags, 'key' | 'keyFile'>): string | undefined {
  if (key !== undefined) {
    log('conformance: a key on the command line can be seen by others; use GATEWAY_API_KEY or --key-file.');
    return key;
  }
  if (keyFile === undefined) return undefined;
  const text = readText(keyFile).trim();
  if (text === '') throw new UsageError(`--key-file ${describeValue(keyFile)}: the file is empty.`);
  return text;
}

function readText(file: string): string {
  if (!existsSync(file))
    throw new UsageError(
      `--key-file ${describeValue(file)}: the file does not exist. The flag takes the path of a file that contains the key; the key itself can be given in GATEWAY_API_KEY.`,
    );
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(
      `--key-file ${describeValue(file)}: the file cannot be read (${systemCode(error)}).`,
    );
  }
}

/** The code of an error of the system, whose message would repeat the path. */
function systemCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}
