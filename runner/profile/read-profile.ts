import { dirname } from 'node:path';
import { type DataFile, type DataPath, knownDataFile, readDataFile } from '../../common/data-file.ts';
import { toList, toMapping } from '../../common/mapping.ts';
import { type KeyRole, timeFormats } from '../../common/profile-values.ts';
import type { Schemas } from '../../common/schemas.ts';
import { validateData } from '../../common/validate-data.ts';
import {
  mapOperations,
  type OperationId,
  type Operations,
  operationIds,
  otherOperationIds,
} from '../catalog/operations.ts';
import { readBaseUrl } from './base-url.ts';
import {
  assertDistinct,
  assertNoKey,
  collectSecrets,
  expandVariables,
  mapVariables,
  omitUnsetSetup,
  validateKey,
} from './expand.ts';
import { isCredentialHeader, isHeaderName, isHeaderValue, mergeHeaders, parseDuration } from './header.ts';
import { readOwnData } from './own-files.ts';
import {
  type BoundOperation,
  defaultTimeouts,
  type ModelLists,
  type ModelOperation,
  type ModelRole,
  modelOperations,
  otherFamilies,
  type Profile,
  type StatedDeviation,
  type StatedName,
  type Timeouts,
  UsageError,
} from './profile.ts';
import { type Environment, readSetup } from './setup.ts';

export const defaultVersionHeader = 'anthropic-version';

/** Values that replace the values of a profile, and settings for reading the profile. */
export interface ProfileOverrides {
  readonly baseUrl?: string | undefined;
  readonly key?: string | undefined;
  /** Additional headers. These headers replace headers of the profile with the same name, ignoring case. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The models of each role that replace those of the profile. */
  readonly models?: Readonly<Partial<Record<ModelOperation, ModelLists>>> | undefined;
  readonly operations?: Readonly<Partial<Record<OperationId, string>>> | undefined;
  /** Environment variables to which the profile may refer in addition to those that begin with `GATEWAY_`. */
  readonly allowedVariables?: readonly string[] | undefined;
  /** Environment variables whose values reports redact, in addition to the variables of the profile. */
  readonly usedVariables?: readonly string[] | undefined;
  /** The environment of the commands of `setup`. Default: no command may run. */
  readonly setupEnvironment?: Environment | undefined;
  /** Whether nothing will be sent. If true, a missing base URL or a missing valid key is an empty string. */
  readonly sendsNothing?: boolean;
}

const environmentProfile = {
  keys: {
    valid: '${GATEWAY_API_KEY}',
    deleted: '${GATEWAY_DELETED_KEY}',
    depleted: '${GATEWAY_DEPLETED_KEY}',
    foreign: '${GATEWAY_FOREIGN_KEY}',
  },
};
const environmentFile = statedFile('environment', environmentProfile);

/**
 * Reads a profile from a file. Without a path, or if the file has no `keys`, the keys come from the environment. Throws
 * a `DataFileError` or a `UsageError` if the profile is invalid.
 */
export function readProfile(
  path: string | undefined,
  overrides: ProfileOverrides,
  environment: Readonly<Record<string, string | undefined>>,
  catalog: { readonly operations: Operations; readonly schemas: Schemas },
): Profile {
  const file = path === undefined ? environmentFile : readDataFile(path);
  const withKeys = toMapping(file.value).keys === undefined;
  const base = withKeys ? statedFile(file.file, environmentProfile) : undefined;
  const given = new Set(overrides.sendsNothing ? ['baseUrl', 'keys.valid', 'headers'] : []);
  if (overrides.baseUrl !== undefined) given.add('baseUrl');
  if (overrides.key !== undefined || path === undefined) given.add('keys.valid');
  const variables = { environment, allowed: overrides.allowedVariables };
  const expanded = omitUnsetSetup(expandVariables(file, variables, given));
  validateData(file, expanded.value, 'profile', catalog.schemas);
  const keys = base ? expandVariables(base, variables, new Set(['keys.valid'])) : expanded;
  const value = { ...toMapping(expanded.value), keys: toMapping(keys.value).keys };
  return createProfile(
    value,
    overrides,
    environment,
    catalog.operations,
    {
      unset: new Map([...keys.unset, ...expanded.unset]),
      secrets: collectSecrets([...expanded.used, ...(overrides.usedVariables ?? [])], environment),
      keyVariables: mapVariables(toMapping(toMapping((base ?? file).value).keys)),
      own: readOwnData(file, path === undefined ? '.' : dirname(path)),
    },
    file,
  );
}

