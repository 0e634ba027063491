import type { KeyRole, SetupAction, TimeFormat } from '../../common/profile-values.ts';
import type { Protocol } from '../answers/prompt.ts';
import type { Json, JsonObject } from '../json.ts';
import type { ProfileOperationId } from './operations.ts';
import type { Model, Seed } from './seed.ts';

/** A request line with placeholders, such as `GET /usage?from={start}`. A body may have placeholders too. */
export type OperationTemplate = string | { readonly request: string; readonly body?: JsonObject };

/** A request of `setup`. `values` contains, by name, the JSON pointers to the values to read from the response. */
type SetupRequest = {
  readonly request: string;
  readonly body?: JsonObject;
  readonly values?: Readonly<Record<string, string>>;
};

/**
 * Model IDs for one protocol, by role. `good` accepts images, `textOnly` does not, `unsupported` currently cannot be
 * called, `unavailable` is temporarily unavailable, and `mismatched` is a model of another protocol.
 */
export type ModelRoles = {
  readonly good: string;
  readonly textOnly: string;
  readonly unsupported: string;
  readonly unavailable: string;
  readonly mismatched: string;
};

/** A further operation of a profile. It is one of the paths that this gateway has anyway. */
export type OtherOperation = {
  readonly request: string;
  readonly family: 'B' | 'C' | 'billing';
  readonly body?: Json;
};

/** A complete profile. `docs/profile.md` describes its properties. */
export type TargetProfile = {
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly keys: Readonly<Record<KeyRole, string>>;
  readonly models: Readonly<Record<Protocol, ModelRoles>>;
  readonly operations: Readonly<Record<ProfileOperationId, OperationTemplate | null>> & {
    readonly other?: readonly OtherOperation[];
  };
  readonly bodies: Readonly<Record<string, Json>>;
  readonly versionHeader: string;
  readonly timeFormat: TimeFormat;
  readonly stream: { readonly parameter: string };
  readonly records: { readonly own: string; readonly foreign: string };
  readonly rateLimit: {
    readonly operation: ProfileOperationId;
    readonly requests: number;
    readonly within: string;
  };
  /**
   * The requests to the API of the console that change keys and balances; omitted unless the server has a console
   * without a password.
   */
  readonly setup?: Readonly<Record<SetupAction, SetupRequest>>;
};

/** Model IDs for one protocol, by role. If a role has a list of IDs, a run tests each of these models. */
export type StatedModelRoles = { readonly good?: string } & {
  readonly [Role in Exclude<keyof ModelRoles, 'good'>]?: string | readonly string[];
};

/** A profile in which models, records, the rate limit, and all keys except `valid` can be missing. */
export type PartialProfile = Omit<TargetProfile, 'keys' | 'models' | 'records' | 'rateLimit'> & {
  readonly keys: Partial<TargetProfile['keys']> & Pick<TargetProfile['keys'], 'valid'>;
  /** The models of each protocol. Each role except `good` can have several models. */
  readonly models: Readonly<Partial<Record<Protocol, StatedModelRoles>>>;
  readonly records: Partial<TargetProfile['records']>;
  readonly rateLimit: TargetProfile['rateLimit'] | undefined;
};

type ChangesOf<Profile extends PartialProfile> = Partial<Omit<Profile, 'operations'>> & {
  readonly operations?: Partial<TargetProfile['operations']>;
};

/** Properties of a profile to replace. The value undefined removes an optional property. */
export type ProfileChanges = ChangesOf<PartialProfile>;

/** Properties of a profile to replace. No property can be removed. */
export type FullProfileChanges = ChangesOf<TargetProfile>;

const conventionalOperations: TargetProfile['operations'] = {
  messages: 'POST /v1/messages',
  generate: 'POST /v1beta/models/{model}:generateContent',
  streamGenerate: 'POST /v1beta/models/{model}:streamGenerateContent?alt=sse',
  balance: 'GET /v1/billing/balance',
  usage: 'GET /v1/billing/usage?start_time={start}&end_time={end}',
  record: 'GET /v1/billing/requests?request_id={request_id}',
  internalError: 'GET /v1/billing/internal-error',
};

/** The requests with which the suite changes keys and balances through the API of the console. */
export const consoleSetup: TargetProfile['setup'] = {
  createKey: {
    request: 'POST /console/api/keys',
    body: { name: 'conformance' },
    values: { key: '/value', id: '/id', account: '/account' },
  },
  deleteKey: { request: 'DELETE /console/api/keys/{id}' },
  topUp: { request: 'POST /console/api/accounts/{account}/top-ups', body: { credits: 1_000_000 } },
  drain: { request: 'POST /console/api/accounts/{account}/drain', body: {} },
};

/**
 * Creates the profile of a gateway with this seed. `changes` replace properties of the profile. Operations are
 * replaced one by one. Throws an error if the seed has no model for one of the roles of a protocol.
 */
export function createProfile(seed: Seed, baseUrl: string, changes?: FullProfileChanges): TargetProfile;
export function createProfile(seed: Seed, baseUrl: string, changes?: ProfileChanges): PartialProfile;
export function createProfile(seed: Seed, baseUrl: string, changes: ProfileChanges = {}): PartialProfile {
  return {
    baseUrl,
    headers: {},
    keys: {
      valid: seed.keys.valid.key,
      deleted: seed.keys.deleted.key,
      depleted: seed.keys.depleted.key,
      foreign: seed.keys.foreign.key,
    },
    models: {
      chat: modelRoles(seed.models, 'chat'),
      responses: modelRoles(seed.models, 'responses'),
      messages: modelRoles(seed.models, 'messages'),
      generate: modelRoles(seed.models, 'generate'),
    },
    bodies: {},
    versionHeader: 'anthropic-version',
    timeFormat: 'unix-seconds',
    stream: { parameter: 'stream' },
    records: { own: seed.records.own.id, foreign: seed.records.foreign.id },
    // A profile states the number of requests with which a key exceeds the limit.
    rateLimit: { operation: 'usage', requests: seed.rateLimit.requests + 1, within: seed.rateLimit.within },
    ...changes,
    operations: { ...conventionalOperations, ...changes.operations },
  };
}

function modelRoles(models: readonly Model[], protocol: Protocol): ModelRoles {
  const first = (role: keyof ModelRoles, wanted: string, fits: (model: Model) => boolean): string => {
    const found = models.find(fits);
    if (!found)
      throw new Error(
        `The seed has no model for the role \`${role}\` of \`${protocol}\`. Add a model ${wanted} to \`models\` of the seed.`,
      );
    return found.id;
  };
  const own = `with the protocol \`${protocol}\``;
  const callable = (model: Model): boolean => model.supported !== false && model.available !== false;
  const supportsProtocol = (model: Model): boolean => model.protocols.includes(protocol);
  return {
    good: first(
      'good',
      `${own} and \`images: true\``,
      (model) => supportsProtocol(model) && callable(model) && model.images,
    ),
    textOnly: first(
      'textOnly',
      `${own} and \`images: false\``,
      (model) => supportsProtocol(model) && callable(model) && !model.images,
    ),
    unsupported: first(
      'unsupported',
      `${own} and \`supported: false\``,
      (model) => supportsProtocol(model) && model.supported === false,
    ),
    unavailable: first(
      'unavailable',
      `${own} and \`available: false\``,
      (model) => supportsProtocol(model) && model.available === false,
    ),
    mismatched: first(
      'mismatched',
      `without the protocol \`${protocol}\``,
      (model) => !supportsProtocol(model) && callable(model),
    ),
  };
}
