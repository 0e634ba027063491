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
