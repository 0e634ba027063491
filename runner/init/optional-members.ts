import { knownDataFile } from '../../contract/data-file.ts';
import { mapping } from '../../contract/mapping.ts';
import type { Operations } from '../catalog/operations.ts';
import { expandVariables, variablesIn } from '../profile/expand.ts';
import { modelOperations } from '../profile/profile.ts';

/** A member that a profile may have, and without which some cases cannot be tested. */
export interface Addition {
  /** Where it stands: `['keys', 'deleted']`. */
  readonly path: readonly string[];
  /** What it may look like. */
  readonly example: unknown;
  readonly about: string;
}

/** The keys that a profile may have next to the valid one, and the environment variables that hold them. */
export const optionalKeys = [
  { role: 'deleted', variable: 'GATEWAY_DELETED_KEY', about: 'a key that was created and then deleted' },
  {
    role: 'depleted',
    variable: 'GATEWAY_DEPLETED_KEY',
    about: 'a working key of an account without balance',
  },
  { role: 'foreign', variable: 'GATEWAY_FOREIGN_KEY', about: 'a working key of another account' },
] as const;

/** The name of an optional key. */
export type KeyName = (typeof optionalKeys)[number]['role'];

/** The billing-type requests, which have no default, each with what it may look like. */
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
    about: 'a request that always fails with 500, if a test build has one',
  },
] as const;

const modelRoles = [
  { role: 'textOnly', example: 'TEXT-MODEL', about: 'accepts text but no images' },
  { role: 'unsupported', example: 'OLD-MODEL', about: 'exists but cannot be called' },
  { role: 'mismatched', example: 'OTHER-MODEL', about: 'exists, but not for this operation' },
] as const;

const claudeIsTaken = 'default: the messages model, if its ID contains "claude"';

/** Everything that a profile may state so that more is tested, in the order of the file. */
export function additions(operations: Operations): Addition[] {
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
        about: operation === 'responses' && role === 'mismatched' ? claudeIsTaken : about,
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
    { path: ['records', 'own'], example: 'REQUEST-ID', about: 'a request of the account of keys.valid' },
    { path: ['records', 'foreign'], example: 'OTHER-REQUEST-ID', about: 'a request of another account' },
    {
      path: ['rateLimit'],
      example: { operation: 'usage', requests: 200, within: '10s' },
      about: 'as many requests in this time cause a 429',
    },
  ];
}

/** Members that adapt what is sent to a gateway, with what they may look like; no case needs them. */
export const settings: readonly Addition[] = [
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
    about: 'of {start} and {end}; or unix-millis, iso-date, iso-datetime',
  },
  {
    path: ['stream', 'parameter'],
    example: 'stream',
    about: 'the body member that turns streaming on',
  },
];

/** A member that a profile states. */
export interface StatedMember {
  /** Where it stands: `['models', 'chat', 'good']`. */
  readonly path: readonly string[];
  /** As it is written, with its variables. */
  readonly value: unknown;
  /** With its variables replaced; undefined where one is not set. */
  readonly expanded: unknown;
}

/** How deep the members of a group stand; 2 of any other. */
const depths: Readonly<Record<string, number>> = { models: 3, rateLimit: 1 };

/** The members of a profile one by one, in their order; a model alone is the good one of its operation. */
export function statedMembers(
  profile: Readonly<Record<string, unknown>>,
  environment: Readonly<Record<string, string | undefined>>,
): StatedMember[] {
  return Object.entries(profile).flatMap(([group, value]) =>
    membersBelow([group], value, depths[group] ?? 2).map((member) => ({
      ...member,
      expanded: expandVariables(
        knownDataFile('profile', member.value, () => ''),
        { environment, allowed: variablesIn(JSON.stringify(member.value) ?? '') },
        new Set(),
      ).value,
    })),
  );
}

type Member = Pick<StatedMember, 'path' | 'value'>;

function membersBelow(path: readonly string[], value: unknown, depth: number): Member[] {
  if (path[0] === 'models' && path.length === 2 && typeof value === 'string')
    return [{ path: [...path, 'good'], value }];
  const isGroup = path.length < depth && typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isGroup) return [{ path, value }];
  return Object.entries(mapping(value)).flatMap(([name, item]) => membersBelow([...path, name], item, depth));
}

/** The profile that has these members. */
export function profileOfMembers(members: readonly Member[]): Record<string, unknown> {
  return members.reduce<Record<string, unknown>>((whole, { path, value }) => set(whole, path, value), {});
}

function set(
  whole: Readonly<Record<string, unknown>>,
  [name = '', ...rest]: readonly string[],
  value: unknown,
): Record<string, unknown> {
  return { ...whole, [name]: rest.length === 0 ? value : set(mapping(whole[name]), rest, value) };
}
