import { randomUUID } from 'node:crypto';
import type { Header, Reply } from '../wire/response.ts';
import type { Context, RequestFailure } from './context.ts';
import type { Decisions } from './decisions.ts';

// The gateway names its errors itself: the suite, which reads specs/errors.yaml, must not share its recognition of errors.

/** The values of `error.type` (section 7.1). */
export const errorTypes = {
  missingCredential: 'missing_auth_credential',
  invalidApiKey: 'invalid_api_key',
  invalidBearerToken: 'invalid_bearer_token',
  modelNotAvailable: 'model_not_available',
  modelNotSupported: 'model_not_supported',
  invalidRequest: 'invalid_request_error',
  insufficientBalance: 'insufficient_balance',
} as const;
export type ErrorType = (typeof errorTypes)[keyof typeof errorTypes];

/** The values of `error.code` on billing-type endpoints (section 7.2). */
export const billingCodes = {
  invalidRequest: 'invalid_request',
  notFound: 'not_found',
  rateLimitExceeded: 'rate_limit_exceeded',
  internalError: 'internal_error',
} as const;
export type BillingCode = (typeof billingCodes)[keyof typeof billingCodes];

/** Creates the error response to a failure, with the body of section 2.2 or 2.3. */
export function createErrorResponse(failure: RequestFailure, ctx: Context, decide: Decisions): Reply {
  const refusal = {
    failure,
    status: decide.errorStatusOf(failure, ctx),
    type: decide.errorTypeOf(failure, ctx),
    code: decide.errorCodeOf(failure, ctx),
    message: decide.errorMessageOf(failure, ctx),
    details: decide.errorDetailsOf(failure, ctx),
  };
  const body =
    decide.chooseErrorShape(ctx) === 'billing' ? decide.createBillingErrorBody : decide.createModelErrorBody;
  return {
    status: refusal.status,
    headers: decide.listErrorHeaders(refusal, ctx),
    content: { kind: 'json', value: body(refusal, ctx) },
  };
}

type ErrorRow = {
  readonly status: number;
  readonly type: ErrorType;
  readonly code: BillingCode | 'unauthorized';
};

const row = (status: number, type: ErrorRow['type'], code: ErrorRow['code']): ErrorRow => ({
  status,
  type,
  code,
});
const invalid = (status: number): ErrorRow =>
  row(status, errorTypes.invalidRequest, billingCodes.invalidRequest);

// The status, `error.type` (7.1) and `error.code` (7.2) by failure. Both sections contain closed lists, so a failure
// that the lists do not mention gets the most similar value. 7.2 has no code for 401.
const rows: Readonly<Record<RequestFailure['kind'], ErrorRow>> = {
  'missing-credential': row(401, errorTypes.missingCredential, 'unauthorized'),
  'bad-key': row(401, errorTypes.invalidApiKey, 'unauthorized'),
  'unparseable-body': invalid(400),
  'invalid-body': invalid(400),
  'unknown-model': row(400, errorTypes.modelNotAvailable, billingCodes.invalidRequest),
  'unavailable-model': row(400, errorTypes.modelNotAvailable, billingCodes.invalidRequest),
  'unsupported-model': row(400, errorTypes.modelNotSupported, billingCodes.invalidRequest),
  'mismatched-model': invalid(400),
  'image-refused': invalid(400),
  'low-balance': row(402, errorTypes.insufficientBalance, billingCodes.invalidRequest),
  'invalid-parameter': invalid(400),
  'unknown-record': row(404, errorTypes.invalidRequest, billingCodes.notFound),
  'too-frequent': row(429, errorTypes.invalidRequest, billingCodes.rateLimitExceeded),
  'body-too-large': invalid(413),
  'bad-url': invalid(400),
  'unknown-path': row(404, errorTypes.invalidRequest, billingCodes.notFound),
  'wrong-method': invalid(405),
  'unreadable-request': invalid(400),
  'refused-host': invalid(403),
  internal: row(500, errorTypes.invalidRequest, billingCodes.internalError),
};

