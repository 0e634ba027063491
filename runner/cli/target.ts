import { existsSync, readFileSync } from 'node:fs';
import type { Catalog } from '../catalog/catalog.ts';
import { type Profile, UsageError } from '../profile/profile.ts';
import { type ProfileOverrides, profileOf, readProfile } from '../profile/read-profile.ts';

/** The flags that say which gateway is meant. */
export interface TargetFlags {
  readonly baseUrl?: string;
  readonly profile?: string;
  readonly keyFile?: string;
  readonly key?: string;
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
    const { createReferenceServer } = await import('../../reference-server/create-reference-server.ts');
    const server = await createReferenceServer();
    return {
      profile: profileOf(server.profile, catalog),
      about: `The reference gateway, started at ${server.url}`,
      close: () => server.close(),
    };
  }
  return gatewayOf(path, { baseUrl: flags.baseUrl, key: readKey(flags) }, catalog);
}

/** The gateway of a profile, or of none where the overrides say enough. */
export function gatewayOf(path: string | undefined, overrides: ProfileOverrides, catalog: Catalog): Target {
  const profile = readProfile(path, overrides, process.env, catalog);
  const hint = /\/v1$/.test(profile.baseUrl)
    ? ' (it ends in /v1, and request paths begin with it: is that meant?)'
    : '';
  return { profile, about: `${profile.baseUrl}${hint}`, close: async () => {} };
}

/** What is known of the gateway whose traffic is judged: nothing but the defaults where nobody says more. */
export function trafficProfile(flags: TargetFlags, catalog: Catalog): Profile {
  const overrides = { baseUrl: flags.baseUrl, key: readKey(flags), sendsNothing: true };
  return readProfile(profilePath(flags), overrides, process.env, catalog);
}

/** The profile of the flags, or of the working folder. */
export function profilePath({ profile }: TargetFlags): string | undefined {
  return profile ?? (existsSync(defaultProfile) ? defaultProfile : undefined);
}

/** The valid key that the flags give, if they do; throws UsageError where the file has none. */
export function readKey({ key, keyFile }: Pick<TargetFlags, 'key' | 'keyFile'>): string | undefined {
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
