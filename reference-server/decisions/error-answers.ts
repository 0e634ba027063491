import type { Context } from '../gateway/context.ts';
import type { Refusal } from '../gateway/failure.ts';
import type { Json } from '../json.ts';
import type { Header } from '../wire/answer.ts';

/** Which section shapes the error body: 2.3 under billing-type paths, else 2.2. */
export function errorShape(ctx: Context): 'model' | 'billing' {
  if (ctx.match.kind === 'found' || ctx.match.kind === 'wrong-method')
    return ctx.surface === 'billing' ? 'billing' : 'model';
  return ctx.request.path.startsWith('/v1/billing') ? 'billing' : 'model';
}

/** The error body of section 2.2; `code` is the status, `trace_id` the one of the header. */
export function modelErrorBody(refusal: Refusal, ctx: Context): Json {
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

/** The error body of section 2.3, with no other member. */
export function billingErrorBody(refusal: Refusal, _ctx: Context): Json {
  return { error: { code: refusal.code, message: refusal.message } };
}

/** The headers of an error beside its content type: the trace id, and what HTTP asks for with 401, 405 and 429. */
export function errorHeaders(refusal: Refusal, ctx: Context): readonly Header[] {
  const headers: Header[] = [['x-trace-id', ctx.traceId]];
  const { failure } = refusal;
  if (failure.kind === 'wrong-method') headers.push(['allow', failure.allowed.join(', ')]);
  if (failure.kind === 'too-frequent') headers.push(['retry-after', String(failure.retryAfter)]);
  if (refusal.status === 401) headers.push(['www-authenticate', 'Bearer']);
  return headers;
}