/** Validates a value by the schema of profiles and returns the profile. Throws the same errors as `readProfile`. */
export function parseProfile(
  value: unknown,
  catalog: { readonly operations: Operations; readonly schemas: Schemas },
  overrides: Pick<ProfileOverrides, 'setupEnvironment'> = {},
): Profile {
  const file = statedFile('profile', value);
  validateData(file, value, 'profile', catalog.schemas);
  return createProfile(
    toMapping(value),
    overrides,
    {},
    catalog.operations,
    { unset: new Map(), secrets: new Map(), keyVariables: {}, own: readOwnData(file, '.') },
    file,
  );
}

function statedFile(name: string, value: unknown): DataFile {
  return knownDataFile(name, value, () => JSON.stringify(value));
}

function createProfile(
  value: Readonly<Record<string, unknown>>,
  overrides: ProfileOverrides,
  environment: Readonly<Record<string, string | undefined>>,
  operations: Operations,
  { unset, secrets, keyVariables, own }: Pick<Profile, 'unset' | 'secrets' | 'keyVariables' | 'own'>,
  file: DataFile,
): Profile {
  const keys: Partial<Record<KeyRole, string>> = toMapping(value.keys);
  const valid = overrides.key ?? keys.valid ?? environment.GATEWAY_API_KEY;
  const source = file === environmentFile ? undefined : file;
  if (!valid && !overrides.sendsNothing) {
    throw new UsageError(
      source
        ? `${source.file}: the API key is missing. Set GATEWAY_API_KEY, set keys.valid in the profile or, for a single gateway, use --key-file.`
        : 'The API key is missing. Set GATEWAY_API_KEY, or use --key-file.',
    );
  }
  const all = { ...keys, valid: valid ?? '' };
  const { valid: _, ...otherVariables } = keyVariables;
  for (const [role, key] of Object.entries(all)) validateKey(role, key);
  assertDistinct(all);
  const headers = toMapping(value.headers);
  for (const [name, text] of Object.entries(headers)) validateHeader(file, name, String(text));
  const stream = toMapping(value.stream);
  const limit = toMapping(value.rateLimit);
  const baseUrl = readBaseUrl(value.baseUrl, overrides, source);
  assertNoKey(baseUrl, Object.values(all), overrides.baseUrl === undefined ? file : undefined);
  const { other, ...named } = toMapping(value.operations);
  const statedOperations: Readonly<Record<string, unknown>> = {
    ...named,
    ...Object.fromEntries(toList(other).map((entry, index) => [otherOperationIds[index] ?? '', entry])),
    ...overrides.operations,
  };
  for (const [operation, roles] of Object.entries(overrides.models ?? {}))
    if (statedOperations[operation] === null)
      throw new UsageError(
        `--model ${formatModelFlag(operation, roles)}: according to the profile, the gateway does not offer \`${operation}\`. Remove \`operations.${operation}: null\` from the profile, or remove the flag.`,
      );
  return {
    baseUrl,
    headers: mergeHeaders(
      Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, String(text)])),
      overrides.headers ?? {},
    ),
    keys: all,
    // A key from a flag has no variable.
    keyVariables: overrides.key === undefined ? keyVariables : otherVariables,
    ...readModels(file, toMapping(value.models), overrides.models ?? {}),
    operations: bindOperations(statedOperations, operations),
    notOffered: operationIds.filter((id) => statedOperations[id] === null),
    bodies: toMapping(value.bodies),
    versionHeader: String(value.versionHeader ?? defaultVersionHeader).toLowerCase(),
    timeFormat: timeFormats.find((format) => format === value.timeFormat) ?? 'unix-seconds',
    streamParameter: String(stream.parameter ?? 'stream'),
    records: toMapping(value.records),
    rateLimit:
      value.rateLimit === undefined
        ? undefined
        : {
            operation: operationIds.find((id) => id === limit.operation) ?? 'usage',
            requests: Number(limit.requests),
            withinMs: parseDuration(String(limit.within)) ?? 0,
          },
    timeouts: readTimeouts(toMapping(value.timeouts), file),
    setup: readSetup(value.setup, file, overrides.setupEnvironment),
    deviations: toList(value.deviations).flatMap((entry, index) =>
      readDeviations(toMapping(entry), file, ['deviations', index]),
    ),
    own,
    unset,
    secrets,
  };
}

function readDeviations(
  { reason, until, requirement, instead, ...names }: Readonly<Record<string, unknown>>,
  file: DataFile,
  path: DataPath,
): readonly StatedDeviation[] {
  const line = file.lineOf(path);
  const common = {
    place: line === undefined ? `${file.file}, deviations[${path[1]}]` : `${file.file}:${line}`,
    ...(reason !== undefined && { reason: String(reason) }),
    ...(until !== undefined && { until: String(until) }),
  };
  return requirement === undefined
    ? [{ ...common, names: { types: readNames(names.types), codes: readNames(names.codes) } }]
    : (Array.isArray(requirement) ? requirement : [requirement]).map((id) => ({
        ...common,
        requirement: String(id),
        instead,
      }));
}

