import { type Encoder, encodeReply } from '../wire/encode.ts';
import type { ServerRequest } from '../wire/request.ts';
import type { Reply, WireResponse } from '../wire/response.ts';
import { respondWithBalance, respondWithRecord, respondWithUsage } from './billing.ts';
import { andThen, runChecks } from './checks.ts';
import type { CompletedCall, Context, OperationResult, RequestFailure } from './context.ts';
import type { Decisions } from './decisions.ts';
import { createErrorResponse } from './errors.ts';
import { callModel, countTokens } from './model-calls.ts';
import { respondWithModel, respondWithModelList } from './models.ts';
import type { GatewayOperationId } from './operations.ts';
import type { PartialProfile } from './profile.ts';
import { matchRoute, type Routes } from './routes.ts';
import type { State } from './state.ts';
import type { Responder } from './successes.ts';

/** The response to a request, with the information for the log. */
export type HandledRequest = {
  readonly ctx: Context;
  readonly wire: WireResponse;
  /** The successful model call; undefined for any other request. */
  readonly call: CompletedCall | undefined;
  /** The error that was thrown while the request was handled; undefined if no error was thrown. */
  readonly error: unknown;
};

/**
 * A gateway without a server. If an error is thrown while a request is handled, for example by a decision, the
 * response is an internal error.
 */
export type ReferenceGateway = {
  readonly handle: (request: ServerRequest) => HandledRequest | Promise<HandledRequest>;
  /** Returns the response to bytes that are not a readable HTTP request. */
  readonly reject: (failure: RequestFailure, request: ServerRequest) => HandledRequest;
};

const operations: Readonly<Record<GatewayOperationId, Responder>> = {
  chat: callModel,
  responses: callModel,
  messages: callModel,
  generate: callModel,
  streamGenerate: callModel,
  countMessageTokens: countTokens,
  countContentTokens: countTokens,
  models: respondWithModelList,
  model: respondWithModel,
  nativeModels: respondWithModelList,
  nativeModel: respondWithModel,
  balance: respondWithBalance,
  usage: respondWithUsage,
  record: respondWithRecord,
  // After its checks, this operation always fails with 500, so that the suite can check the form of an internal error
  // (7.2).
  internalError: () => ({ kind: 'refused', failure: { kind: 'internal' } }),
};

/**
 * Creates a gateway that reads and changes `state`. `profile` is called for each request, since the base URL is known
 * only when the server listens.
 */
export function createGateway({
  decide,
  lastResort,
  routes,
  state,
  profile,
  now,
  counter,
}: {
  readonly decide: Decisions;
  /** Creates the response to an internal error if `decide` throws while the response is created. */
  readonly lastResort: Decisions;
  readonly routes: Routes;
  readonly state: State;
  readonly profile: () => PartialProfile;
  readonly now: () => number;
  /** Counts the requests. All gateways of one server share the counter. */
  readonly counter: { requests: number };
}): ReferenceGateway {
  function handle(request: ServerRequest): HandledRequest | Promise<HandledRequest> {
    const start = arrive(request);
    const fail = (error: unknown): HandledRequest => answerWithError(start, error);
    try {
      const handled = andThen(decide.shortCircuit(start), (instead) =>
        instead ? answer(instead.result, instead.ctx) : check(start),
      );
      return handled instanceof Promise ? handled.catch(fail) : handled;
    } catch (error) {
      return fail(error);
    }
  }

  function arrive(request: ServerRequest): Context {
    counter.requests += 1;
    const number = counter.requests;
    const match = matchRoute(routes, request);
    const operation = match.kind === 'found' ? match.route.operation : undefined;
    return {
      number,
      traceId: decide.createTraceId(number),
      now: now(),
      request,
      profile: profile(),
      state,
      match,
      operation,
      family: operation?.family ?? 'none',
      surface: operation?.surface ?? (match.kind === 'wrong-method' ? match.surface : 'model'),
      credential: { header: 'none', value: '' },
      key: undefined,
      body: undefined,
      modelId: undefined,
      model: undefined,
      streamed: operation?.streams === 'always',
      failure: undefined,
    };
  }

  function check(start: Context): HandledRequest | Promise<HandledRequest> {
    const { match } = start;
    if (match.kind !== 'found') return refuse(match, start);
    const ctx = { ...start };
    return andThen(runChecks(decide.listChecks(start), ctx, decide), (failure) =>
      failure ? refuse(failure, ctx) : answer(operations[match.route.operation.id](ctx, decide), ctx),
    );
  }

  function answer(result: OperationResult, ctx: Context): HandledRequest {
    if (result.kind === 'refused') return refuse(result.failure, ctx);
    return { ctx, wire: encode(result.response, ctx, decide), call: result.call, error: undefined };
  }

  function refuse(failure: RequestFailure, before: Context, error?: unknown, by = decide): HandledRequest {
    const ctx = { ...before, failure };
    const wire = encode(createErrorResponse(failure, ctx, by), ctx, by);
    return { ctx, wire, call: undefined, error };
  }

  function answerWithError(start: Context, error: unknown): HandledRequest {
    try {
      return refuse({ kind: 'internal' }, start, error);
    } catch {
      // A decision also threw while the error response was created. Even then, the response must have the right form.
      return refuse({ kind: 'internal' }, start, error, lastResort);
    }
  }

  return { handle, reject: (failure, request) => refuse(failure, arrive(request)) };
}

function encode(response: Reply, ctx: Context, decide: Decisions): WireResponse {
  return decide.transmit(encodeReply(decide.finish(response, ctx), encoderOf(ctx, decide)), ctx);
}

/** Returns how the gateway encodes the response to this request. */
export const encoderOf = (ctx: Context, decide: Decisions): Encoder => ({
  serializeJson: (value) => decide.serializeJson(value, ctx),
  contentTypeOf: (kind) => decide.contentTypeOf(kind, ctx),
  frameEvent: (event, data) => decide.frameEvent(event, data, ctx),
  choosePause: () => decide.choosePause(ctx),
});
