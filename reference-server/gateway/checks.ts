import type { Context, RequestFailure } from './context.ts';
import type { CheckName, Decisions } from './decisions.ts';

// The specification doesn't define the order of the checks. This gateway checks the credential first, then the request
// from its bytes to its meaning, and the balance last.
const modelCall: readonly CheckName[] = [
  'credential',
  'body',
  'form',
  'known-model',
  'availability',
  'protocol',
  'support',
  'images',
  'balance',
];

/**
 * Returns the checks of a request in their order. The first failed check determines the response, which therefore
 * reveals nothing about the later checks.
 */
export const listChecks: Decisions['listChecks'] = (ctx) => {
  if (ctx.operation?.kind === 'call') return modelCall;
  if (ctx.operation?.kind === 'count') return modelCall.filter((check) => check !== 'balance');
  if (ctx.surface !== 'billing') return ['credential'];
  const takesBody = ctx.match.kind === 'found' && ctx.match.route.takesBody;
  return takesBody ? ['credential', 'frequency', 'body', 'form'] : ['credential', 'frequency'];
};

/** The context that the checks of a request complete. A copy for each check would take longer than most checks. */
type OpenContext = { -readonly [Member in keyof Context]: Context[Member] };

type Outcome = RequestFailure | undefined;

/** Each check returns the failure for which the request is refused; undefined if it passes. */
const checks: Readonly<
  Record<CheckName, (ctx: OpenContext, decide: Decisions) => Outcome | Promise<Outcome>>
> = {
  // 5: Every endpoint requires a key, in one of the headers that it accepts.
  credential(ctx, decide) {
    const credential = decide.credentialOf(decide.listAcceptedHeaders(ctx), ctx);
    ctx.credential = credential;
    const { header } = credential;
    if (header === 'none') return { kind: 'missing-credential' };
    const key = decide.findKey(credential, ctx);
    ctx.key = key;
    return key !== undefined && decide.isKeyValid(key, ctx) ? undefined : { kind: 'bad-key', header };
  },

  // 8: Billing-type endpoints limit the frequency of requests.
  frequency(ctx, decide) {
    const grant = decide.grantRequest(ctx);
    return grant.kind === 'granted' ? undefined : { kind: 'too-frequent', retryAfter: grant.retryAfter };
  },

  // 4 rule 1, 7.1 "invalid interface format": A body is JSON.
  body(ctx, decide) {
    return andThen(ctx.request.readBody(decide.bodyLimit(ctx)), (read) => {
      if (read.kind === 'too-large') return { kind: 'body-too-large', limit: read.limit };
      const parsed = decide.parseBody(read.bytes, ctx);
      if ('failure' in parsed) return parsed.failure;
      ctx.body = parsed.value;
      ctx.streamed = decide.isStreamRequested(ctx);
      return undefined;
    });
  },

  // 4 rule 2: A body has the form of its protocol.
  form(ctx, decide) {
    const problem = decide.findBodyProblem(ctx.body, ctx);
    return problem && { kind: 'invalid-body', ...problem };
  },

  // 4 rule 3: The model exists.
  'known-model'(ctx, decide) {
    const modelId = decide.modelIdOf(ctx);
    const model = modelId === undefined ? undefined : decide.findModel(modelId, ctx);
    ctx.modelId = modelId;
    ctx.model = model;
    return model ? undefined : { kind: 'unknown-model', model: modelId ?? '' };
  },

  // The next four checks need a known model. Without one, for example because a fault skips `known-model`, they pass.

  // 4 rule 3: The model is available.
  availability: (ctx, decide) =>
    !ctx.model || decide.isAvailable(ctx.model, ctx)
      ? undefined
      : { kind: 'unavailable-model', model: idOf(ctx) },

  // 4 rule 4: The model matches the protocol.
  protocol: (ctx, decide) =>
    !ctx.model || decide.supportsProtocol(ctx.model, ctx)
      ? undefined
      : { kind: 'mismatched-model', model: idOf(ctx) },

  // 7.1: The model can be called at present.
  support: (ctx, decide) =>
    !ctx.model || decide.isSupported(ctx.model, ctx)
      ? undefined
      : { kind: 'unsupported-model', model: idOf(ctx) },

  // 4 rule 5: A text-only model gets no image.
  images: (ctx, decide) =>
    !ctx.model || decide.acceptsImages(ctx.model, ctx) || !decide.hasImage(ctx)
      ? undefined
      : { kind: 'image-refused', model: idOf(ctx) },

  // 7.1: The account can pay.
  balance(ctx, decide) {
    const account = ctx.state.accounts.get(ctx.key?.account ?? '');
    return decide.canPay(account, ctx) ? undefined : { kind: 'low-balance' };
  },
};

const idOf = (ctx: Context): string => ctx.modelId ?? '';

/** Runs the checks in this order until one fails. Each check adds to `ctx` what it found out. */
export function runChecks(
  [check, ...later]: readonly CheckName[],
  ctx: OpenContext,
  decide: Decisions,
): Outcome | Promise<Outcome> {
  if (check === undefined) return undefined;
  return andThen(checks[check](ctx, decide), (failure) => failure ?? runChecks(later, ctx, decide));
}

/** Continues with a value. Only a promise is awaited, since awaiting a known value takes longer than most requests. */
export function andThen<Value, Next>(
  value: Value | Promise<Value>,
  next: (value: Value) => Next | Promise<Next>,
): Next | Promise<Next> {
  return value instanceof Promise ? value.then(next) : next(value);
}
