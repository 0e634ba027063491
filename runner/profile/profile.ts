import type { OperationId } from '../catalog/operations.ts';

/** A configuration of the user's that can't be used; the message says where and what to do. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export type KeyRole = 'valid' | 'deleted' | 'depleted' | 'foreign';
export type ModelRole = 'good' | 'textOnly' | 'unsupported' | 'mismatched';
/** The operations that name models; streamGenerate calls those of generate. */
export type ModelOperation = 'chat' | 'responses' | 'messages' | 'generate';
export type TimeFormat = 'unix-seconds' | 'unix-millis' | 'iso-date' | 'iso-datetime';

/** Where an operation is found on this gateway. */
export interface BoundOperation {
  readonly method: string;
  /** Path and query, with placeholders. */
  readonly path: string;
  /** For an operation whose values travel in a body, which then has the placeholders. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
  /** Who says so; a guess is held to be offered only once it was seen to work. */
  readonly stated: 'spec' | 'profile' | 'guess';
}

/** What is known of the gateway under test. */
export interface Profile {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly keys: Readonly<Partial<Record<KeyRole, string>>> & { readonly valid: string };
  /** The environment variables that the keys were read from; keys from elsewhere have none. */
  readonly keyVariables: Readonly<Partial<Record<KeyRole, string>>>;
  readonly models: Readonly<Record<ModelOperation, Readonly<Partial<Record<ModelRole, string>>>>>;
  readonly operations: Readonly<Record<OperationId, BoundOperation | undefined>>;
  readonly bodies: Readonly<Partial<Record<OperationId, Readonly<Record<string, unknown>>>>>;
  readonly versionHeader: string;
  readonly timeFormat: TimeFormat;
  readonly streamParameter: string;
  readonly records: { readonly own?: string; readonly foreign?: string };
  readonly rateLimit:
    | { readonly operation: OperationId; readonly requests: number; readonly withinMs: number }
    | undefined;
  /** Optional members that are left out because their environment variable is unset: path → variable. */
  readonly unset: ReadonlyMap<string, string>;
  /** Texts that come from environment variables and aren't keys: text → variable. Reports never show them. */
  readonly secrets: ReadonlyMap<string, string>;
}

/** The operation whose models an operation calls; undefined for one that calls none. */
export function modelOperation(operation: string): ModelOperation | undefined {
  if (operation === 'streamGenerate') return 'generate';
  return modelOperations.find((id) => id === operation);
}

export const modelOperations: readonly ModelOperation[] = ['chat', 'responses', 'messages', 'generate'];

/** A profile as `conformance.yaml` states it; `specs/schemas/profile.schema.json` is its schema. */
export interface StatedProfile {
  readonly baseUrl: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly keys: Readonly<Partial<Record<KeyRole, string>>> & { readonly valid: string };
  /** By operation; a text alone is the good model. */
  readonly models?: Readonly<
    Partial<Record<ModelOperation, string | Readonly<Partial<Record<ModelRole, string>>>>>
  >;
  /** Request lines of what the specification leaves open; null where it isn't offered. */
  readonly operations?: Readonly<
    Partial<
      Record<
        OperationId,
        string | { readonly request: string; readonly body?: Readonly<Record<string, unknown>> } | null
      >
    >
  >;
  /** Merged into the valid body, by operation. */
  readonly bodies?: Readonly<Partial<Record<OperationId, Readonly<Record<string, unknown>>>>>;
  readonly versionHeader?: string;
  readonly timeFormat?: TimeFormat;
  readonly stream?: { readonly parameter: string };
  readonly records?: { readonly own?: string; readonly foreign?: string };
  /** So many requests in that time, such as `10s`, must bring a 429. */
  readonly rateLimit?: {
    readonly operation: OperationId;
    readonly requests: number;
    readonly within: string;
  };
}
