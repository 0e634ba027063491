import type { Decisions } from '../decisions/index.ts';
import type { ShortCircuit } from '../decisions/short-circuit.ts';
import { type Encoder, encodeReply } from '../wire/encode.ts';
import type { ServerRequest } from '../wire/request.ts';
import type { WireResponse } from '../wire/response.ts';
import type { CompletedCall, Context } from './context.ts';
import { createErrorResponse } from './error-response.ts';
import type { OperationResult } from './operation-result.ts';
import type { PartialProfile } from './profile.ts';
import type { RequestFailure } from './request-failure.ts';
import { respond } from './respond.ts';
import { matchRoute, type Routes } from './routes.ts';
import { type CheckOutcome, runChecks } from './run-checks.ts';
import type { State } from './state.ts';

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

/**
 * Creates a gateway that reads and changes `state`. `profile` is called for each request, since the base URL is known
 * only when the server listens.
 */
export function createGateway(parts: {
  readonly decide: Decisions;
  /**
   * The decisions that create the response to an internal error if a decision of `decide` throws while the response is
   * created.
   */
  readonly lastResort: Decisions;
  readonly routes: Routes;
  readonly state: State;
  readonly profile: () => PartialProfile;
  readonly now: () => number;
  /** Counts the requests. All gateways of one server share the counter. */
  readonly counter: { requests: number };
}): ReferenceGateway {
  const { decide, routes, state, now, counter } = parts;

  function begin(request: ServerRequest): Context {
    counter.requests += 1;
    const { requests } = counter;
    const match = matchRoute(routes, request);
    const operation = match.kind === 'found' ? match.route.operation : undefined;
    return {
      number: requests,
      traceId: decide.createTraceId(requests),
      now: now(),
      request,
      profile: parts.profile(),
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

  const refuse = (
    failure: RequestFailure,
    before: Context,
    error?: unknown,
    by: Decisions = decide,
  ): HandledRequest => {
    const ctx = { ...before, failure };
    const response = by.finish(createErrorResponse(failure, ctx, by), ctx);
    const wire = by.transmit(encodeReply(response, encoderOf(ctx, by)), ctx);
    return { ctx, wire, call: undefined, error };
  };

  function complete(result: OperationResult, ctx: Context): HandledRequest {
    if (result.kind === 'refused') return refuse(result.failure, ctx);
    const finished = decide.finish(result.response, ctx);
    const wire = decide.transmit(encodeReply(finished, encoderOf(ctx, decide)), ctx);
    return { ctx, wire, call: result.call, error: undefined };
  }

  function handleRequest(start: Context): HandledRequest | Promise<HandledRequest> {
    const result = decide.shortCircuit(start);
    return result instanceof Promise
      ? result.then((shortCircuit) => completeOrRunChecks(shortCircuit, start))
      : completeOrRunChecks(result, start);
  }

  function completeOrRunChecks(
    shortCircuit: ShortCircuit | undefined,
    start: Context,
  ): HandledRequest | Promise<HandledRequest> {
    if (shortCircuit) return complete(shortCircuit.result, shortCircuit.ctx);
    const { match } = start;
    if (match.kind !== 'found') return refuse(match, start);
    const conclude = (checked: CheckOutcome): HandledRequest =>
      checked.kind === 'failed'
        ? refuse(checked.failure, checked.ctx)
        : complete(respond(match.route.operation.id, checked.ctx, decide), checked.ctx);
    const checked = runChecks(decide.listChecks(start), start, decide);
    return checked instanceof Promise ? checked.then(conclude) : conclude(checked);
  }

  function fail(start: Context, error: unknown): HandledRequest {
    try {
      return refuse({ kind: 'internal' }, start, error);
    } catch {
      // The decisions also threw an error during the creation of the error response. Even then, the response must have
      // the right form.
      return refuse({ kind: 'internal' }, start, error, parts.lastResort);
    }
  }

  return {
    // Only promises are awaited, since awaiting a known result takes longer than the rest of this function.
    handle(request) {
      const start = begin(request);
      const failed = (error: unknown): HandledRequest => fail(start, error);
      try {
        const handled = handleRequest(start);
        return handled instanceof Promise ? handled.catch(failed) : handled;
      } catch (error) {
        return failed(error);
      }
    },
    reject: (failure, request) => refuse(failure, begin(request)),
  };
}

/** Returns how the gateway encodes the response to this request. */
export const encoderOf = (ctx: Context, decide: Decisions): Encoder => ({
  serializeJson: (value) => decide.serializeJson(value, ctx),
  contentTypeOf: (kind) => decide.contentTypeOf(kind, ctx),
  frameEvent: (event, data) => decide.frameEvent(event, data, ctx),
  choosePause: () => decide.choosePause(ctx),
});
