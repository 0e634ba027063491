import type { KeyRole } from '../../common/profile-values.ts';
import type { Context, RequestFailure } from '../gateway/context.ts';
import type { Family, GatewayOperationId, HeaderName, Surface } from '../gateway/operations.ts';

/** A condition on a request. */
export type RequestCondition = (ctx: Context) => boolean;

/** Matches requests of one of these operations. */
export const onOperation =
  (...ids: readonly GatewayOperationId[]): RequestCondition =>
  ({ operation }) =>
    operation !== undefined && ids.includes(operation.id);

/** Matches requests of one of these protocol families. */
export const inFamily =
  (...families: readonly Family[]): RequestCondition =>
  ({ family }) =>
    families.includes(family);

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

/** Matches requests for a stream. Before the body is parsed, matches only operations that always stream. */
export const isStreamed: RequestCondition = (ctx) => ctx.streamed;

/**
 * Matches requests with a valid key in an accepted header, with or without the scheme `Bearer`. Matches even before
 * the check of the credential.
 */
export const hasGoodKey: RequestCondition = ({ request, operation, state }) => {
  const { authorization = '', 'x-api-key': plain = '', 'x-goog-api-key': goog = '' } = request.headers;
  const presented = [authorization.replace(/^bearer +/i, ''), plain, operation?.family === 'C' ? goog : ''];
  return state.keys.some(({ value, deleted }) => !deleted && presented.includes(value));
};

/** Matches requests with at least one of the three credential headers. */
export const hasCredentialHeader: RequestCondition = ({ request }) =>
  ['authorization', 'x-api-key', 'x-goog-api-key'].some((name) => request.headers[name] !== undefined);

/** Matches requests that satisfy all conditions. */
export const allOf =
  (...conditions: readonly RequestCondition[]): RequestCondition =>
  (ctx) =>
    conditions.every((condition) => condition(ctx));

/** Matches requests whose header `accept` matches the pattern. */
export const accepts =
  (pattern: RegExp): RequestCondition =>
  ({ request }) =>
    pattern.test(request.headers.accept ?? '');

/** Matches requests of a browser, whose `accept` begins with `text/html`. */
export const isBrowser = accepts(/^text\/html/);

/** Matches requests that do not satisfy the condition. */
export const not =
  (condition: RequestCondition): RequestCondition =>
  (ctx) =>
    !condition(ctx);

/**
 * Matches every nth request that satisfies a condition, like a defect of one of n nodes. The returned condition has
 * state: create a condition for each server.
 */
export function everyNth(n: number, condition: RequestCondition): RequestCondition {
  const struck = new Map<number, boolean>();
  let count = 0;
  return (ctx) => {
    if (!condition(ctx)) return false;
    const known = struck.get(ctx.number);
    if (known !== undefined) return known;
    count += 1;
    struck.set(ctx.number, count % n === 0);
    return count % n === 0;
  };
}
