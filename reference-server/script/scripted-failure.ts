import type { Context } from '../gateway/context.ts';
import type { RequestFailure } from '../gateway/request-failure.ts';
import type { ScriptError } from './rule.ts';

const invalid: RequestFailure = {
  kind: 'invalid-body',
  place: 'body',
  expected: 'valid, but a script or a situation reports the body as invalid',
};
const modelOf = ({ modelId = 'none' }: Context): string => modelId;

const failures: Readonly<Record<ScriptError, (ctx: Context, retryAfter: number) => RequestFailure>> = {
  missing_auth_credential: () => ({ kind: 'missing-credential' }),
  invalid_api_key: () => ({ kind: 'bad-key', header: 'x-api-key' }),
  invalid_bearer_token: () => ({ kind: 'bad-key', header: 'bearer' }),
  model_not_available: (ctx) => ({ kind: 'unknown-model', model: modelOf(ctx) }),
  model_not_supported: (ctx) => ({ kind: 'unsupported-model', model: modelOf(ctx) }),
  invalid_request_error: () => invalid,
  insufficient_balance: () => ({ kind: 'low-balance' }),
  invalid_request: () => invalid,
  not_found: ({ surface }) => ({ kind: surface === 'billing' ? 'unknown-record' : 'unknown-path' }),
  rate_limit_exceeded: (_ctx, retryAfter) => ({ kind: 'too-frequent', retryAfter }),
  internal_error: () => ({ kind: 'internal' }),
};

/**
 * Returns the failure for which the gateway sends this type or code. `retryAfter` is in seconds and has an effect
 * only for `rate_limit_exceeded`. Default: 1.
 */
export function createScriptedFailure(error: ScriptError, ctx: Context, retryAfter = 1): RequestFailure {
  return failures[error](ctx, retryAfter);
}