function readNames(value: unknown): Readonly<Record<string, readonly StatedName[]>> {
  return Object.fromEntries(
    Object.entries(toMapping(value)).map(([error, given]) => [
      error,
      (Array.isArray(given) ? given : [given]).map(readName),
    ]),
  );
}

function readName(value: unknown): StatedName {
  const { name, status } = toMapping(typeof value === 'string' ? { name: value } : value);
  return {
    ...(name !== undefined && { name: String(name) }),
    ...(status !== undefined && { status: Number(status) }),
  };
}

/** Returns the first flag of these models, as in `chat=gpt-4o` or `chat.mismatched=some-embedding`. */
function formatModelFlag(operation: string, roles: ModelLists): string {
  const [[role = 'good', [id = ''] = []] = []] = Object.entries(roles);
  return `${operation}${role === 'good' ? '' : `.${role}`}=${id}`;
}

function readTimeouts(stated: Readonly<Record<string, unknown>>, file: DataFile): Timeouts {
  const given = Object.entries(stated).map(([name, text]) => {
    const milliseconds = parseDuration(String(text));
    if (milliseconds === undefined)
      throw file.error(['timeouts', name], `timeouts.${name} must be less than 25 days.`);
    return [name, milliseconds];
  });
  return { ...defaultTimeouts, ...Object.fromEntries(given) };
}

function validateHeader(file: DataFile, name: string, value: string): void {
  const path = ['headers', name];
  if (isCredentialHeader(name)) {
    throw file.error(path, `headers must not contain a credential (${name}). Write keys under \`keys\`.`);
  }
  if (!isHeaderName(name))
    throw file.error(path, `headers: "${name}" is not a valid name. Use letters, digits and dashes.`);
  if (!isHeaderValue(value))
    throw file.error(
      path,
      `headers.${name} contains a character that is not allowed in a header, such as a line break. Remove the character.`,
    );
}

function readModels(
  file: DataFile,
  value: Readonly<Record<string, unknown>>,
  given: NonNullable<ProfileOverrides['models']>,
): Pick<Profile, 'models' | 'modelLists'> {
  const readRoles = (operation: ModelOperation): Readonly<Partial<Record<ModelRole, readonly string[]>>> => {
    const entry = value[operation];
    const stated = Object.entries(typeof entry === 'string' ? { good: entry } : toMapping(entry));
    const roles: Partial<Record<ModelRole, readonly string[]>> = {
      ...Object.fromEntries(
        stated.map(([role, ids]) => [role, (Array.isArray(ids) ? ids : [ids]).map(String)]),
      ),
      ...given[operation],
    };
    for (const role of ['unsupported', 'unavailable', 'mismatched'] as const)
      for (const callable of ['good', 'textOnly'] as const) {
        if (!roles[role]?.some((id) => roles[callable]?.includes(id))) continue;
        // The IDs are not shown, since their variables may contain secrets.
        const message = `models.${operation}.${role} and models.${operation}.${callable} contain the same model. Choose a different model for each role.`;
        const isOfFlag = given[operation]?.[role] !== undefined;
        throw isOfFlag ? new UsageError(message) : file.error(['models', operation, role], message);
      }
    return roles;
  };
  const [chat = {}, responses = {}, messages = {}, generate = {}] = modelOperations.map(readRoles);
  const lists = { chat, responses, messages, generate };
  const ofEach = <Value>(choose: (ids: ModelLists) => Value): Record<ModelOperation, Value> => ({
    chat: choose(lists.chat),
    responses: choose(lists.responses),
    messages: choose(lists.messages),
    generate: choose(lists.generate),
  });
  const entries = (ids: ModelLists): [string, readonly string[]][] => Object.entries(ids);
  return {
    models: ofEach((ids) => Object.fromEntries(entries(ids).map(([role, [first]]) => [role, first]))),
    modelLists: ofEach((ids) => Object.fromEntries(entries(ids).filter(([, { length }]) => length > 1))),
  };
}

function bindOperations(
  value: Readonly<Record<string, unknown>>,
  operations: Operations,
): Profile['operations'] {
  return mapOperations((id): BoundOperation | undefined => {
    const own = value[id];
    if (own === null) return undefined;
    const { request, body, family }: Readonly<Record<string, unknown>> =
      typeof own === 'string' ? { request: own } : toMapping(own);
    const line = typeof request === 'string' ? request : operations[id].request;
    if (line === undefined) return undefined;
    const space = line.indexOf(' ');
    return {
      method: line.slice(0, space),
      path: line.slice(space + 1),
      body: body === undefined ? undefined : toMapping(body),
      stated: operations[id].stated === 'spec' ? 'spec' : own === undefined ? 'guess' : 'profile',
      family: otherFamilies.find((known) => known === family),
    };
  });
}
