import { knownDataFile } from '../../common/data-file.ts';
import { toMapping } from '../../common/mapping.ts';
import type { Operations } from '../catalog/operations.ts';
import { expandVariables, findVariables } from '../profile/expand.ts';
import { modelOperations } from '../profile/profile.ts';

export interface OptionalProperty {
  /** The path of the property: `['keys', 'deleted']`. */
  readonly path: readonly string[];
  readonly example: unknown;
  readonly about: string;
}

/** The optional keys of a profile, with their usual environment variables. */
export const optionalKeys = [
  { role: 'deleted', variable: 'GATEWAY_DELETED_KEY', about: 'a key that was created and then deleted' },
  {
    role: 'depleted',
    variable: 'GATEWAY_DEPLETED_KEY',
    about: 'a valid key of an account without a balance',
  },
  { role: 'foreign', variable: 'GATEWAY_FOREIGN_KEY', about: 'a valid key of another account' },
] as const;

export type KeyName = (typeof optionalKeys)[number]['role'];

/** Example requests for the billing-type endpoints, which have no default path. */
export const billingRequests = [
  { operation: 'balance', example: 'GET /v1/billing/balance', about: 'the balance of the account' },
  {
    operation: 'usage',
    example: 'GET /v1/billing/usage?start_time={start}&end_time={end}',
    about: 'the usage in a time range',
  },
  {
    operation: 'record',
    example: 'GET /v1/billing/requests?request_id={request_id}',
    about: 'the record of one request',
  },
  {
    operation: 'internalError',
    example: 'GET /v1/billing/internal-error',
    about: 'a request that always returns 500, if a test build of the gateway has such a request',
  },
] as const;

const modelRoles = [
  { role: 'textOnly', example: 'TEXT-MODEL', about: 'accepts text but no images' },
  { role: 'unsupported', example: 'OLD-MODEL', about: 'exists but cannot be called' },
  { role: 'unavailable', example: 'PAUSED-MODEL', about: 'exists but is temporarily unavailable' },
  { role: 'mismatched', example: 'OTHER-MODEL', about: 'exists, but not for this operation' },
] as const;

const claudeDefault = 'default: the messages model, if its ID contains "claude"';

/** Returns the optional properties that are not in `settings`, in the order of the draft. */
export function listOptionalProperties(operations: Operations): OptionalProperty[] {
  return [
    ...optionalKeys.map(({ role, variable, about }) => ({
      path: ['keys', role],
      example: `\${${variable}}`,
      about,
    })),
    ...modelOperations.flatMap((operation) =>
      modelRoles.map(({ role, example, about }) => ({
        path: ['models', operation, role],
        example,
        about: operation === 'responses' && role === 'mismatched' ? claudeDefault : about,
      })),
    ),
    ...(['messages', 'generate', 'streamGenerate'] as const).map((id) => ({
      path: ['operations', id],
      example: operations[id].request,
      about: '',
    })),
    ...billingRequests.map(({ operation, example, about }) => ({
      path: ['operations', operation],
      example,
      about,
    })),
    {
      path: ['records', 'own'],
      example: 'REQUEST-ID',
      about: 'a request record of the account of keys.valid',
    },
    {
      path: ['records', 'foreign'],
      example: 'OTHER-REQUEST-ID',
      about: 'a request record of another account',
    },
    {
      path: ['rateLimit'],
      example: { operation: 'usage', requests: 200, within: '10s' },
      about: 'how many requests, within which time, cause a 429 response',
    },
    {
      path: ['setup'],
      example: {
        createKey: { request: 'POST /admin/keys' },
        deleteKey: { request: 'DELETE /admin/keys/{id}' },
        topUp: { request: 'POST /admin/keys/{id}/top-up', body: { amount: 100 } },
        drain: { request: 'POST /admin/keys/{id}/drain' },
      },
      about: 'calls to the administration API of the gateway',
    },
  ];
}

/** Optional properties that adapt requests to a gateway, with examples. */
export const settings: readonly OptionalProperty[] = [
  {
    path: ['headers', 'x-tenant'],
    example: 'acme',
    about: 'sent with every request; never a credential',
  },
  { path: ['bodies', 'chat'], example: { max_tokens: 1 }, about: 'merged into the valid request body' },
  {
    path: ['versionHeader'],
    example: 'anthropic-version',
    about: 'the version header of the messages protocol',
  },
  {
    path: ['timeFormat'],
    example: 'unix-seconds',
    about: 'the format of {start} and {end}; or unix-millis, iso-date, iso-datetime',
  },
  {
    path: ['stream', 'parameter'],
    example: 'stream',
    about: 'the member of the body that enables streaming',
  },
  {
    path: ['timeouts', 'success'],
    example: '60s',
    about: 'how long a model call may take to respond; also connect, refusal, idle and total',
  },
];

export interface StatedProperty {
  readonly path: readonly string[];
  /** The value as written, with its variables. */
  readonly value: unknown;
  /**
   * The value with its variables replaced, without the texts whose variable is unset or empty; undefined if the value
   * is such a text.
   */
  readonly expanded: unknown;
}

/** The maximum number of names in the path of a property, by group. Default: 2. */
const depths: Readonly<Record<string, number>> = { models: 3, rateLimit: 1 };

/** Splits a profile into its properties, in order. A text under `models` is the good model of its operation. */
export function splitProfile(
  profile: Readonly<Record<string, unknown>>,
  environment: Readonly<Record<string, string | undefined>>,
): StatedProperty[] {
  return Object.entries(profile).flatMap(([group, value]) =>
    propertiesBelow([group], value, depths[group] ?? 2).map((property) => ({
      ...property,
      expanded: expandVariables(
        knownDataFile('profile', property.value, () => ''),
        { environment, allowed: findVariables(JSON.stringify(property.value) ?? '') },
        new Set(),
      ).value,
    })),
  );
}

type PlainProperty = Pick<StatedProperty, 'path' | 'value'>;

function propertiesBelow(path: readonly string[], value: unknown, depth: number): PlainProperty[] {
  if (path[0] === 'models' && path.length === 2 && typeof value === 'string')
    return [{ path: [...path, 'good'], value }];
  const isGroup = path.length < depth && typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isGroup) return [{ path, value }];
  return Object.entries(toMapping(value)).flatMap(([name, item]) =>
    propertiesBelow([...path, name], item, depth),
  );
}

export function joinProfile(properties: readonly PlainProperty[]): Record<string, unknown> {
  return properties.reduce<Record<string, unknown>>((whole, { path, value }) => set(whole, path, value), {});
}

function set(
  whole: Readonly<Record<string, unknown>>,
  [name = '', ...rest]: readonly string[],
  value: unknown,
): Record<string, unknown> {
  return { ...whole, [name]: rest.length === 0 ? value : set(toMapping(whole[name]), rest, value) };
}
