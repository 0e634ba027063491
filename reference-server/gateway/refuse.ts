import type { Decisions } from '../decisions/index.ts';
import type { Answer } from '../wire/answer.ts';
import type { Context } from './context.ts';
import type { Failure } from './failure.ts';

/** Words a failure as the error answer that section 2.2 or 2.3 asks for. */
export function refuse(failure: Failure, ctx: Context, decide: Decisions): Answer {
  const refusal = {
    failure,
    status: decide.statusOf(failure, ctx),
    type: decide.typeOf(failure, ctx),
    code: decide.codeOf(failure, ctx),
    message: decide.messageOf(failure, ctx),
    details: decide.detailsOf(failure, ctx),
  };
  const body = decide.errorShape(ctx) === 'billing' ? decide.billingErrorBody : decide.modelErrorBody;
  return {
    status: refusal.status,
    headers: decide.errorHeaders(refusal, ctx),
    content: { kind: 'json', value: body(refusal, ctx) },
  };
}