/** Decisions about errors (2.2, 2.3, 5, 7). */
export const errors = {
  /** For `trace_id` and the header `x-trace-id` (2.2). */
  createTraceId: () => randomUUID(),

  /** Returns the HTTP status of a failure (5 rule 2, 7.1, 7.2). */
  errorStatusOf(failure, ctx) {
    // 7.1: If the balance is too low, the status is 400 in family A, and 402 on the native endpoints of families B and C.
    if (failure.kind === 'low-balance') return ctx.family === 'A' ? 400 : rows[failure.kind].status;
    if (failure.kind === 'unreadable-request') return failure.status;
    return rows[failure.kind].status;
  },

  /** Returns `error.type` of a failure (5, 7.1). */
  errorTypeOf(failure) {
    if (failure.kind === 'bad-key' && failure.header === 'bearer') return errorTypes.invalidBearerToken;
    return rows[failure.kind].type;
  },

  /** Returns `error.code` of a failure on a billing-type endpoint (7.2). */
  errorCodeOf: (failure) => rows[failure.kind].code,

  /** Returns `error.details` of a failure (2.2): `recharge_url` if the balance is too low, otherwise null. */
  errorDetailsOf(failure, ctx) {
    if (failure.kind !== 'low-balance') return null;
    const account = encodeURIComponent(ctx.key?.account ?? '');
    return { recharge_url: ctx.state.rechargeUrl.replace('{account}', account) };
  },

  /**
   * Returns `error.message` of a failure. If the status is 400, the message names the problem, such as the invalid
   * member or parameter, or the model (2.2, 7.3 rule 1).
   */
  errorMessageOf(failure, ctx) {
    switch (failure.kind) {
      case 'missing-credential':
        return `No API key was sent. Send a key in one of these headers: ${formatHeaders(ctx)}.`;
      case 'bad-key':
        return `The API key in ${failure.header === 'bearer' ? 'Authorization: Bearer' : failure.header} is wrong, incomplete or deleted.`;
      case 'unparseable-body':
        return `The request body must be a JSON object, but ${failure.reason}.`;
      case 'invalid-body':
        return `\`${failure.place}\` must be ${failure.expected}.`;
      case 'unknown-model':
        return `The model \`${truncate(failure.model)}\` does not exist. GET /v1/models lists the models.`;
      case 'unavailable-model':
        return `The model \`${truncate(failure.model)}\` is temporarily unavailable. Try again later, or use another model.`;
      case 'unsupported-model':
        return `The model \`${truncate(failure.model)}\` currently cannot be called. Use another model.`;
      case 'mismatched-model':
        return `The model \`${truncate(failure.model)}\` does not match the protocol of this endpoint.`;
      case 'image-refused':
        return `The model \`${truncate(failure.model)}\` accepts only text, but the request contains an image.`;
      case 'low-balance':
        return 'The balance of this account is too low for a model call.';
      case 'invalid-parameter':
        return `\`${failure.name}\` must be ${failure.expected}.`;
      case 'unknown-record':
        return 'The request record does not exist or belongs to another account.';
      case 'too-frequent':
        return `Too many requests. Try again in ${failure.retryAfter} s.`;
      case 'body-too-large':
        return `The request body is longer than ${failure.limit} bytes.`;
      case 'bad-url':
        return 'The path is not validly percent-encoded.';
      case 'unknown-path':
        return 'There is no endpoint at this path.';
      case 'wrong-method':
        return `This endpoint supports only ${failure.allowed.join(', ')}.`;
      case 'unreadable-request':
        return 'The request is not valid HTTP, arrived too slowly, or has headers that are too large.';
      case 'refused-host':
        return failure.message;
      case 'internal':
        return 'An internal error occurred.';
    }
  },

  /** Returns the form of the error body: 2.3 for billing-type paths, otherwise 2.2. */
  chooseErrorShape(ctx) {
    if (ctx.match.kind === 'found' || ctx.match.kind === 'wrong-method')
      return ctx.surface === 'billing' ? 'billing' : 'model';
    return ctx.request.path.startsWith('/v1/billing') ? 'billing' : 'model';
  },

  /** Returns the body of section 2.2. `code` is the status, and `trace_id` has the value of the header `x-trace-id`. */
  createModelErrorBody: (refusal, ctx) => ({
    error: {
      message: refusal.message,
      type: refusal.type,
      code: refusal.status,
      details: refusal.details,
    },
    trace_id: ctx.traceId,
  }),

  /**
   * Returns the body of section 2.3, without other members except one: a 401 also has `error.type`, which section 5
   * rule 2 requires of every authentication failure. No body satisfies both sections, and 7.2 has no code for 401.
   */
  createBillingErrorBody: ({ status, type, code, message }) => ({
    error: { ...(status === 401 && { type }), code, message },
  }),

  /**
   * Returns `x-trace-id` (2.2). The other headers are those that HTTP asks for: `www-authenticate` for 401, `allow` for
   * a wrong method, and `retry-after` for an exceeded rate limit.
   */
  listErrorHeaders(refusal, ctx) {
    const headers: Header[] = [['x-trace-id', ctx.traceId]];
    const { failure } = refusal;
    if (failure.kind === 'wrong-method') headers.push(['allow', failure.allowed.join(', ')]);
    if (failure.kind === 'too-frequent') headers.push(['retry-after', String(failure.retryAfter)]);
    if (refusal.status === 401) headers.push(['www-authenticate', 'Bearer']);
    return headers;
  },
} satisfies Partial<Decisions>;

const formatHeaders = (ctx: Context): string =>
  (ctx.operation?.headers ?? ['bearer', 'x-api-key'])
    .map((header) => (header === 'bearer' ? 'Authorization: Bearer' : header))
    .join(', ');

// The text comes from the client, so its length must be limited.
const truncate = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text);
