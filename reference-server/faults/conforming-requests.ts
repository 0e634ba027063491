import { withDecisions } from '../combine-setups.ts';
import type { Context } from '../gateway/context.ts';
import type { Overrides } from '../gateway/decisions.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import { allOf, byHeader, isStreamed, not, onOperation, type RequestCondition } from './conditions.ts';
import type { Fault } from './fault.ts';
import { applyWhere } from './overrides.ts';

const messagesIn = (body: unknown): readonly unknown[] =>
  isObject(body) && Array.isArray(body.messages) ? body.messages : [];
const refuseMessages = (isRefused: (messages: readonly unknown[]) => boolean): Overrides =>
  applyWhere(onOperation('chat'), (base) => ({
    findBodyProblem: (body, ctx) =>
      base.findBodyProblem(body, ctx) ??
      (isRefused(messagesIn(body)) ? { place: 'messages', expected: 'simpler' } : undefined),
  }));
const textOf = (messages: readonly unknown[]): string => JSON.stringify(messages);
const refuseTexts = (form: RegExp): Overrides => refuseMessages((messages) => form.test(textOf(messages)));
const isCompleted: RequestCondition = ({ failure, operation }) =>
  failure === undefined && operation?.kind === 'call';
const createErrorIn200 = (output: JsonObject, ctx: Context): Json => ({
  ...output,
  error: { message: 'The provider failed.', type: 'upstream_error', code: 200, details: null },
  trace_id: ctx.traceId,
});
/** `output` contains the members next to the error. */
const respondWithError = (where: RequestCondition, output: JsonObject = {}): Overrides =>
  applyWhere(allOf(isCompleted, where), () => ({
    finish: (response, ctx) => ({
      ...response,
      status: 200,
      content: ctx.streamed
        ? { kind: 'events', events: [{ name: undefined, data: createErrorIn200(output, ctx) }] }
        : { kind: 'json', value: createErrorIn200(output, ctx) },
    }),
  }));

/**
 * Faults in which the gateway refuses valid requests, or responds to valid requests with a 200 whose body contains an
 * error.
 */
export const conformingRequestFaults: readonly Fault[] = [
  {
    id: 'conforming-request/one-message-by-header',
    about: 'Responds with 500 to non-streamed calls with several messages if the key is in `x-api-key`.',
    violates: ['chat/conversation'],
    setup: withDecisions(
      applyWhere(
        allOf(byHeader('x-api-key'), not(isStreamed), ({ body }) => messagesIn(body).length > 1),
        () => ({
          createReplyText: () => {
            throw new Error('a defect');
          },
        }),
      ),
    ),
  },
  {
    id: 'conforming-request/unicode-refused-by-header',
    about: 'Rejects chat messages with non-ASCII characters if the key is in `x-api-key`.',
    violates: ['chat/unicode'],
    setup: withDecisions(applyWhere(byHeader('x-api-key'), refuseTexts(/[^ -~]/))),
  },
  {
    id: 'conforming-request/error-for-conversations',
    about: 'Responds with 200 and only an error to chat calls with several messages.',
    violates: ['requests/success-has-output'],
    setup: withDecisions(
      respondWithError(allOf(onOperation('chat'), ({ body }) => messagesIn(body).length > 1)),
    ),
  },
];
