import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { followScript } from './answers/answer.ts';
import { noteCause } from './causes.ts';
import type { Setup } from './combine-setups.ts';
import type { Context, RequestFailure } from './gateway/context.ts';
import { classifyPresentedKey } from './gateway/context.ts';
import { encoderOf } from './gateway/create-gateway.ts';
import type { CheckName, Decisions, ShortCircuit } from './gateway/decisions.ts';
import { createErrorResponse } from './gateway/errors.ts';
import { toMilliseconds } from './gateway/seed.ts';
import { createKeyDecisions } from './key-changes.ts';
import { namedChanges } from './named-changes/index.ts';
import type { Origin } from './origin.ts';
import { applyWhere, combineOverrides } from './overrides.ts';
import type { CallerFacts, Facts, Problem, RefusalTexts, SentFacts } from './rules/facts.ts';
import { changeReply, createAnswer } from './rules/reply.ts';
import type { Change, Rule } from './rules/rule.ts';
import type { RuledRequest, Rules } from './rules/rules.ts';
import { changeWire } from './rules/wire.ts';
import { valueAtPlace } from './schemas.ts';
import { encodeEvent } from './wire/encode.ts';
import type { ServerRequest } from './wire/request.ts';
import type { Reply } from './wire/response.ts';

/**
 * Returns the setup of a gateway that applies rules. `originOf` says where a rule comes from, which is noted for the
 * requests to which it applies; nothing is noted for a rule without an origin.
 */
export function applyRulesToGateway(
  rules: Rules,
  originOf: (rule: Rule) => Origin | undefined = () => undefined,
): Setup {
  return { decisions: (base) => overrides(rules, base, originOf) };
}

type Ruled = {
  readonly ruled: RuledRequest;
  change: Change;
  /** The body as sent; undefined as long as it isn't read. */
  bytes: Uint8Array | undefined;
  /** Of a request that could not be read, the reason for which a rule would have refused it before. */
  early?: string | undefined;
};

