import type { Overrides } from '../decisions/index.ts';
import type { BodyFault } from '../gateway/schemas.ts';
import { isObject } from '../json.ts';
import { deciding, onlyWhere, together } from './changes.ts';
import { all, not, on, streamed } from './conditions.ts';

/** Plain chat calls. */
export const onChat = all(on('chat'), not(streamed));

/** Chat bodies whose first fault is one of these are taken for valid; a fault says `present` where a member is missing. */
export const accepting =
  (ignored: (fault: BodyFault, body: unknown) => boolean): Overrides =>
  (base) => ({
    bodyFault: (body, ctx) => {
      const fault = base.bodyFault(body, ctx);
      return fault && onChat(ctx) && ignored(fault, body) ? undefined : fault;
    },
  });

/** Chat bodies whose first fault is one of these are refused in another way. */
export const refusing = (which: (place: string, expected: string) => boolean, change: Overrides) =>
  deciding(
    onlyWhere(
      all(
        onChat,
        ({ failure }) => failure?.kind === 'invalid-body' && which(failure.place, failure.expected),
      ),
      change,
    ),
  );

/** Whether a fault is that the member is not there. */
export const missing = ({ expected }: BodyFault): boolean => expected.startsWith('present');

/** A member of a body; undefined where there is none. */
export const memberOf = (body: unknown, name: string): unknown => (isObject(body) ? body[name] : undefined);

/** A message of a chat body. */
export const messageOf = (body: unknown, index: number): unknown => {
  const messages = memberOf(body, 'messages');
  return Array.isArray(messages) ? messages[index] : undefined;
};

/** Such bodies are taken for valid, and a model of the gateway's choice in place of one that is not named is called. */
export const acceptingWithoutModel = (ignored: (fault: BodyFault, body: unknown) => boolean) =>
  deciding(
    onlyWhere(
      onChat,
      together(accepting(ignored), (base) => ({
        modelIdOf: (ctx) => base.modelIdOf(ctx) || 'gpt-reference',
      })),
    ),
  );
