import type { CompletedCall } from '../gateway/context.ts';
import type { Json, JsonObject } from '../json.ts';
import type { OutgoingEvent } from '../wire/response.ts';
import { splitText } from './split-text.ts';

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

/** Returns the body of a native messages response that is not streamed. */
export function createMessagesBody(call: CompletedCall): Json {
  return message(call, [{ type: 'text', text: call.text }], 'end_turn', call.usage.output);
}

/** Returns the events of a streamed native messages response, each with its `event:` name. */
export function createMessagesEvents(call: CompletedCall): readonly OutgoingEvent[] {
  const event = (name: string, data: JsonObject): OutgoingEvent => ({ name, data: { type: name, ...data } });
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
}
