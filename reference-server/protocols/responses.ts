import type { CompletedCall } from '../gateway/context.ts';
import type { Json, JsonObject } from '../json.ts';
import type { OutgoingEvent } from '../wire/response.ts';
import { splitText } from './split-text.ts';

const part = (text: string): JsonObject => ({ type: 'output_text', text, annotations: [] });

const item = (call: CompletedCall, status: string, content: readonly Json[]): JsonObject => ({
  type: 'message',
  id: `msg_${call.id}`,
  status,
  role: 'assistant',
  content,
});

const response = (call: CompletedCall, status: string, output: readonly Json[]): JsonObject => ({
  id: `resp_${call.id}`,
  object: 'response',
  created_at: Math.floor(call.createdAt / 1000),
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

/** Returns the body of a response of `POST /v1/responses` that is not streamed. */
export function createResponsesBody(call: CompletedCall): Json {
  return response(call, 'completed', [item(call, 'completed', [part(call.text)])]);
}

/**
 * Returns the events of a streamed response of `POST /v1/responses`: `response.created` to `response.completed`,
 * numbered from 0.
 */
export function createResponsesEvents(call: CompletedCall): readonly OutgoingEvent[] {
  const at: JsonObject = { item_id: `msg_${call.id}`, output_index: 0, content_index: 0 };
  const done = item(call, 'completed', [part(call.text)]);
  const events: readonly (readonly [string, JsonObject])[] = [
    ['response.created', { response: response(call, 'in_progress', []) }],
    ['response.in_progress', { response: response(call, 'in_progress', []) }],
    ['response.output_item.added', { output_index: 0, item: item(call, 'in_progress', []) }],
    ['response.content_part.added', { ...at, part: part('') }],
    ...splitText(call.text).map((delta): readonly [string, JsonObject] => [
      'response.output_text.delta',
      { ...at, delta, logprobs: [] },
    ]),
    ['response.output_text.done', { ...at, text: call.text, logprobs: [] }],
    ['response.content_part.done', { ...at, part: part(call.text) }],
    ['response.output_item.done', { output_index: 0, item: done }],
    ['response.completed', { response: response(call, 'completed', [done]) }],
  ];
  return events.map(([name, data], index) => ({
    name,
    data: { type: name, sequence_number: index, ...data },
  }));
}
