import type { KeyRole } from '../common/profile-values.ts';
import type { Context, RequestFailure } from './gateway/context.ts';
import type { GatewayOperationId, HeaderName, Surface } from './gateway/operations.ts';

/** A condition on a request. */
export type RequestCondition = (ctx: Context) => boolean;

/** Matches requests of one of these operations. */
export const onOperation =
  (...ids: readonly GatewayOperationId[]): RequestCondition =>
  ({ operation }) =>
    operation !== undefined && ids.includes(operation.id);

/** Matches requests to endpoints of these surfaces, which determine the form of errors. */
export const onSurface =
  (...surfaces: readonly Surface[]): RequestCondition =>
  ({ surface }) =>
    surfaces.includes(surface);

/**
 * Matches requests whose credential is in one of these headers. Before the check of the credential, the header of each
 * request is `none`.
 */
export const byHeader =
  (...headers: readonly (HeaderName | 'none')[]): RequestCondition =>
  ({ credential }) =>
    headers.includes(credential.header);

/** Matches requests with a key of one of these roles. Before the check of the credential, matches no request. */
export const withKey =
  (...roles: readonly KeyRole[]): RequestCondition =>
  ({ key }) =>
    key !== undefined && roles.includes(key.role);

/** Matches requests that are refused for one of these reasons. Before the refusal, matches no request. */
export const refusedFor =
  (...kinds: readonly RequestFailure['kind'][]): RequestCondition =>
  ({ failure }) =>
    failure !== undefined && kinds.includes(failure.kind);

/** Matches requests that are refused for any reason. Before the refusal, matches no request. */
export const isRefused: RequestCondition = ({ failure }) => failure !== undefined;

/** Matches requests that satisfy all conditions. */
export const allOf =
  (...conditions: readonly RequestCondition[]): RequestCondition =>
  (ctx) =>
    conditions.every((condition) => condition(ctx));

/** Matches requests that do not satisfy the condition. */
export const not =
  (condition: RequestCondition): RequestCondition =>
  (ctx) =>
    !condition(ctx);
