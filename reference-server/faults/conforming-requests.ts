import { withDecisions } from '../combine-setups.ts';
import type { Context } from '../gateway/context.ts';
import type { Overrides } from '../gateway/decisions.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import {
  allOf,
  byHeader,
  inFamily,
  isStreamed,
  not,
  onOperation,
  type RequestCondition,
} from './conditions.ts';
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
const hasRole = (messages: readonly unknown[], role: string): boolean =>
  messages.some((message) => isObject(message) && message.role === role);
const refuseTexts = (form: RegExp): Overrides => refuseMessages((messages) => form.test(textOf(messages)));
const crashOnTexts = (form: RegExp): Overrides =>
  applyWhere(
    allOf(onOperation('chat'), ({ body }) => form.test(textOf(messagesIn(body)))),
    () => ({
      createReplyText: () => {
        throw new Error('a defect');
      },
    }),
  );
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

const respondToBillingWith = (id: 'balance' | 'usage', body: (ctx: Context) => Json): Overrides =>
  applyWhere(onOperation(id), () => ({
    finish: (response, ctx) =>
      ctx.failure ? response : { ...response, content: { kind: 'json', value: body(ctx) } },
  }));

/**
 * Faults in which the gateway refuses valid requests, or responds to valid requests with a 200 whose body contains an
 * error.
 */
