import type { KeyRole, SetupAction, TimeFormat } from '../../common/profile-values.ts';
import type { ErrorKind } from '../catalog/errors.ts';
import type { OperationId } from '../catalog/operations.ts';
import type { OwnData } from '../catalog/own-data.ts';
import type { ProfileSetup } from './setup.ts';

/**
 * Thrown for a mistake of the user, such as an invalid option, flag, profile or report. The message contains the
 * problem and the remedy.
 */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const modelRoleNames = ['good', 'textOnly', 'unsupported', 'unavailable', 'mismatched'] as const;
export type ModelRole = (typeof modelRoleNames)[number];
/** The operations under which a profile states models. `streamGenerate` uses the models of `generate`. */
export type ModelOperation = 'chat' | 'responses' | 'messages' | 'generate';

/** The models of each role for which the profile states several models. */
export type ModelLists = Readonly<Partial<Record<ModelRole, readonly string[]>>>;

export interface BoundOperation {
  readonly method: string;
  /** Path and query, with placeholders. */
  readonly path: string;
  /** The request body with placeholders, for an operation that takes its values in a body. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
  /** The source of the request line. The gateway may not offer an operation at a guessed path. */
  readonly stated: 'spec' | 'profile' | 'guess';
  /** The kind of a further operation, which only the profile knows; undefined for the other operations. */
  readonly family?: OtherFamily | undefined;
}

export const otherFamilies = ['B', 'C', 'billing'] as const;
export type OtherFamily = (typeof otherFamilies)[number];

/** The time limits of each exchange, in milliseconds. An exchange that exceeds one is reported as a failure. */
export interface Timeouts {
  /** The maximum time to open a connection. */
  readonly connect: number;
  /** The maximum time from the start of a request to the head of its response, unless `success` applies. */
  readonly refusal: number;
  /**
   * The maximum time from the start of a valid request with the valid key in an accepted header, or of a request of
   * `setup`, to the head of its response. The default is longer than for `refusal`, because a model must respond.
   */
  readonly success: number;
  /** The maximum time from the head or a chunk of a response to the next chunk or the end. */
  readonly idle: number;
  /** The maximum time of the whole exchange. */
  readonly total: number;
}

export const defaultTimeouts: Timeouts = {
  connect: 5_000,
  refusal: 10_000,
  success: 60_000,
  idle: 30_000,
  total: 120_000,
};

/** The validated profile of the gateway under test. */
export interface Profile {
  /** The base URL without a trailing slash. */
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly keys: Readonly<Partial<Record<KeyRole, string>>> & { readonly valid: string };
  /**
   * The environment variable of each key that is stated as a single `${NAME}`. Omits the valid key if an override
   * replaces the key.
   */
  readonly keyVariables: Readonly<Partial<Record<KeyRole, string>>>;
  readonly models: Readonly<Record<ModelOperation, Readonly<Partial<Record<ModelRole, string>>>>>;
  /** All models of a role, if the profile states several. `models` contains only the first of these models. */
  readonly modelLists: Readonly<Record<ModelOperation, ModelLists>>;
  readonly operations: Readonly<Record<OperationId, BoundOperation | undefined>>;
  /** The operations that the gateway does not offer, according to the profile. */
  readonly notOffered: readonly OperationId[];
  readonly bodies: Readonly<Partial<Record<OperationId, Readonly<Record<string, unknown>>>>>;
  readonly versionHeader: string;
  readonly timeFormat: TimeFormat;
  readonly streamParameter: string;
  readonly records: { readonly own?: string; readonly foreign?: string };
  readonly rateLimit:
    | { readonly operation: OperationId; readonly requests: number; readonly withinMs: number }
    | undefined;
  readonly timeouts: Timeouts;
  readonly setup: ProfileSetup;
  /** What the gateway promises instead of the specification. */
  readonly deviations: readonly StatedDeviation[];
  /** The files of requirements and scenarios that the profile adds to those of the specification. */
  readonly own: OwnData;
  /**
   * Optional properties and list items that are omitted because their environment variable is unset or empty: path
   * → variable.
   */
  readonly unset: ReadonlyMap<string, string>;
  /**
   * The values, of 8 or more characters, of environment variables in properties other than `keys` and `baseUrl`, and
   * in headers of flags: value → variable. Reports redact these values, except in the base URL.
   */
  readonly secrets: ReadonlyMap<string, string>;
}

/**
 * Returns the operation under which the profile states the models for an operation; undefined if the operation calls
 * no model.
 */
export function findModelOperation(operation: string): ModelOperation | undefined {
  if (operation === 'streamGenerate') return 'generate';
  return modelOperations.find((id) => id === operation);
}

/**
 * Returns `models/` if the path of an operation can contain this prefix as a part of the model ID, as in
 * `/v1beta/{+model}:generateContent` with the model `models/gemini-x`; otherwise an empty text.
 */
export function findModelCollection(good: string | undefined, path = ''): string {
  return path.includes('{+model}') && good?.startsWith('models/') ? 'models/' : '';
}

export const modelOperations: readonly ModelOperation[] = ['chat', 'responses', 'messages', 'generate'];

/** The models of one operation that a profile states, by role. */
export type StatedModels = { readonly good?: string } & Readonly<
  Partial<Record<Exclude<ModelRole, 'good'>, string | readonly string[]>>
>;

/** The gateway's own name of an error, and its status. */
export type StatedName = string | { readonly name?: string; readonly status?: number };
/** The gateway's own name of an error, or several names, each of which it may send. */
export type StatedNames = StatedName | readonly StatedName[];

