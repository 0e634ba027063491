import type { Context, RequestFailure } from '../gateway/context.ts';
import type { Decisions } from '../gateway/decisions.ts';
import { createErrorResponse } from '../gateway/errors.ts';
import type { Reply, ResponseContent } from '../wire/response.ts';

/**
 * Creates the error response to a request for this failure. The decisions in `over` replace the same decisions of
 * `base`.
 */
export function refuseRequest(
  failure: RequestFailure,
  ctx: Context,
  base: Decisions,
  over: Partial<Decisions> = {},
): Reply {
  return createErrorResponse(failure, { ...ctx, failure }, { ...base, ...over });
}

export const withContent = (response: Reply, content: ResponseContent): Reply => ({
  ...response,
  content,
});

/** Replaces the status of a response, but not `error.code`. */
export const withStatus = (response: Reply, status: number): Reply => ({
  ...response,
  status,
});

export const createTextContent = (mediaType: string, text: string): ResponseContent => ({
  kind: 'text',
  mediaType,
  text,
});

/** Whether the request was refused because of its credential. */
export function isAuthFailure({ failure }: Context): boolean {
  return failure?.kind === 'missing-credential' || failure?.kind === 'bad-key';
}

/** Whether the request is a model call that was not refused. */
export const isSuccessfulCall = ({ failure, operation }: Context): boolean =>
  failure === undefined && operation?.kind === 'call';
