import type { ServerRequest } from '../wire/request.ts';
import type { Family, GatewayOperation, HeaderName, Surface } from './operations.ts';
import type { PartialProfile } from './profile.ts';
import type { RequestFailure } from './request-failure.ts';
import type { RouteMatch } from './routes.ts';
import type { Model } from './seed.ts';
import type { ApiKey, State, Usage } from './state.ts';

/** The credential of a request. `header` is `none` if no accepted header contains a credential. */
export type PresentedCredential = { readonly header: HeaderName | 'none'; readonly value: string };

/**
 * A request, with the information that the gateway has about the request so far. The checks set `credential`, `key`,
 * `body`, `modelId`, `model` and `streamed`. `failure` is set when the request is refused.
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
  /** The key with the value of the credential, even if the key is deleted; undefined if no key has this value. */
  readonly key: ApiKey | undefined;
  readonly body: unknown;
  readonly modelId: string | undefined;
  readonly model: Model | undefined;
  readonly streamed: boolean;
  readonly failure: RequestFailure | undefined;
};

/**
 * The result of a model call. `id` is the ID of the request record. `createdAt` is in milliseconds since 1970-01-01
 * UTC.
 */
export type CompletedCall = {
  readonly id: string;
  readonly model: string;
  readonly text: string;
  readonly usage: Usage;
  /** The price in credits. */
  readonly cost: number;
  readonly createdAt: number;
};
