import type { Context } from '../gateway/context.ts';
import { type BillingCode, billingCodes, type ErrorType, errorTypes } from '../gateway/error-names.ts';
import type { RequestFailure } from '../gateway/request-failure.ts';
import type { Json } from '../json.ts';

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
  internal: row(500, errorTypes.invalidRequest, billingCodes.internalError),
};

/** Returns the HTTP status of a failure (5 rule 2, 7.1, 7.2). */
export function errorStatusOf(failure: RequestFailure, ctx: Context): number {
  // 7.1: If the balance is too low, the status is 400 in family A, and 402 on the native endpoints of families B and C.
  if (failure.kind === 'low-balance') return ctx.family === 'A' ? 400 : rows[failure.kind].status;
  if (failure.kind === 'unreadable-request') return failure.status;
  return rows[failure.kind].status;
}

/** Returns `error.type` of a failure (5, 7.1). */
export function errorTypeOf(failure: RequestFailure, _ctx: Context): string {
  if (failure.kind === 'bad-key' && failure.header === 'bearer') return errorTypes.invalidBearerToken;
  return rows[failure.kind].type;
}

/** Returns `error.code` of a failure on a billing-type endpoint (7.2). */
export function errorCodeOf(failure: RequestFailure, _ctx: Context): string {
  return rows[failure.kind].code;
}

/** Returns `error.details` of a failure (2.2): `recharge_url` if the balance is too low, otherwise null. */
export function errorDetailsOf(
  failure: RequestFailure,
  ctx: Context,
): { readonly [member: string]: Json } | null {
  if (failure.kind !== 'low-balance') return null;
  const account = encodeURIComponent(ctx.key?.account ?? '');
  return { recharge_url: ctx.state.rechargeUrl.replace('{account}', account) };
}

/**
 * Returns `error.message` of a failure. If the status is 400, the message names the problem, such as the invalid
 * member or parameter, or the model (2.2, 7.3 rule 1).
 */
export function errorMessageOf(failure: RequestFailure, ctx: Context): string {
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
      return `The model \`${truncate(failure.model)}\` does not exist or is temporarily unavailable. GET /v1/models lists the models.`;
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
    case 'internal':
      return 'An internal error occurred.';
  }
}

const formatHeaders = (ctx: Context): string =>
  (ctx.operation?.headers ?? ['bearer', 'x-api-key'])
    .map((header) => (header === 'bearer' ? 'Authorization: Bearer' : header))
    .join(', ');

// The text comes from the client, so its length must be limited.
const truncate = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text);
