import type { CompletedCall, Context } from '../gateway/context.ts';
import type { Protocol } from '../gateway/operations.ts';
import type { Json } from '../json.ts';
import { createChatBody, createChatEvents } from '../protocols/chat.ts';
import { generateBody, generateEvents } from '../protocols/generate.ts';
import { createMessagesBody, createMessagesEvents } from '../protocols/messages.ts';
import { createResponsesBody, createResponsesEvents } from '../protocols/responses.ts';
import type { Header, OutgoingEvent } from '../wire/response.ts';

const bodies: Readonly<Record<Protocol, (call: CompletedCall) => Json>> = {
  chat: createChatBody,
  responses: createResponsesBody,
  messages: createMessagesBody,
  generate: generateBody,
};

const events: Readonly<Record<Protocol, (call: CompletedCall, ctx: Context) => readonly OutgoingEvent[]>> = {
  chat: createChatEvents,
  responses: createResponsesEvents,
  messages: createMessagesEvents,
  generate: generateEvents,
};

/** Returns the body of the response to a model call that is not streamed, in the form of its protocol. */
export function callBody(call: CompletedCall, ctx: Context): Json {
  return bodies[ctx.operation?.protocol ?? 'chat'](call);
}

/** Returns the events of the response to a streamed model call, in the form of its protocol. */
export function callEvents(call: CompletedCall, ctx: Context): readonly OutgoingEvent[] {
  return events[ctx.operation?.protocol ?? 'chat'](call, ctx);
}

/**
 * Returns the headers of a successful response, without the content type: the trace ID and, after a model call, the ID
 * of the request record.
 */
export function listSuccessHeaders(call: CompletedCall | undefined, ctx: Context): readonly Header[] {
  const trace: Header = ['x-trace-id', ctx.traceId];
  // The OpenAI SDK reads `x-request-id`, and the Anthropic SDK reads `request-id`.
  return call ? [trace, ['x-request-id', call.id], ['request-id', call.id]] : [trace];
}
