import { type BillingCode, billingCodes, type ErrorType, errorTypes } from '../../contract/specification.ts';
import type { Context } from '../gateway/context.ts';
import type { Failure } from '../gateway/failure.ts';
import type { Json } from '../json.ts';

type Row = {
  readonly status: number;
  readonly type: ErrorType;
  readonly code: BillingCode | 'unauthorized';
};

const row = (status: number, type: Row['type'], code: Row['code']): Row => ({ status, type, code });
const invalid = (status: number): Row => row(status, errorTypes.invalidRequest, billingCodes.invalidRequest);

// Sections 7.1 (type) and 7.2 (code) by what went wrong. `type` and `code` are closed lists, so a status that
// neither section knows takes the value that comes nearest; 401 has no code in 7.2 at all.
const rows: Readonly<Record<Failure['kind'], Row>> = {
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

/** The HTTP status of a failure (5 rule 2, 7.1, 7.2). */
export function statusOf(failure: Failure, ctx: Context): number {
  // 7.1: the same condition is 400 on family A and 402 on the native endpoints of families B and C.
  if (failure.kind === 'low-balance') return ctx.family === 'A' ? 400 : rows[failure.kind].status;
  if (failure.kind === 'unreadable-request') return failure.status;
  return rows[failure.kind].status;
}

/** `error.type` of a failure (5, 7.1). */
export function typeOf(failure: Failure, _ctx: Context): string {
  if (failure.kind === 'bad-key' && failure.header === 'bearer') return errorTypes.invalidBearerToken;
  return rows[failure.kind].type;
}

/** `error.code` of a failure on a billing-type endpoint (7.2). */
export function codeOf(failure: Failure, _ctx: Context): string {
  return rows[failure.kind].code;
}

/** `error.details` of a failure (2.2): `recharge_url` where the balance is too low, else null. */
export function detailsOf(failure: Failure, ctx: Context): { readonly [member: string]: Json } | null {
  return failure.kind === 'low-balance' ? { recharge_url: ctx.state.rechargeUrl } : null;
}

/** `error.message` of a failure; on 400 it names the faulty place or the model at fault (2.2, 7.3 rule 1). */
export function messageOf(failure: Failure, ctx: Context): string {
  switch (failure.kind) {
    case 'missing-credential':
      return `No API key was sent. Send exactly one of: ${headersInWords(ctx)}.`;
    case 'bad-key':
      return `The API key in ${failure.header === 'bearer' ? 'Authorization: Bearer' : failure.header} is wrong, incomplete or deleted.`;
    case 'unparseable-body':
      return `The request body must be a JSON object: ${failure.reason}.`;
    case 'invalid-body':
      return `\`${failure.place}\` must be ${failure.expected}.`;
    case 'unknown-model':
      return `The model \`${shortened(failure.model)}\` does not exist or is temporarily unavailable; GET /v1/models lists the models.`;
    case 'unsupported-model':
      return `The model \`${shortened(failure.model)}\` currently cannot be called; use another model.`;
    case 'mismatched-model':
      return `The model \`${shortened(failure.model)}\` does not match the protocol of this endpoint.`;
    case 'image-refused':
      return `The model \`${shortened(failure.model)}\` takes text only, and the request holds an image.`;
    case 'low-balance':
      return 'The balance of this account is too low for a model call.';
    case 'invalid-parameter':
      return `\`${failure.name}\` must be ${failure.expected}.`;
    case 'unknown-record':
      return 'There is no such request record, or it belongs to another account.';
    case 'too-frequent':
      return `Too many requests; try again in ${failure.retryAfter} s.`;
    case 'body-too-large':
      return `The request body is longer than ${failure.limit} bytes.`;
    case 'bad-url':
      return 'The path is not validly percent-encoded.';
    case 'unknown-path':
      return 'There is no endpoint at this path.';
    case 'wrong-method':
      return `This endpoint answers to ${failure.allowed.join(', ')} only.`;
    case 'unreadable-request':
      return 'The request is not readable as HTTP, too slow, or its headers are too large.';
    case 'internal':
      return 'An internal error occurred.';
  }
}

const headersInWords = (ctx: Context): string =>
  (ctx.operation?.headers ?? ['bearer', 'x-api-key'])
    .map((header) => (header === 'bearer' ? 'Authorization: Bearer' : header))
    .join(', ');

// A client's own text comes back to it, so its length is bounded.
const shortened = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text);
