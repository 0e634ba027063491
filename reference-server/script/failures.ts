import type { Context } from '../gateway/context.ts';
import type { Failure } from '../gateway/failure.ts';
import type { ScriptError } from './rule.ts';

const invalid: Failure = {
  kind: 'invalid-body',
  place: 'body',
  expected: 'valid, and a script says that it is not',
};
const modelOf = ({ modelId = 'none' }: Context): string => modelId;

const failures: Readonly<Record<ScriptError, (ctx: Context, retryAfter: number) => Failure>> = {
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

/** The failure of that type or code, as this gateway itself would have it for this request; `retryAfter` in seconds. */
export function failureOf(error: ScriptError, ctx: Context, retryAfter = 1): Failure {
  return failures[error](ctx, retryAfter);
}
