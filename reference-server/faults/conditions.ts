import type { Context } from '../gateway/context.ts';
import type { Failure } from '../gateway/failure.ts';
import type { Family, HeaderName, OperationId, Surface } from '../gateway/operations.ts';
import type { KeyRole } from '../gateway/seed.ts';

/** A condition on a request, as far as it is known when a decision is asked for. */
export type Where = (ctx: Context) => boolean;

/** Requests of one of these operations. */
export const on =
  (...ids: readonly OperationId[]): Where =>
  ({ operation }) =>
    operation !== undefined && ids.includes(operation.id);

/** Requests of one of these protocol families. */
export const inFamily =
  (...families: readonly Family[]): Where =>
  ({ family }) =>
    families.includes(family);

/** Requests that owe one of these error bodies. */
export const at =
  (...surfaces: readonly Surface[]): Where =>
  ({ surface }) =>
    surfaces.includes(surface);

/** Requests whose credential came in one of these places; known from the credential check on. */
export const by =
  (...headers: readonly (HeaderName | 'none')[]): Where =>
  ({ credential }) =>
    headers.includes(credential.header);

/** Requests with one of these keys; known once the key is found. */
export const ofKey =
  (...roles: readonly KeyRole[]): Where =>
  ({ key }) =>
    key !== undefined && roles.includes(key.role);

/** Requests that are refused for one of these reasons. */
export const refusedFor =
  (...kinds: readonly Failure['kind'][]): Where =>
  ({ failure }) =>
    failure !== undefined && kinds.includes(failure.kind);

/** Requests that are refused for any reason. */
export const refused: Where = ({ failure }) => failure !== undefined;

/** Requests for a stream; known from the body on, or from the path. */
export const streamed: Where = (ctx) => ctx.streamed;

/** Requests that present a key that works, in a header that the operation accepts, whatever was checked so far. */
export const presentsGoodKey: Where = ({ request, operation, state }) => {
  const { authorization = '', 'x-api-key': plain = '', 'x-goog-api-key': goog = '' } = request.headers;
  const presented = [authorization.replace(/^bearer +/i, ''), plain, operation?.family === 'C' ? goog : ''];
  return state.keys.some(({ value, deleted }) => !deleted && presented.includes(value));
};

/** Requests that carry anything in a header for credentials. */
export const presentsAnything: Where = ({ request }) =>
  ['authorization', 'x-api-key', 'x-goog-api-key'].some((name) => request.headers[name] !== undefined);

/** Where all conditions hold. */
export const all =
  (...conditions: readonly Where[]): Where =>
  (ctx) =>
    conditions.every((holds) => holds(ctx));

/** Where a condition does not hold. */
export const not =
  (condition: Where): Where =>
  (ctx) =>
    !condition(ctx);

/** Every nth of the requests for which a condition holds, as one of n nodes behind a balancer; make one for each server. */
export function everyNth(n: number, condition: Where): Where {
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

/** From the nth time on that the same request is made (operation, credential and body length); make one for each server. */
export function fromNthTime(n: number, condition: Where): Where {
  const first = new Map<string, number>();
  const seen = new Map<number, boolean>();
  return (ctx) => {
    if (!condition(ctx)) return false;
    const known = seen.get(ctx.number);
    if (known !== undefined) return known;
    const name = JSON.stringify([
      ctx.operation?.id,
      ctx.credential.value,
      ctx.request.headers['content-length'],
    ]);
    const times = (first.get(name) ?? 0) + 1;
    first.set(name, times);
    seen.set(ctx.number, times >= n);
    return times >= n;
  };
}
