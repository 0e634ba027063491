import type { KeyRole } from '../../common/profile-values.ts';
import type { Answer } from '../answers/answer.ts';
import type { Protocol } from '../answers/prompt.ts';
import type { Json } from '../json.ts';
import type { ServerRequest } from '../wire/request.ts';
import type { Reply } from '../wire/response.ts';
import type { Family, GatewayOperation, HeaderName, Surface } from './operations.ts';
import type { PartialProfile } from './profile.ts';
import type { RouteMatch } from './routes.ts';
import type { Model } from './seed.ts';
import type { ApiKey, State, Usage } from './state.ts';

/**
 * A request on its way, with what the gateway knows about it so far. The checks set `credential`, `key`, `body`,
 * `modelId`, `model` and `streamed`; `failure` is set when the request is refused.
 */
export type Context = {
  /** The number of the request, counted from 1 for each server. */
  readonly number: number;
  readonly traceId: string;
  /** The time of arrival, in milliseconds since 1970-01-01 UTC. */
  readonly now: number;
  readonly request: ServerRequest;
  readonly profile: PartialProfile;
  readonly state: State;
  readonly match: RouteMatch;
  readonly operation: GatewayOperation | undefined;
  readonly family: Family;
  readonly surface: Surface;
  readonly credential: PresentedCredential;
  /** The key with the value of the credential, even if it is deleted; undefined if no key has this value. */
  readonly key: ApiKey | undefined;
  readonly body: unknown;
  readonly modelId: string | undefined;
  readonly model: Model | undefined;
  readonly streamed: boolean;
  readonly failure: RequestFailure | undefined;
};

/** Returns the protocol of a model call. */
export const protocolOf = ({ operation }: Pick<Context, 'operation'>): Protocol =>
  operation?.protocol ?? 'chat';

/** The credential of a request. `header` is `none` if no accepted header contains a credential. */
export type PresentedCredential = { readonly header: HeaderName | 'none'; readonly value: string };

/**
 * The role of the key in a request. `none`: no accepted header contains a credential, or the gateway responded before
 * reading the credential. `unknown`: the credential is not the value of a stored key.
 */
export type PresentedKey = KeyRole | 'unknown' | 'none';

/** Returns the role of the key in a request. */
export function classifyPresentedKey({ key, credential }: Pick<Context, 'key' | 'credential'>): PresentedKey {
  return key?.role ?? (credential.header === 'none' ? 'none' : 'unknown');
}

/** The reason for which the gateway refuses a request. `retryAfter` is in seconds, and `limit` in bytes. */
export type RequestFailure =
  | { readonly kind: 'missing-credential' }
  | { readonly kind: 'bad-key'; readonly header: HeaderName }
  | { readonly kind: 'unparseable-body'; readonly reason: string }
  | { readonly kind: 'invalid-body'; readonly place: string; readonly expected: string }
  | { readonly kind: 'unknown-model'; readonly model: string }
  | { readonly kind: 'unavailable-model'; readonly model: string }
  | { readonly kind: 'unsupported-model'; readonly model: string }
  | { readonly kind: 'mismatched-model'; readonly model: string }
  | { readonly kind: 'image-refused'; readonly model: string }
  | { readonly kind: 'low-balance' }
  | { readonly kind: 'invalid-parameter'; readonly name: string; readonly expected: string }
  | { readonly kind: 'unknown-record' }
  | { readonly kind: 'too-frequent'; readonly retryAfter: number }
  | { readonly kind: 'body-too-large'; readonly limit: number }
  | { readonly kind: 'bad-url' }
  | { readonly kind: 'unknown-path' }
  | { readonly kind: 'wrong-method'; readonly allowed: readonly string[] }
  | { readonly kind: 'unreadable-request'; readonly status: 400 | 408 | 431 }
  | { readonly kind: 'refused-host'; readonly message: string }
  | { readonly kind: 'internal' };

/** The failure of a request, and the fields of the error response. */
export type ErrorFields = {
  readonly failure: RequestFailure;
  readonly status: number;
  /** `error.type` of section 7.1. */
  readonly type: string;
  /** `error.code` of section 7.2. */
  readonly code: string;
  readonly message: string;
  readonly details: { readonly [member: string]: Json } | null;
};

/** The result of an operation: a response, or a failure that the checks before the operation did not find. */
export type OperationResult =
  | {
      readonly kind: 'response';
      readonly response: Reply;
      readonly call: CompletedCall | undefined;
    }
  | { readonly kind: 'refused'; readonly failure: RequestFailure };

/**
 * A successful model call. `id` is the ID of its request record, `createdAt` in milliseconds since 1970-01-01 UTC, and
 * `cost` in credits.
 */
export type CompletedCall = {
  readonly id: string;
  readonly model: string;
  readonly answer: Answer;
  readonly usage: Usage;
  readonly cost: number;
  readonly createdAt: number;
};
