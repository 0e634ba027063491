import type { CompletedCall, Context } from '../gateway/context.ts';
import { isObject, type Json } from '../json.ts';
import type { OutgoingEvent } from '../wire/response.ts';
import { splitText } from './split-text.ts';

const seconds = (call: CompletedCall): number => Math.floor(call.createdAt / 1000);
const usageOf = (call: CompletedCall): Json => ({
  prompt_tokens: call.usage.input,
  completion_tokens: call.usage.output,
  total_tokens: call.usage.input + call.usage.output,
});

/** Returns the body of a chat completions response that is not streamed. */
export function createChatBody(call: CompletedCall): Json {
  return {
    id: `chatcmpl-${call.id}`,
    object: 'chat.completion',
    created: seconds(call),
    model: call.model,
    choices: [
      { index: 0, message: { role: 'assistant', content: call.text }, logprobs: null, finish_reason: 'stop' },
    ],
    usage: usageOf(call),
  };
}

/**
 * Returns the events of a streamed chat completions response, with `[DONE]` at the end, and with the usage if
 * `stream_options.include_usage` is true.
 */
export function createChatEvents(call: CompletedCall, ctx: Context): readonly OutgoingEvent[] {
  const chunk = (choices: Json, more: { readonly usage?: Json } = {}): OutgoingEvent => ({
    name: undefined,
    data: {
      id: `chatcmpl-${call.id}`,
      object: 'chat.completion.chunk',
      created: seconds(call),
      model: call.model,
      choices,
      ...more,
    },
  });
  const choice = (delta: Json, finish: string | null = null): Json => [
    { index: 0, delta, finish_reason: finish },
  ];
  const options = isObject(ctx.body) ? ctx.body.stream_options : undefined;
  const withUsage = isObject(options) && options.include_usage === true;
  return [
    chunk(choice({ role: 'assistant', content: '' })),
    ...splitText(call.text).map((content) => chunk(choice({ content }))),
    chunk(choice({}, 'stop')),
    ...(withUsage ? [chunk([], { usage: usageOf(call) })] : []),
    { name: undefined, data: '[DONE]' },
  ];
}
