import type { Call, Context } from '../gateway/context.ts';
import { isObject, type Json } from '../json.ts';
import type { StreamEvent } from '../wire/answer.ts';
import { pieces } from './pieces.ts';

const seconds = (call: Call): number => Math.floor(call.createdAt / 1000);
const usageOf = (call: Call): Json => ({
  prompt_tokens: call.usage.input,
  completion_tokens: call.usage.output,
  total_tokens: call.usage.input + call.usage.output,
});

/** The answer to a plain chat completions call. */
export function chatBody(call: Call): Json {
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

/** The events of a streamed chat completions call, `[DONE]` last; usage where `stream_options` asks for it. */
export function chatEvents(call: Call, ctx: Context): readonly StreamEvent[] {
  const chunk = (choices: Json, more: { readonly usage?: Json } = {}): StreamEvent => ({
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
    ...pieces(call.text).map((content) => chunk(choice({ content }))),
    chunk(choice({}, 'stop')),
    ...(withUsage ? [chunk([], { usage: usageOf(call) })] : []),
    { name: undefined, data: '[DONE]' },
  ];
}
