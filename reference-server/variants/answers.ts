import type { Decisions } from '../decisions/index.ts';
import type { Context } from '../gateway/context.ts';
import type { Failure } from '../gateway/failure.ts';
import { refuse } from '../gateway/refuse.ts';
import type { Answer, Content } from '../wire/answer.ts';

/** The answer that refuses a request for that failure, with the given decisions laid over the base. */
export function refusal(
  failure: Failure,
  ctx: Context,
  base: Decisions,
  over: Partial<Decisions> = {},
): Answer {
  return refuse(failure, { ...ctx, failure }, { ...base, ...over });
}

/** Refuses with 400 what the contract neither allows nor forbids; the message names the place. */
export function badRequest(place: string, expected: string, ctx: Context, base: Decisions): Answer {
  return refusal({ kind: 'invalid-parameter', name: place, expected }, ctx, base);
}

/** The same answer with other content. */
export const withContent = (answer: Answer, content: Content): Answer => ({ ...answer, content });

/** The same answer with another status, where nothing else tells it. */
export const withStatus = (answer: Answer, status: number): Answer => ({ ...answer, status });

/** A text as content. */
export const textContent = (mediaType: string, text: string): Content => ({ kind: 'text', mediaType, text });

/** Whether the request failed for its credential. */
export function isAuthFailure({ failure }: Context): boolean {
  return failure?.kind === 'missing-credential' || failure?.kind === 'bad-key';
}

/** Whether the call gets a plain success, with nothing refused. */
export const isCall = ({ failure, operation }: Context): boolean =>
  failure === undefined && operation?.does === 'call';
