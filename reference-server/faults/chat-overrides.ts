import { withDecisions } from '../combine-setups.ts';
import type { Overrides } from '../gateway/decisions.ts';
import type { BodyProblem } from '../gateway/schemas.ts';
import { isObject } from '../json.ts';
import { allOf, isStreamed, not, onOperation } from './conditions.ts';
import { applyWhere } from './overrides.ts';

/** Matches chat calls that are not streamed. */
export const isPlainChat = allOf(onOperation('chat'), not(isStreamed));

/** Accepts a non-streamed chat call if `isIgnored` returns true for the first problem in its body. */
export const ignoreProblems =
  (isIgnored: (problem: BodyProblem, body: unknown) => boolean): Overrides =>
  (base) => ({
    findBodyProblem: (body, ctx) => {
      const problem = base.findBodyProblem(body, ctx);
      return problem && isPlainChat(ctx) && isIgnored(problem, body) ? undefined : problem;
    },
  });

/** Changes the error response to a non-streamed chat call if `which` returns true for the first problem in its body. */
export const changeRefusal = (which: (place: string, expected: string) => boolean, change: Overrides) =>
  withDecisions(
    applyWhere(
      allOf(
        isPlainChat,
        ({ failure }) => failure?.kind === 'invalid-body' && which(failure.place, failure.expected),
      ),
      change,
    ),
  );

/** Whether the problem is that a required member is missing. */
export const isMissingMember = ({ expected }: BodyProblem): boolean => expected.startsWith('present');

/** Returns a member of a body; undefined if the body has no such member. */
export const memberOf = (body: unknown, name: string): unknown => (isObject(body) ? body[name] : undefined);

/** Returns the message with this index in a chat body; undefined if the body has no such message. */
export const chatMessageAt = (body: unknown, index: number): unknown => {
  const messages = memberOf(body, 'messages');
  return Array.isArray(messages) ? messages[index] : undefined;
};
