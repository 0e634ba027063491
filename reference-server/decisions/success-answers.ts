import type { Call, Context } from '../gateway/context.ts';
import type { Protocol } from '../gateway/operations.ts';
import type { Json } from '../json.ts';
import { chatBody, chatEvents } from '../protocols/chat.ts';
import { generateBody, generateEvents } from '../protocols/generate.ts';
import { messagesBody, messagesEvents } from '../protocols/messages.ts';
import { responsesBody, responsesEvents } from '../protocols/responses.ts';
import type { Header, StreamEvent } from '../wire/answer.ts';

const bodies: Readonly<Record<Protocol, (call: Call) => Json>> = {
  chat: chatBody,
  responses: responsesBody,
  messages: messagesBody,
  generate: generateBody,
};

const events: Readonly<Record<Protocol, (call: Call, ctx: Context) => readonly StreamEvent[]>> = {
  chat: chatEvents,
  responses: responsesEvents,
  messages: messagesEvents,
  generate: generateEvents,
};

/** The body of a plain model call, in the dialect of its operation. */
export function callBody(call: Call, ctx: Context): Json {
  return bodies[ctx.operation?.protocol ?? 'chat'](call);
}

/** The events of a streamed model call, in the dialect of its operation. */
export function callEvents(call: Call, ctx: Context): readonly StreamEvent[] {
  return events[ctx.operation?.protocol ?? 'chat'](call, ctx);
}

/** The headers of a success beside its content type: the trace id, and the id of the record that a call left. */
export function successHeaders(call: Call | undefined, ctx: Context): readonly Header[] {
  const trace: Header = ['x-trace-id', ctx.traceId];
  // openai reads `x-request-id`, anthropic `request-id`.
  return call ? [trace, ['x-request-id', call.id], ['request-id', call.id]] : [trace];
}
