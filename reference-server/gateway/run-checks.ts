import type { CheckName } from '../decisions/check-order.ts';
import type { Decisions } from '../decisions/index.ts';
import type { BodyResult } from '../wire/request.ts';
import type { Context } from './context.ts';
import type { RequestFailure } from './request-failure.ts';

/**
 * The result of one or several checks, with the context that the checks completed. If a check fails, the gateway
 * refuses the request.
 */
export type CheckOutcome =
  | { readonly kind: 'passed'; readonly ctx: Context }
  | { readonly kind: 'failed'; readonly failure: RequestFailure; readonly ctx: Context };

const passed = (ctx: Context): CheckOutcome => ({ kind: 'passed', ctx });
const failed = (failure: RequestFailure, ctx: Context): CheckOutcome => ({ kind: 'failed', failure, ctx });
const passedIf = (isPassed: boolean, failure: RequestFailure, ctx: Context): CheckOutcome =>
  isPassed ? passed(ctx) : failed(failure, ctx);

/** The context that the checks of a request modify. A copy for each check would take longer than most checks. */
type MutableContext = { -readonly [Member in keyof Context]: Context[Member] };

type Step = (ctx: MutableContext, decide: Decisions) => CheckOutcome | Promise<CheckOutcome>;

const steps: Readonly<Record<CheckName, Step>> = {
  credential(ctx, decide) {
    const credential = decide.credentialOf(decide.listAcceptedHeaders(ctx), ctx);
    ctx.credential = credential;
    const { header } = credential;
    if (header === 'none') return failed({ kind: 'missing-credential' }, ctx);
    const key = decide.findKey(credential, ctx);
    ctx.key = key;
    return passedIf(key !== undefined && decide.isKeyValid(key, ctx), { kind: 'bad-key', header }, ctx);
  },

  frequency(ctx, decide) {
    const grant = decide.grantRequest(ctx);
    return grant.kind === 'granted'
      ? passed(ctx)
      : failed({ kind: 'too-frequent', retryAfter: grant.retryAfter }, ctx);
  },

  body(ctx, decide) {
    const read = ctx.request.readBody(decide.bodyLimit(ctx));
    return read instanceof Promise
      ? read.then((arrived) => parse(arrived, ctx, decide))
      : parse(read, ctx, decide);
  },

  form(ctx, decide) {
    const problem = decide.findBodyProblem(ctx.body, ctx);
    return problem ? failed({ kind: 'invalid-body', ...problem }, ctx) : passed(ctx);
  },

  'known-model'(ctx, decide) {
    const modelId = decide.modelIdOf(ctx);
    const model = modelId === undefined ? undefined : decide.findModel(modelId, ctx);
    ctx.modelId = modelId;
    ctx.model = model;
    return passedIf(model !== undefined, { kind: 'unknown-model', model: modelId ?? '' }, ctx);
  },

  // The checks `protocol`, `support` and `images` need a known model. Without a known model, for example because a
  // fault skips `known-model`, these checks pass.
  protocol: (ctx, decide) =>
    passedIf(
      !ctx.model || decide.supportsProtocol(ctx.model, ctx),
      { kind: 'mismatched-model', model: idOf(ctx) },
      ctx,
    ),

  support: (ctx, decide) =>
    passedIf(
      !ctx.model || decide.isSupported(ctx.model, ctx),
      { kind: 'unsupported-model', model: idOf(ctx) },
      ctx,
    ),

  images: (ctx, decide) =>
    passedIf(
      !ctx.model || decide.acceptsImages(ctx.model, ctx) || !decide.hasImage(ctx),
      { kind: 'image-refused', model: idOf(ctx) },
      ctx,
    ),

  balance(ctx, decide) {
    const account = ctx.state.accounts.get(ctx.key?.account ?? '');
    return passedIf(decide.canPay(account, ctx), { kind: 'low-balance' }, ctx);
  },
};

function parse(read: BodyResult, ctx: MutableContext, decide: Decisions): CheckOutcome {
  if (read.kind === 'too-large') return failed({ kind: 'body-too-large', limit: read.limit }, ctx);
  const parsed = decide.parseBody(read.bytes, ctx);
  if ('failure' in parsed) return failed(parsed.failure, ctx);
  ctx.body = parsed.value;
  ctx.streamed = decide.isStreamRequested(ctx);
  return passed(ctx);
}

const idOf = (ctx: Context): string => ctx.modelId ?? '';

/**
 * Runs the checks in the given order until a check fails. The returned context contains the results of all checks
 * that ran. The function returns a promise only if a check must wait for the body.
 */
export function runChecks(
  checks: readonly CheckName[],
  start: Context,
  decide: Decisions,
): CheckOutcome | Promise<CheckOutcome> {
  return continueChecks(checks, { ...start }, decide);
}

function continueChecks(
  checks: readonly CheckName[],
  ctx: MutableContext,
  decide: Decisions,
): CheckOutcome | Promise<CheckOutcome> {
  for (const [index, check] of checks.entries()) {
    const result = steps[check](ctx, decide);
    if (result instanceof Promise)
      return result.then((late) =>
        late.kind === 'failed' ? late : continueChecks(checks.slice(index + 1), ctx, decide),
      );
    if (result.kind === 'failed') return result;
  }
  return passed(ctx);
}