function overrides(
  rules: Rules,
  base: Decisions,
  originOf: (rule: Rule) => Origin | undefined,
): Partial<Decisions> {
  const byRequest = new WeakMap<ServerRequest, Ruled>();
  // A refusal is known before its response is created. Rules that ask for it apply from then on.
  const changeOf = (ctx: Context): Change => {
    const own = byRequest.get(ctx.request);
    if (own && ctx.failure !== undefined) decideReply(own, ctx, base);
    return own?.change ?? {};
  };

  const use = combineOverrides(
    ...Object.entries(namedChanges).map(([name, { decisions }]) =>
      applyWhere((ctx) => changeOf(ctx).use === name, decisions),
    ),
  );
  const named: Decisions = { ...base, ...use(base) };
  const reading = createKeyDecisions(changeOf, named);
  const decide = { ...named, ...reading };
  const isSkipped = (check: string, ctx: Context): boolean => changeOf(ctx).skip?.includes(check) ?? false;

  const readAhead = (start: Context, own: Ruled): Context | Promise<Context> =>
    when(readBodyAhead(start, own, base), (sent) => {
      own.change = own.ruled.read(factsOf(sent, { sent: sentFactsOf(sent, own, base) }));
      return readCredentialAhead(sent, decide);
    });

  function conclude(
    start: Context,
    known: Context,
    own: Ruled,
  ): ShortCircuit | undefined | Promise<ShortCircuit | undefined> {
    const read = known === start ? {} : { sent: sentFactsOf(known, own, base), caller: callerFactsOf(known) };
    const facts = factsOf(known, read);
    const finish = (): ShortCircuit | undefined | Promise<ShortCircuit | undefined> => {
      const { answer, refuse } = own.change;
      if (refuse !== undefined)
        return { result: { kind: 'refused', failure: createFailure(refuse, known) }, ctx: known };
      if (answer === undefined) return named.shortCircuit(start);
      const response = createAnswer(answer, named.listSuccessHeaders(undefined, known));
      return { result: { kind: 'response', response, call: undefined }, ctx: known };
    };
    own.change = own.ruled.arrive(facts);
    const { hold } = own.change;
    if (hold === undefined) return finish();
    return sleep(toMilliseconds(hold, 'hold')).then(() => {
      own.change = own.ruled.arrive(facts);
      return finish();
    });
  }

  return {
    ...decide,
    shortCircuit(start) {
      const ruled = rules.begin(factsOf(start));
      if (!ruled) return base.shortCircuit(start);
      const own: Ruled = { ruled, change: {}, bytes: undefined };
      byRequest.set(start.request, own);
      if (ruled.needsReading) return when(readAhead(start, own), (known) => conclude(start, known, own));
      own.change = ruled.read(factsOf(start));
      return conclude(start, start, own);
    },
    listChecks(ctx) {
      const { first = [], skip = [] } = changeOf(ctx);
      if (first.length + skip.length === 0) return named.listChecks(ctx);
      const checks = named.listChecks(ctx).filter((check) => check === 'credential' || !skip.includes(check));
      const isFirst = (check: CheckName): boolean => first.includes(check);
      return [
        ...checks.filter(isFirst).sort((a, b) => first.indexOf(a) - first.indexOf(b)),
        ...checks.filter((check) => !isFirst(check)),
      ];
    },
    parseBody(bytes, ctx) {
      const own = byRequest.get(ctx.request);
      if (own) own.bytes = bytes;
      return named.parseBody(bytes, ctx);
    },
    createAnswer(model, ctx) {
      const { completion } = changeOf(ctx);
      return completion === undefined ? named.createAnswer(model, ctx) : followScript(completion);
    },
    isRequestId: (text, ctx) => isSkipped('request-id', ctx) || named.isRequestId(text, ctx),
    isRange: (start, end, ctx) => isSkipped('range', ctx) || named.isRange(start, end, ctx),
    mayRead: (record, ctx) => isSkipped('owner', ctx) || named.mayRead(record, ctx),
    finish(response, ctx) {
      const own = byRequest.get(ctx.request) ?? begin(ctx);
      if (!own) return base.finish(response, ctx);
      decideReply(own, ctx, base);
      const { refuse } = own.change;
      const isOther = refuse !== undefined && refuse !== own.early && refuse !== ctx.failure?.kind;
      if (!isOther) return changeReply(named.finish(response, ctx), own.change, textsOf(ctx.failure));
      const failure = createFailure(refuse, ctx);
      const refused = { ...ctx, failure };
      const reply = named.finish(createErrorResponse(failure, refused, named), refused);
      return changeReply(reply, own.change, textsOf(failure));
    },
    transmit(wire, ctx) {
      const sent = named.transmit(wire, ctx);
      const own = byRequest.get(ctx.request);
      if (!own) return sent;
      own.ruled.end();
      noteCauses(own, ctx);
      return changeWire(sent, own.change, {
        createErrorEvent: (reason) => createErrorEvent(reason, ctx, named),
        released: rules.released,
      });
    },
  };

  function noteCauses({ ruled }: Ruled, ctx: Context): void {
    for (const { rule, words: all } of ruled.applied()) {
      const origin = originOf(rule);
      if (!origin) continue;
      // Most rules about keys match all requests, and make a difference to few.
      const words = all.filter((word) => word !== 'keys' || isKeyReadOtherwise(ctx));
      if (words.length > 0) noteCause(ctx.request, { origin, words });
    }
  }

  function isKeyReadOtherwise(ctx: Context): boolean {
    const [right, own] = [named, decide].map((by) => {
      const { header, value } = by.credentialOf(by.listAcceptedHeaders(ctx), ctx);
      const key = header === 'none' ? undefined : by.findKey({ header, value }, ctx);
      return { header, value, key, isValid: key !== undefined && by.isKeyValid(key, ctx) };
    });
    return !isDeepStrictEqual(right, own);
  }

  // A request that could not be read begins with its refusal.
  function begin(ctx: Context): Ruled | undefined {
    const ruled = rules.begin(factsOf(ctx));
    if (!ruled) return undefined;
    const own: Ruled = { ruled, change: {}, bytes: undefined };
    own.change = ruled.arrive(
      factsOf(ctx, { sent: sentFactsOf(ctx, own, base), caller: callerFactsOf(ctx) }),
    );
    own.early = own.change.refuse;
    byRequest.set(ctx.request, own);
    return own;
  }
}

function decideReply(own: Ruled, ctx: Context, base: Decisions): void {
  own.change = own.ruled.reply({
    ...factsOf(ctx, { sent: sentFactsOf(ctx, own, base), caller: callerFactsOf(ctx) }),
    refused: ctx.failure?.kind ?? false,
    problem: textsOf(ctx.failure),
  });
}

/**
 * Returns what a refusal is about: its reason, and of an invalid body the place, the member, the outermost member and
 * the type that is expected there; or the model, or the name of the parameter.
 */
function textsOf(failure: RequestFailure | undefined): RefusalTexts | undefined {
  if (!failure) return undefined;
  const { kind: reason, ...others } = failure;
  const texts = Object.entries(others).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  );
  if (failure.kind !== 'invalid-body') return { ...Object.fromEntries(texts), reason };
  const { place, expected } = failure;
  const members = place.split(/[.[\]]+/).filter((part) => !/^\d*$/.test(part));
  const type = /string|array|object|integer/.exec(expected)?.[0] ?? 'string';
  return { reason, place, expected, type, member: members.at(-1) ?? place, parent: members[0] ?? place };
}

const factsOf = (
  { request, now, operation, family, surface }: Context,
  read: Pick<Facts, 'sent' | 'caller'> = {},
): Facts => ({ request, now, operation: operation?.id, family, surface, ...read });

function sentFactsOf(ctx: Context, { bytes }: Ruled, decide: Decisions): SentFacts {
  const { body, modelId: model, streamed } = ctx;
  return {
    text: () => (bytes ? Buffer.from(bytes).toString() : ''),
    body,
    model,
    streamed,
    findProblem: () => bytes && findProblem(bytes, ctx, decide),
  };
}