/**
 * What a gateway promises instead of the specification: its own names of errors, or another expectation. `until` is the
 * last day on which it holds, such as 2027-06-30. `place` is its file and line.
 */
export type StatedDeviation = {
  readonly reason?: string;
  readonly until?: string;
  readonly place: string;
} & (
  | { readonly names: { readonly [K in ErrorKind]?: Readonly<Record<string, readonly StatedName[]>> } }
  | { readonly requirement: string; readonly instead: unknown }
);

/** A profile in the format of `conformance.yaml`, which `specs/schemas/profile.schema.json` defines. */
export interface StatedProfile {
  /** The URL before `/v1`, such as `https://gateway.example`. */
  readonly baseUrl: string;
  /** Headers of every request except those of `setup`. Default: none. */
  readonly headers?: Readonly<Record<string, string>>;
  /** API keys by their role. Cases that need a missing key are not applicable. */
  readonly keys: Readonly<Partial<Record<KeyRole, string>>> & { readonly valid: string };
  /**
   * Model IDs by operation and role. A plain string is the ID of the `good` model. If a role has a list, each model
   * of the list is tried. Default: models of `GET /v1/models`, as `good` models.
   */
  readonly models?: Readonly<Partial<Record<ModelOperation, string | StatedModels>>>;
  /**
   * Request lines of operations whose path the specification leaves open, with the body if the operation takes its
   * parameters in a body; null if the gateway does not offer the
   * operation.
   */
  readonly operations?: Readonly<
    Partial<
      Record<
        OperationId,
        string | { readonly request: string; readonly body?: Readonly<Record<string, unknown>> } | null
      >
    >
  >;
  /** Members to merge into the valid request body, by operation. Default: none. */
  readonly bodies?: Readonly<Partial<Record<OperationId, Readonly<Record<string, unknown>>>>>;
  /** The name of the version header. Default: `anthropic-version`. */
  readonly versionHeader?: string;
  /** The format of times in the parameters of billing-type endpoints. Default: `unix-seconds`. */
  readonly timeFormat?: TimeFormat;
  /** The member of the body that requests a stream. Default: `stream`. */
  readonly stream?: { readonly parameter: string };
  /** IDs of request records: one of the account of `keys.valid`, and one of another account. */
  readonly records?: { readonly own?: string; readonly foreign?: string };
  /** The number of requests within a time such as `10s` that must cause a 429. Default: no burst is sent. */
  readonly rateLimit?: {
    readonly operation: OperationId;
    readonly requests: number;
    readonly within: string;
  };
  /** Time limits of each request, such as `{ success: '3m' }`. Default of each: the one of `defaultTimeouts`. */
  readonly timeouts?: Readonly<Partial<Record<keyof Timeouts, string>>>;
  /**
   * The calls that create and delete a key and change a balance: requests to the administration API of the gateway,
   * or commands. Default: keys and balances are not changed.
   */
  readonly setup?: Readonly<Partial<Record<SetupAction, StatedSetupCall | readonly StatedSetupCall[]>>>;
  /**
   * What the gateway promises instead of the specification: its own names of errors (7.1, 7.2) by those of the
   * specification, or another response than a requirement expects: `absent`, or an expectation as in
   * `specs/requirements/`. `until` is the last day on which it holds, such as `2027-06-30`. Default: nothing.
   */
  readonly deviations?: readonly ({ readonly reason?: string; readonly until?: string } & (
    | {
        readonly types?: Readonly<Record<string, StatedNames>>;
        readonly codes?: Readonly<Record<string, StatedNames>>;
      }
    | {
        readonly requirement: string | readonly string[];
        readonly instead: 'absent' | Readonly<Record<string, unknown>>;
      }
  ))[];
  /**
   * Files of requirements and of scenarios to add to those of the specification: paths with `*` and `**`, relative to
   * the folder of the profile and below it; of a profile that is no file, to the working folder. Default: none.
   */
  readonly requirements?: string | readonly string[];
  readonly scenarios?: string | readonly string[];
  /** Defaults of the flags of `conformance run`, which the library does not read. */
  readonly defaults?: Readonly<Record<string, boolean | number | string | readonly string[]>>;
}

/** A call of `setup` in a profile. `values` are JSON pointers. Default: `/key` and `/id`. */
export type StatedSetupCall = { readonly values?: Readonly<Record<string, string>> } & (
  | {
      readonly request: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: Readonly<Record<string, unknown>>;
    }
  | { readonly command: readonly string[] }
);

/**
 * Returns the model that the profile names for an operation and a value (`kind`) of the attribute `model`; undefined
 * if the profile names no such model. Every value except those of `modelRoles` stands for the good
 * model. `streamGenerate` uses the models of `generate`.
 */
export function findProfileModel(profile: Profile, operation: OperationId, kind: string): string | undefined {
  const calls = findModelOperation(operation);
  if (!calls) return undefined;
  const models = profile.models[calls];
  return models[modelRoles[kind] ?? 'good'];
}

/**
 * The role of the model in the profile, by the value of the attribute `model`. Omits all values without a role. Also
 * omits `good`, because the run can find a good model.
 */
export const modelRoles: Readonly<Record<string, ModelRole>> = {
  unsupported: 'unsupported',
  unavailable: 'unavailable',
  mismatched: 'mismatched',
  'text-only': 'textOnly',
};
