import type { Failure } from './failure.ts';
import type { Family, HeaderName, Operation, Surface } from './operations.ts';
import type { PartialProfile } from './profile.ts';
import type { RouteMatch } from './routes.ts';
import type { Model } from './seed.ts';
import type { ApiKey, State, Usage } from './state.ts';

/**
 * A request as it arrived, one object all the way. Header names are in lower case; the body is read on demand, and once:
 * who asks again gets what was read, at once where all of it is there.
 */
export type GatewayRequest = {
  readonly method: string;
  /** The path as sent, percent-encoded, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly readBody: (limit: number) => BodyRead | Promise<BodyRead>;
};

/** The bytes of a body, or that it is longer than the limit allows. */
export type BodyRead =
  | { readonly kind: 'read'; readonly bytes: Uint8Array }
  | { readonly kind: 'too-large'; readonly limit: number };

/** The credential that a request presents; `none` where no supported header has the right form. */
export type Credential = { readonly header: HeaderName | 'none'; readonly value: string };

/** All that is known of a request so far; what a later step finds out is undefined before it. */
export type Context = {
  /** 1 for the first request that this server received, then counting up. */
  readonly number: number;
  readonly traceId: string;
  /** When the request arrived, in milliseconds since the epoch. */
  readonly now: number;
  readonly request: GatewayRequest;
  readonly profile: PartialProfile;
  readonly state: State;
  readonly match: RouteMatch;
  readonly operation: Operation | undefined;
  readonly family: Family;
  readonly surface: Surface;
  readonly credential: Credential;
  /** The key that the credential names, deleted or not. */
  readonly key: ApiKey | undefined;
  readonly body: unknown;
  readonly modelId: string | undefined;
  readonly model: Model | undefined;
  readonly streamed: boolean;
  /** Why the request is refused, once it is. */
  readonly failure: Failure | undefined;
};

/** What a model call produced; `id` names its request record, `createdAt` is in milliseconds. */
export type Call = {
  readonly id: string;
  readonly model: string;
  readonly text: string;
  readonly usage: Usage;
  readonly createdAt: number;
};
