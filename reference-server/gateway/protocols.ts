import { isObject, type Json, type JsonObject } from '../json.ts';
import type { OutgoingEvent } from '../wire/response.ts';
import type { CompletedCall, Context } from './context.ts';
import type { Protocol } from './operations.ts';

// The specification names the protocols, but shows neither their successful responses nor their streams (4). These are
// the forms that the SDKs of each family read.

type ProtocolForm = {
  readonly createBody: (call: CompletedCall) => Json;
  readonly createEvents: (call: CompletedCall, ctx: Context) => readonly OutgoingEvent[];
};

/** Splits a text into words, each with the whitespace after it. Returns one empty word for an empty text. */
const splitText = (text: string): readonly string[] => text.match(/\S+\s*|\s+/g) ?? [''];

const secondsOf = (call: CompletedCall): number => Math.floor(call.createdAt / 1000);

const chatUsage = ({ usage }: CompletedCall): Json => ({
  prompt_tokens: usage.input,
  completion_tokens: usage.output,
  total_tokens: usage.input + usage.output,
});

const chat: ProtocolForm = {
  createBody: (call) => ({
    id: `chatcmpl-${call.id}`,
    object: 'chat.completion',
    created: secondsOf(call),
    model: call.model,
    choices: [
      { index: 0, message: { role: 'assistant', content: call.text }, logprobs: null, finish_reason: 'stop' },
    ],
    usage: chatUsage(call),
  }),

  /** `[DONE]` at the end, and the usage before it if `stream_options.include_usage` is true. */
  createEvents(call, ctx) {
    const chunk = (choices: Json, more: { readonly usage?: Json } = {}): OutgoingEvent => ({
      name: undefined,
      data: {
        id: `chatcmpl-${call.id}`,
        object: 'chat.completion.chunk',
        created: secondsOf(call),
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
      ...(withUsage ? [chunk([], { usage: chatUsage(call) })] : []),
      { name: undefined, data: '[DONE]' },
    ];
  },
};

const outputText = (text: string): JsonObject => ({ type: 'output_text', text, annotations: [] });

const outputItem = (call: CompletedCall, status: string, content: readonly Json[]): JsonObject => ({
  type: 'message',
  id: `msg_${call.id}`,
  status,
  role: 'assistant',
  content,
});

const responseObject = (call: CompletedCall, status: string, output: readonly Json[]): JsonObject => ({
  id: `resp_${call.id}`,
  object: 'response',
  created_at: secondsOf(call),
  status,
  error: null,
  incomplete_details: null,
  instructions: null,
  metadata: {},
  model: call.model,
  output,
  parallel_tool_calls: true,
  tool_choice: 'auto',
  tools: [],
  usage:
    status === 'completed'
      ? {
          input_tokens: call.usage.input,
          input_tokens_details: { cached_tokens: 0 },
          output_tokens: call.usage.output,
          output_tokens_details: { reasoning_tokens: 0 },
          total_tokens: call.usage.input + call.usage.output,
        }
      : null,
});

const responses: ProtocolForm = {
  createBody: (call) =>
    responseObject(call, 'completed', [outputItem(call, 'completed', [outputText(call.text)])]),

  /** `response.created` to `response.completed`, numbered from 0. */
  createEvents(call) {
    const at: JsonObject = { item_id: `msg_${call.id}`, output_index: 0, content_index: 0 };
    const done = outputItem(call, 'completed', [outputText(call.text)]);
    const events: readonly (readonly [string, JsonObject])[] = [
      ['response.created', { response: responseObject(call, 'in_progress', []) }],
      ['response.in_progress', { response: responseObject(call, 'in_progress', []) }],
      ['response.output_item.added', { output_index: 0, item: outputItem(call, 'in_progress', []) }],
      ['response.content_part.added', { ...at, part: outputText('') }],
      ...splitText(call.text).map((delta): readonly [string, JsonObject] => [
        'response.output_text.delta',
        { ...at, delta, logprobs: [] },
      ]),
      ['response.output_text.done', { ...at, text: call.text, logprobs: [] }],
      ['response.content_part.done', { ...at, part: outputText(call.text) }],
      ['response.output_item.done', { output_index: 0, item: done }],
      ['response.completed', { response: responseObject(call, 'completed', [done]) }],
    ];
    return events.map(([name, data], index) => ({
      name,
      data: { type: name, sequence_number: index, ...data },
    }));
  },
};

const message = (
  call: CompletedCall,
  content: readonly Json[],
  stop: string | null,
  output: number,
): JsonObject => ({
  id: `msg_${call.id}`,
  type: 'message',
  role: 'assistant',
  model: call.model,
  content,
  stop_reason: stop,
  stop_sequence: null,
  usage: { input_tokens: call.usage.input, output_tokens: output },
});

const messages: ProtocolForm = {
  createBody: (call) => message(call, [{ type: 'text', text: call.text }], 'end_turn', call.usage.output),

  /** Each with its `event:` name. */
  createEvents(call) {
    const event = (name: string, data: JsonObject): OutgoingEvent => ({
      name,
      data: { type: name, ...data },
    });
    return [
      event('message_start', { message: message(call, [], null, 0) }),
      event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
      ...splitText(call.text).map((text) =>
        event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
      ),
      event('content_block_stop', { index: 0 }),
      event('message_delta', {
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { output_tokens: call.usage.output },
      }),
      event('message_stop', {}),
    ];
  },
};

const generatedContent = (call: CompletedCall, text: string, last: boolean): Json => ({
  candidates: [
    { content: { role: 'model', parts: [{ text }] }, index: 0, ...(last ? { finishReason: 'STOP' } : {}) },
  ],
  ...(last
    ? {
        usageMetadata: {
          promptTokenCount: call.usage.input,
          candidatesTokenCount: call.usage.output,
          totalTokenCount: call.usage.input + call.usage.output,
        },
      }
    : {}),
  modelVersion: call.model,
  responseId: call.id,
});

const generate: ProtocolForm = {
  createBody: (call) => generatedContent(call, call.text, true),

  /** The last one has `finishReason` and `usageMetadata`. */
  createEvents(call) {
    const texts = splitText(call.text);
    return texts.map((text, index) => ({
      name: undefined,
      data: generatedContent(call, text, index === texts.length - 1),
    }));
  },
};

/** The successful responses to model calls, plain and streamed. */
export const protocols: Readonly<Record<Protocol, ProtocolForm>> = { chat, responses, messages, generate };
