import type { Decisions } from '../decisions/index.ts';
import type { Instead } from '../decisions/short-circuit.ts';
import type { Response, Wire } from '../wire/answer.ts';
import { encode } from '../wire/encode.ts';
import { type Checked, runChecks } from './check.ts';
import type { Context, GatewayRequest } from './context.ts';
import type { Failure } from './failure.ts';
import type { PartialProfile } from './profile.ts';
import { refuse } from './refuse.ts';
import { respond } from './respond.ts';
import { matchRoute, type Routes } from './routes.ts';
import type { State } from './state.ts';

/** What a request led to: the bytes of its answer, and what is worth a line in the log. */
export type Handled = { readonly ctx: Context; readonly wire: Wire; readonly error: unknown };

/** Answers requests; it never throws and never rejects. */
export type Gateway = {
  readonly handle: (request: GatewayRequest) => Handled | Promise<Handled>;
  /** The answer to what could not be read as a request at all. */
  readonly reject: (failure: Failure, request: GatewayRequest) => Handled;
};

/** A gateway over that state; `profile` is asked for with each request, since its base URL is known only later. */
export function createGateway(parts: {
  readonly decide: Decisions;
  /** Words an internal error where the decisions themselves throw. */
  readonly lastResort: Decisions;
  readonly routes: Routes;
  readonly state: State;
  readonly profile: () => PartialProfile;
  readonly now: () => number;
}): Gateway {
  const { decide, routes, state, now } = parts;
  let requests = 0;

  function begin(request: GatewayRequest): Context {
    requests += 1;
    const match = matchRoute(routes, request);
    const operation = match.kind === 'found' ? match.route.operation : undefined;
    return {
      number: requests,
      traceId: decide.newTraceId(requests),
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

  const refused = (failure: Failure, before: Context, error?: unknown, by: Decisions = decide): Handled => {
    const ctx = { ...before, failure };
    const answer = by.finish(refuse(failure, ctx, by), ctx);
    return { ctx, wire: by.transmit(encode(answer, ctx, by), ctx), error };
  };

  function settle(response: Response, ctx: Context): Handled {
    if (response.kind === 'refused') return refused(response.failure, ctx);
    const finished = decide.finish(response.answer, ctx);
    return { ctx, wire: decide.transmit(encode(finished, ctx, decide), ctx), error: undefined };
  }

  function answer(start: Context): Handled | Promise<Handled> {
    const asked = decide.instead(start);
    return asked instanceof Promise
      ? asked.then((instead) => answerUnless(instead, start))
      : answerUnless(asked, start);
  }

  function answerUnless(instead: Instead | undefined, start: Context): Handled | Promise<Handled> {
    if (instead) return settle(instead.response, instead.ctx);
    const { match } = start;
    if (match.kind !== 'found') return refused(match, start);
    const conclude = (checked: Checked): Handled =>
      checked.kind === 'failed'
        ? refused(checked.failure, checked.ctx)
        : settle(respond(match.route.operation.id, checked.ctx, decide), checked.ctx);
    const checked = runChecks(decide.checks(start), start, decide);
    return checked instanceof Promise ? checked.then(conclude) : conclude(checked);
  }

  function internal(start: Context, error: unknown): Handled {
    try {
      return refused({ kind: 'internal' }, start, error);
    } catch {
      // The decisions that word errors are themselves at fault; even then the answer keeps its shape.
      return refused({ kind: 'internal' }, start, error, parts.lastResort);
    }
  }

  return {
    // To wait for what is known takes longer than most that is done here.
    handle(request) {
      const start = begin(request);
      const failed = (error: unknown): Handled => internal(start, error);
      try {
        const handled = answer(start);
        return handled instanceof Promise ? handled.catch(failed) : handled;
      } catch (error) {
        return failed(error);
      }
    },
    reject: (failure, request) => refused(failure, begin(request)),
  };
}