function findProblem(bytes: Uint8Array, ctx: Context, decide: Decisions): Problem | undefined {
  if (!decide.listChecks(ctx).includes('form')) return undefined;
  const parsed = decide.parseBody(bytes, ctx);
  if ('failure' in parsed) return { place: 'json', value: undefined };
  const problem = decide.findBodyProblem(parsed.value, ctx);
  return problem && { place: problem.place, value: valueAtPlace(parsed.value, problem.place) };
}

const callerFactsOf = (ctx: Context): CallerFacts => ({
  place: ctx.credential.header,
  credential: ctx.credential.value,
  key: ctx.key?.deleted === true ? 'deleted' : classifyPresentedKey(ctx),
});

/** Continues without a promise if the value is known, so that a body that has arrived moves no requests. */
function when<Value, Result>(
  value: Value | Promise<Value>,
  next: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Returns the context with the body, the model and `streamed`. An invalid body doesn't cause an error response. */
function readBodyAhead(start: Context, own: Ruled, decide: Decisions): Context | Promise<Context> {
  return when(start.request.readBody(decide.bodyLimit(start)), (read) => {
    if (read.kind === 'read') own.bytes = read.bytes;
    const parsed = read.kind === 'read' ? decide.parseBody(read.bytes, start) : undefined;
    const known = { ...start, body: parsed && 'value' in parsed ? parsed.value : undefined };
    const modelId = decide.modelIdOf(known);
    const model = modelId === undefined ? undefined : decide.findModel(modelId, known);
    return { ...known, modelId, model, streamed: decide.isStreamRequested({ ...known, modelId, model }) };
  });
}

function readCredentialAhead(start: Context, decide: Decisions): Context {
  // On an unknown path, the key can be in any of the three headers.
  const accepted = start.operation
    ? decide.listAcceptedHeaders(start)
    : (['bearer', 'x-api-key', 'x-goog-api-key'] as const);
  const credential = decide.credentialOf(accepted, start);
  const presented = { ...start, credential };
  const key = credential.header === 'none' ? undefined : decide.findKey(credential, presented);
  return { ...presented, key };
}

const failures: {
  readonly [Kind in RequestFailure['kind']]: (
    ctx: Context,
  ) => Extract<RequestFailure, { readonly kind: Kind }>;
} = {
  'missing-credential': () => ({ kind: 'missing-credential' }),
  'bad-key': ({ credential: { header } }) => ({
    kind: 'bad-key',
    header: header === 'none' ? 'x-api-key' : header,
  }),
  'unparseable-body': () => ({ kind: 'unparseable-body', reason: 'the body is not valid JSON' }),
  'invalid-body': () => ({
    kind: 'invalid-body',
    place: 'body',
    expected: 'valid, but a rule refuses the body',
  }),
  'unknown-model': ({ modelId: model = 'none' }) => ({ kind: 'unknown-model', model }),
  'unavailable-model': ({ modelId: model = 'none' }) => ({ kind: 'unavailable-model', model }),
  'unsupported-model': ({ modelId: model = 'none' }) => ({ kind: 'unsupported-model', model }),
  'mismatched-model': ({ modelId: model = 'none' }) => ({ kind: 'mismatched-model', model }),
  'image-refused': ({ modelId: model = 'none' }) => ({ kind: 'image-refused', model }),
  'low-balance': () => ({ kind: 'low-balance' }),
  'invalid-parameter': () => ({
    kind: 'invalid-parameter',
    name: 'query',
    expected: 'valid, but a rule refuses it',
  }),
  'unknown-record': () => ({ kind: 'unknown-record' }),
  'too-frequent': () => ({ kind: 'too-frequent', retryAfter: 1 }),
  'body-too-large': () => ({ kind: 'body-too-large', limit: 0 }),
  'bad-url': () => ({ kind: 'bad-url' }),
  'unknown-path': () => ({ kind: 'unknown-path' }),
  'wrong-method': () => ({ kind: 'wrong-method', allowed: ['GET'] }),
  'unreadable-request': () => ({ kind: 'unreadable-request', status: 400 }),
  'refused-host': () => ({ kind: 'refused-host', message: 'The host of the request is not allowed.' }),
  internal: () => ({ kind: 'internal' }),
};

/** The reasons for which a rule can refuse a request. */
export const refusalReasons = Object.keys(failures);

function createFailure(reason: string, ctx: Context): RequestFailure {
  const create = Object.entries(failures).find(([kind]) => kind === reason)?.[1];
  return create ? create(ctx) : { kind: 'internal' };
}

function createRefusal(reason: string, ctx: Context, decide: Decisions): Reply {
  const failure = createFailure(reason, ctx);
  return createErrorResponse(failure, { ...ctx, failure }, decide);
}

function createErrorEvent(reason: string, ctx: Context, decide: Decisions): string {
  const { content } = createRefusal(reason, ctx, decide);
  const data = content.kind === 'json' ? content.value : null;
  // In family B, an error event has a name.
  return encodeEvent({ name: ctx.family === 'B' ? 'error' : undefined, data }, encoderOf(ctx, decide));
}
