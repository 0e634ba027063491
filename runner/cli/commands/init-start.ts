import { type DataFile, readDataFile } from '../../../common/data-file.ts';
import { toMapping } from '../../../common/mapping.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import {
  billingRequests,
  type KeyName,
  optionalKeys,
  type StatedProperty,
  splitProfile,
} from '../../init/optional-properties.ts';
import { expandText, findVariables, isAllowedVariable } from '../../profile/expand.ts';
import { mergeHeaders } from '../../profile/header.ts';
import { type Profile, UsageError } from '../../profile/profile.ts';
import { type ProfileOverrides, readProfile } from '../../profile/read-profile.ts';
import { createRedact, type Redact } from '../../report/redaction/redact.ts';
import { deriveKeys } from '../../request/keys.ts';
import type { FlagsOf } from '../command-table.ts';
import { readHeaderFlags, resolveHeaderValues } from '../flags/connection-flags.ts';
import { readModelFlags, replaceModels, resolveModelIds } from '../flags/model-flags.ts';
import { readKey } from '../io/target.ts';

/** The information about a gateway that is available before the first request. */
export interface InitStart {
  readonly profile: Profile;
  /** The properties of the new profile that do not depend on responses of the gateway. */
  readonly stated: readonly StatedProperty[];
  readonly redact: Redact;
}

const usualKey = '${GATEWAY_API_KEY}';

/**
 * Reads the flags of `init` and the existing profile, then calls `checkOutput`, which may ask whether to replace the
 * output file. If `asks` is true, asks the user for missing values. Rejects with a `UsageError` or a `DataFileError` if
 * a flag or the profile is invalid, or if the new profile would contain a key. Rejects with a `CancelError` if the user
 * cancels a question. Also rejects with the errors of `checkOutput`.
 */
export async function readInitStart(
  flags: FlagsOf<'init'>,
  catalog: Catalog,
  { asks, checkOutput }: { readonly asks: boolean; readonly checkOutput: () => Promise<void> },
): Promise<InitStart> {
  const { env } = process;
  const file = flags.profile === undefined ? undefined : readDataFile(flags.profile);
  const existing = toMapping(file?.value);
  const headers = readHeaderFlags(flags.header, env);
  const models = readModelFlags(flags.model, env);
  const texts = [
    ...headers.map(({ name, text }) => ({ flag: `--header ${name}`, text })),
    ...models.map(({ operation, text }) => ({ flag: `--model ${operation}`, text })),
  ];
  rejectVariables(texts, flags.allowEnv);
  const given: ProfileOverrides = {
    baseUrl: flags.baseUrl,
    key: readKey(flags),
    headers: resolveHeaderValues(headers),
    models: resolveModelIds(models),
    allowedVariables: flags.allowEnv,
    usedVariables: headers.flatMap(({ text }) => findVariables(text)),
  };
  // Errors of the profile are reported before the user is asked for values.
  if (file) {
    readProfile(file.file, { ...given, sendsNothing: true }, env, catalog);
    rejectKeys(file, existing);
  }
  await checkOutput();
  const own = asks ? await askRest(given, existing) : { ...given, keys: listKeysInEnvironment() };
  const profile = readProfile(flags.profile, own, env, catalog);
  const redact = createRedact(deriveKeys(profile.keys).secrets);
  const chosen = optionalKeys.filter(({ role }) => own.keys.includes(role));
  const stated = splitProfile(
    {
      ...existing,
      baseUrl: own.baseUrl ?? existing.baseUrl,
      keys: {
        valid: usualKey,
        ...Object.fromEntries(chosen.map(({ role, variable }) => [role, `\${${variable}}`])),
        ...toMapping(existing.keys),
      },
      headers: mergeHeaders(
        toMapping(existing.headers),
        Object.fromEntries(headers.map(({ name, text }) => [name, text])),
      ),
      models: replaceModels(toMapping(existing.models), models),
      operations: { ...toMapping(existing.operations), ...own.operations },
    },
    env,
  );
  rejectSecrets(stated, redact);
  return { profile, stated, redact };
}

function listKeysInEnvironment(): KeyName[] {
  return optionalKeys.filter(({ variable }) => process.env[variable]).map(({ role }) => role);
}

/**
 * Asks the user for missing values: the base URL, the valid key, and the request lines of the billing-type endpoints.
 * Also asks which other keys the environment will contain.
 */
async function askRest(
  given: ProfileOverrides,
  existing: Readonly<Record<string, unknown>>,
): Promise<ProfileOverrides & { readonly keys: readonly KeyName[] }> {
  const { askBaseUrl, askBilling, askKey, askKeys } = await import('../io/ask.ts');
  const isStated = (group: string, name: string): boolean => toMapping(existing[group])[name] !== undefined;
  const source = String(toMapping(existing.keys).valid ?? usualKey);
  const baseUrl = given.baseUrl ?? (existing.baseUrl === undefined ? await askBaseUrl() : undefined);
  const hasKey = given.key !== undefined || 'text' in expandText(source, process.env);
  return {
    ...given,
    baseUrl,
    key: hasKey ? given.key : await askKey(source.replace(/^\$\{(.*)\}$/, '$1')),
    keys: await askKeys(
      optionalKeys.filter(({ role }) => !isStated('keys', role)),
      listKeysInEnvironment(),
    ),
    operations: await askBilling(
      billingRequests.filter(({ operation }) => !isStated('operations', operation)),
    ),
  };
}

/**
 * Throws a `DataFileError` for a literal key in the existing profile, because the new profile would contain the key.
 */
function rejectKeys(file: DataFile, existing: Readonly<Record<string, unknown>>): void {
  for (const [role, text] of Object.entries(toMapping(existing.keys))) {
    if (typeof text !== 'string' || text.includes('${')) continue;
    const variable = optionalKeys.find((key) => key.role === role)?.variable ?? 'GATEWAY_API_KEY';
    throw file.error(
      ['keys', role],
      `keys.${role} contains the key itself, but \`init\` does not write keys to files. Write \`\${${variable}}\` instead, and set that environment variable.`,
    );
  }
}

/** Throws a `UsageError` if a flag contains a variable that the new profile would not be allowed to read. */
function rejectVariables(
  texts: readonly { readonly flag: string; readonly text: string }[],
  allowed: readonly string[] = [],
): void {
  for (const { flag, text } of texts)
    for (const name of findVariables(text))
      if (!isAllowedVariable(name, allowed))
        throw new UsageError(
          `${flag} refers to the environment variable ${name}. \`init\` writes the reference into the profile. By default, a profile may refer only to variables whose names begin with GATEWAY_. Rename the variable, or allow the variable with --allow-env ${name}.`,
        );
}

/** Throws a `UsageError` if the path or the value of a property contains a key. */
function rejectSecrets(stated: readonly StatedProperty[], redact: Redact): void {
  for (const { path, value } of stated) {
    const text = JSON.stringify([path, value]);
    if (redact(text) === text) continue;
    throw new UsageError(
      `In the new profile, ${redact(path.join('.'))} would contain an API key, but \`init\` does not write keys to files. Remove the key, or write \`\${NAME}\`, where NAME is the name of the environment variable that contains the key. The name must begin with GATEWAY_ or be allowed with --allow-env.`,
    );
  }
}
