import type { Overrides } from '../decisions/index.ts';
import type { Context } from '../gateway/context.ts';
import type { Failure } from '../gateway/failure.ts';

/** A body that breaks the form of its operation. */
export type BodyFailure = Extract<Failure, { kind: 'invalid-body' }>;

/** A gateway that words what is wrong with a body in its own way. */
export const wording =
  (word: (failure: BodyFailure, ctx: Context) => string): Overrides =>
  (base) => ({
    messageOf: (failure, ctx) =>
      failure.kind === 'invalid-body' ? word(failure, ctx) : base.messageOf(failure, ctx),
  });

/** The innermost named member of the place. */
export const lastName = ({ place }: BodyFailure): string =>
  place
    .split(/[.[\]]+/)
    .filter((part) => !/^\d*$/.test(part))
    .at(-1) ?? place;
/** Whether the member is not there. */
export const isMissing = ({ expected }: BodyFailure): boolean => expected.startsWith('present');
/** The JSON type that is due. */
export const typeOf = ({ expected }: BodyFailure): string =>
  /(string|array|object|integer)/.exec(expected)?.[1] ?? 'string';
