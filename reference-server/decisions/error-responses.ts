import { randomUUID } from 'node:crypto';
import type { Context } from '../gateway/context.ts';
import type { ErrorFields } from '../gateway/request-failure.ts';
import type { Json } from '../json.ts';
import type { Header } from '../wire/response.ts';

/** Creates the UUID of one response, for `trace_id` and the header `x-trace-id` (2.2). */
export function createTraceId(_requestNumber: number): string {
  return randomUUID();
}

/** Returns the form of the error body: 2.3 for billing-type paths, otherwise 2.2. */
export function chooseErrorShape(ctx: Context): 'model' | 'billing' {
  if (ctx.match.kind === 'found' || ctx.match.kind === 'wrong-method')
    return ctx.surface === 'billing' ? 'billing' : 'model';
  return ctx.request.path.startsWith('/v1/billing') ? 'billing' : 'model';
}

/**
 * Returns the error body of section 2.2. `code` is the status, and `trace_id` has the value of the header `x-trace-id`.
 */
export function createModelErrorBody(refusal: ErrorFields, ctx: Context): Json {
  return {
    error: {
      message: refusal.message,
      type: refusal.type,
      code: refusal.status,
      details: refusal.details,
    },
    trace_id: ctx.traceId,
  };
}

/**
 * Returns the error body of section 2.3, without other members except one: a 401 also has `error.type`, which section 5
 * rule 2 requires of every authentication failure. No body satisfies both sections, and 7.2 has no code for 401.
 */
export function createBillingErrorBody(refusal: ErrorFields, _ctx: Context): Json {
  const { status, type, code, message } = refusal;
  return { error: { ...(status === 401 && { type }), code, message } };
}

/**
 * Returns the headers of an error, without the content type: `x-trace-id`, `www-authenticate` for 401, `allow` for a
 * wrong method, and `retry-after` for an exceeded rate limit.
 */
export function listErrorHeaders(refusal: ErrorFields, ctx: Context): readonly Header[] {
  const headers: Header[] = [['x-trace-id', ctx.traceId]];
  const { failure } = refusal;
  if (failure.kind === 'wrong-method') headers.push(['allow', failure.allowed.join(', ')]);
  if (failure.kind === 'too-frequent') headers.push(['retry-after', String(failure.retryAfter)]);
  if (refusal.status === 401) headers.push(['www-authenticate', 'Bearer']);
  return headers;
}
