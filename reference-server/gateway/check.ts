import type { Decisions } from '../decisions/index.ts';
import type { Check } from '../decisions/order.ts';
import type { BodyRead, Context } from './context.ts';
import type { Failure } from './failure.ts';

/** A check passed, with what it found out; or the failure that ends the request. */
export type Checked =
  | { readonly kind: 'passed'; readonly ctx: Context }
  | { readonly kind: 'failed'; readonly failure: Failure; readonly ctx: Context };

const passed = (ctx: Context): Checked => ({ kind: 'passed', ctx });
const failed = (failure: Failure, ctx: Context): Checked => ({ kind: 'failed', failure, ctx });
const passedIf = (holds: boolean, failure: Failure, ctx: Context): Checked =>
  holds ? passed(ctx) : failed(failure, ctx);

/** One object for all checks of a request, since each copy of it takes longer than most checks. */
type Draft = { -readonly [Member in keyof Context]: Context[Member] };

type Step = (ctx: Draft, decide: Decisions) => Checked | Promise<Checked>;

const steps: Readonly<Record<Check, Step>> = {
  credential(ctx, decide) {
    const credential = decide.credentialOf(decide.acceptedHeaders(ctx), ctx);
    ctx.credential = credential;
    const { header } = credential;
    if (header === 'none') return failed({ kind: 'missing-credential' }, ctx);
    const key = decide.findKey(credential, ctx);
    ctx.key = key;
    return passedIf(key !== undefined && decide.keyWorks(key, ctx), { kind: 'bad-key', header }, ctx);
  },

  frequency(ctx, decide) {
    const answer = decide.grant(ctx);
    return answer.kind === 'granted'
      ? passed(ctx)
      : failed({ kind: 'too-frequent', retryAfter: answer.retryAfter }, ctx);
  },

  body(ctx, decide) {
    const read = ctx.request.readBody(decide.bodyLimit(ctx));
    return read instanceof Promise
      ? read.then((arrived) => parse(arrived, ctx, decide))
      : parse(read, ctx, decide);
  },

  form(ctx, decide) {
    const fault = decide.bodyFault(ctx.body, ctx);
    return fault ? failed({ kind: 'invalid-body', ...fault }, ctx) : passed(ctx);
  },

  'known-model'(ctx, decide) {
    const modelId = decide.modelIdOf(ctx);
    const model = modelId === undefined ? undefined : decide.findModel(modelId, ctx);
    ctx.modelId = modelId;
    ctx.model = model;
    return passedIf(model !== undefined, { kind: 'unknown-model', model: modelId ?? '' }, ctx);
  },

  // The rest is asked of a known model only; where that check was left out, there is nothing to ask about.
  protocol: (ctx, decide) =>
    passedIf(
      !ctx.model || decide.speaks(ctx.model, ctx),
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
      !ctx.model || decide.takesImages(ctx.model, ctx) || !decide.hasImage(ctx),
      { kind: 'image-refused', model: idOf(ctx) },
      ctx,
    ),

  balance(ctx, decide) {
    const account = ctx.state.accounts.get(ctx.key?.account ?? '');
    return passedIf(decide.canPay(account, ctx), { kind: 'low-balance' }, ctx);
  },
};

function parse(read: BodyRead, ctx: Draft, decide: Decisions): Checked {
  if (read.kind === 'too-large') return failed({ kind: 'body-too-large', limit: read.limit }, ctx);
  const parsed = decide.parseBody(read.bytes, ctx);
  if ('failure' in parsed) return failed(parsed.failure, ctx);
  ctx.body = parsed.value;
  ctx.streamed = decide.wantsStream(ctx);
  return passed(ctx);
}

const idOf = (ctx: Context): string => ctx.modelId ?? '';

/**
 * Makes the checks in that order until one fails; the context holds what each found out, the failing one included. What is
 * known at once is not waited for.
 */
export function runChecks(
  checks: readonly Check[],
  start: Context,
  decide: Decisions,
): Checked | Promise<Checked> {
  return goOn(checks, { ...start }, decide);
}

function goOn(checks: readonly Check[], ctx: Draft, decide: Decisions): Checked | Promise<Checked> {
  for (const [index, check] of checks.entries()) {
    const result = steps[check](ctx, decide);
    if (result instanceof Promise)
      return result.then((late) =>
        late.kind === 'failed' ? late : goOn(checks.slice(index + 1), ctx, decide),
      );
    if (result.kind === 'failed') return result;
  }
  return passed(ctx);
}