export const conformingRequestFaults: readonly Fault[] = [
  {
    id: 'conforming-request/one-message-only',
    about: 'Rejects chat bodies with more than one message.',
    violates: ['chat/conversation', 'chat/unicode'],
    setup: withDecisions(refuseMessages(({ length }) => length > 1)),
  },
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
    id: 'conforming-request/one-message-streamed',
    about: 'Rejects `assistant` messages in streamed chat calls.',
    violates: ['chat/conversation', 'chat/unicode'],
    setup: withDecisions(
      applyWhere(
        ({ body }) => isObject(body) && body.stream === true,
        (base) => refuseMessages((messages) => hasRole(messages, 'assistant'))(base),
      ),
    ),
  },
  {
    id: 'conforming-request/emoji-refused',
    about:
      'Rejects chat messages with characters beyond the Basic Multilingual Plane, as a database column with three bytes per character does.',
    violates: ['chat/unicode'],
    setup: withDecisions(refuseTexts(/[\u{10000}-\u{10ffff}]/u)),
  },
  {
    id: 'conforming-request/right-to-left-refused',
    about: 'Rejects chat messages with the directional marks U+200E or U+200F.',
    violates: ['chat/unicode'],
    setup: withDecisions(refuseTexts(/[\u200e\u200f]/)),
  },
  {
    id: 'conforming-request/not-normalized-refused',
    about: 'Rejects chat messages that are not in Unicode normalization form C.',
    violates: ['chat/unicode'],
    setup: withDecisions(
      refuseMessages((messages) => textOf(messages) !== textOf(messages).normalize('NFC')),
    ),
  },
  {
    id: 'conforming-request/line-feed-refused',
    about: 'Rejects chat messages with a line feed.',
    violates: ['chat/unicode'],
    setup: withDecisions(refuseTexts(/\\n/)),
  },
  {
    id: 'conforming-request/templates-refused',
    about: 'Rejects chat messages with `{{`, as a gateway that fills in templates does.',
    violates: ['chat/unicode'],
    setup: withDecisions(refuseTexts(/\{\{/)),
  },
  {
    id: 'conforming-request/zero-is-empty',
    about: 'Treats the text `0` as an empty content of a chat message, as `empty` in PHP does.',
    violates: ['chat/unicode'],
    setup: withDecisions(refuseTexts(/"content":"0"/)),
  },
  {
    id: 'conforming-request/markup-refused',
    about: 'Rejects chat messages that contain HTML elements, as a filter for web forms does.',
    violates: ['chat/markup'],
    setup: withDecisions(refuseTexts(/<\/[a-z]+>/i)),
  },
  {
    id: 'conforming-request/markup-500',
    about: 'Responds with 500 to chat messages that contain HTML elements.',
    violates: ['chat/markup', 'chat/markup-no-server-error'],
    setup: withDecisions(crashOnTexts(/<\/[a-z]+>/i)),
  },
  {
    id: 'conforming-request/entities-500',
    about: 'Responds with 500 to streamed chat calls whose messages contain an HTML entity.',
    violates: ['chat/markup', 'chat/markup-no-server-error'],
    setup: withDecisions(applyWhere(isStreamed, crashOnTexts(/&[a-z]+;/i))),
  },
  {
    id: 'conforming-request/unicode-refused-by-header',
    about: 'Rejects chat messages with non-ASCII characters if the key is in `x-api-key`.',
    violates: ['chat/unicode'],
    setup: withDecisions(applyWhere(byHeader('x-api-key'), refuseTexts(/[^ -~]/))),
  },
  {
    id: 'conforming-request/surrogate-pairs-refused',
    about: 'Rejects escaped surrogate pairs as if the body were not JSON.',
    violates: ['chat/unicode'],
    setup: withDecisions((base) => ({
      parseBody: (bytes, ctx) =>
        /\\ud[89ab][0-9a-f]{2}/i.test(Buffer.from(bytes).toString())
          ? { failure: { kind: 'unparseable-body', reason: 'the body has an invalid escape' } }
          : base.parseBody(bytes, ctx),
    })),
  },
  {
    id: 'conforming-request/body-searched',
    about: 'Rejects chat bodies whose text does not contain `"messages"`, even if the name is escaped.',
    violates: ['chat/unicode'],
    setup: withDecisions(
      applyWhere(onOperation('chat'), (base) => ({
        parseBody: (bytes, ctx) => {
          const parsed = base.parseBody(bytes, ctx);
          const isRefused =
            !('failure' in parsed) &&
            messagesIn(parsed.value).length > 0 &&
            !Buffer.from(bytes).includes('"messages"');
          return isRefused
            ? { failure: { kind: 'unparseable-body', reason: 'the body has no messages' } }
            : parsed;
        },
      })),
    ),
  },
  {
    id: 'conforming-request/error-in-200',
    about: 'Responds with 200 and only an error to non-streamed calls of family B.',
    violates: ['requests/success-has-output'],
    setup: withDecisions(respondWithError(allOf(inFamily('B'), not(isStreamed)))),
  },
  {
    id: 'conforming-request/error-in-stream',
    about:
      'Responds with 200 and a stream that contains only an error to streamed calls of families A and C.',
    violates: ['requests/success-has-output'],
    setup: withDecisions(respondWithError(allOf(inFamily('A', 'C'), isStreamed))),
  },
  {
    id: 'conforming-request/error-for-conversations',
    about: 'Responds with 200 and only an error to chat calls with several messages.',
    violates: ['requests/success-has-output'],
    setup: withDecisions(
      respondWithError(allOf(onOperation('chat'), ({ body }) => messagesIn(body).length > 1)),
    ),
  },
  {
    id: 'conforming-request/error-in-empty-choice',
    about: 'Responds with 200, an error and an empty choice to non-streamed chat calls.',
    violates: ['requests/success-has-output'],
    setup: withDecisions(
      respondWithError(allOf(onOperation('chat'), not(isStreamed)), {
        choices: [{ index: 0, message: { role: 'assistant', content: null }, finish_reason: 'error' }],
      }),
    ),
  },
  {
    id: 'conforming-request/error-in-empty-delta',
    about: 'Responds to streamed chat calls with a chunk that contains an error and an empty choice.',
    violates: ['requests/success-has-output'],
    setup: withDecisions(
      respondWithError(allOf(onOperation('chat'), isStreamed), {
        choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: 'error' }],
      }),
    ),
  },
  {
    id: 'conforming-request/error-as-balance',
    about: 'Responds with 200 and only an error to requests for the balance.',
    violates: ['billing/success-has-data'],
    setup: withDecisions(
      respondToBillingWith('balance', () => ({ error: { code: 'internal_error', message: 'Try again.' } })),
    ),
  },
  {
    id: 'conforming-request/error-as-usage',
    about: 'Responds with 200 and the error body of a model endpoint to requests for the usage.',
    violates: ['billing/success-has-data'],
    setup: withDecisions(respondToBillingWith('usage', (ctx) => createErrorIn200({}, ctx))),
  },
];
