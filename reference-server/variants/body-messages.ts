import type { Context, RequestFailure } from '../gateway/context.ts';
import type { Overrides } from '../gateway/decisions.ts';

/** The failure of a request whose body violates the rules of its operation. */
export type InvalidBody = Extract<RequestFailure, { kind: 'invalid-body' }>;

/** Sets the messages about invalid bodies to the results of `word`. */
export const setBodyMessage =
  (word: (failure: InvalidBody, ctx: Context) => string): Overrides =>
  (base) => ({
    errorMessageOf: (failure, ctx) =>
      failure.kind === 'invalid-body' ? word(failure, ctx) : base.errorMessageOf(failure, ctx),
  });

/** Returns the name of the invalid member, such as `role` for `messages[0].role`. */
export const lastMemberName = ({ place }: InvalidBody): string =>
  place
    .split(/[.[\]]+/)
    .filter((part) => !/^\d*$/.test(part))
    .at(-1) ?? place;
/** Whether the problem is that a required member is missing. */
export const isMissing = ({ expected }: InvalidBody): boolean => expected.startsWith('present');
/**
 * Returns the first of the types `string`, `array`, `object` and `integer` in the expectation; `string` if none
 * occurs.
 */
export const expectedType = ({ expected }: InvalidBody): string =>
  /(string|array|object|integer)/.exec(expected)?.[1] ?? 'string';
