import type { Decisions } from '../decisions/index.ts';
import type { Reply } from '../wire/response.ts';
import type { Context } from './context.ts';
import type { RequestFailure } from './request-failure.ts';

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
