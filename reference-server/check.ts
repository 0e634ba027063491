import type { Context } from './context.ts';
import type { Check } from './decisions/order.ts';
import type { Decisions } from './decisions.ts';
import type { Failure } from './failure.ts';

/** A check passed, with what it found out; or the failure that ends the request. */
export type Checked =
  | { readonly kind: 'passed'; readonly ctx: Context }
  | { readonly kind: 'failed'; readonly failure: Failure; readonly ctx: Context };

const passed = (ctx: Context): Checked => ({ kind: 'passed', ctx });
const failed = (failure: Failure, ctx: Context): Checked => ({ kind: 'failed', failure, ctx });
const passedIf = (holds: boolean, failure: Failure, ctx: Context): Checked =>
  holds ? passed(ctx) : failed(failure, ctx);

type Step = (ctx: Context, decide: Decisions) => Checked | Promise<Checked>;

const steps: Readonly<Record<Check, Step>> = {
  credential(before, decide) {
    const credential = decide.credentialOf(decide.acceptedHeaders(before), before);
    const presented = { ...before, credential };
    const { header } = credential;
    if (header === 'none') return failed({ kind: 'missing-credential' }, presented);
    const key = decide.findKey(credential, presented);
    const ctx = { ...presented, key };
    return passedIf(key !== undefined && decide.keyWorks(key, ctx), { kind: 'bad-key', header }, ctx);
  },

  frequency(ctx, decide) {
    const answer = decide.grant(ctx);
    return answer.kind === 'granted'
      ? passed(ctx)
      : failed({ kind: 'too-frequent', retryAfter: answer.retryAfter }, ctx);
  },

  async body(ctx, decide) {
    const read = await ctx.request.readBody(decide.bodyLimit(ctx));
    if (read.kind === 'too-large') return failed({ kind: 'body-too-large', limit: read.limit }, ctx);
    const parsed = decide.parseBody(read.bytes, ctx);
    if ('failure' in parsed) return failed(parsed.failure, ctx);
    const withBody = { ...ctx, body: parsed.value };
    return passed({ ...withBody, streamed: decide.wantsStream(withBody) });
  },

  form(ctx, decide) {
    const fault = decide.bodyFault(ctx.body, ctx);
    return fault ? failed({ kind: 'invalid-body', ...fault }, ctx) : passed(ctx);
  },

  'known-model'(before, decide) {
    const modelId = decide.modelIdOf(before);
    const model = modelId === undefined ? undefined : decide.findModel(modelId, before);
    const ctx = { ...before, modelId, model };
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

const idOf = (ctx: Context): string => ctx.modelId ?? '';

/** Makes the checks in that order until one fails; the context holds what each found out, the failing one included. */
export async function runChecks(
  checks: readonly Check[],
  start: Context,
  decide: Decisions,
): Promise<Checked> {
  let ctx = start;
  for (const check of checks) {
    const step = steps[check](ctx, decide);
    // Most know at once, and to wait for each takes longer than the checks themselves.
    const result = step instanceof Promise ? await step : step;
    if (result.kind === 'failed') return result;
    ctx = result.ctx;
  }
  return passed(ctx);
}
