import type { CompletedCall } from '../gateway/context.ts';
import type { Json } from '../json.ts';
import type { OutgoingEvent } from '../wire/response.ts';
import { splitText } from './split-text.ts';

const createContentResponse = (call: CompletedCall, text: string, last: boolean): Json => ({
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

/** Returns the body of a generate-content response that is not streamed. */
export function generateBody(call: CompletedCall): Json {
  return createContentResponse(call, call.text, true);
}

/**
 * Returns the events of a streamed generate-content response. The last event contains `finishReason` and
 * `usageMetadata`.
 */
export function generateEvents(call: CompletedCall): readonly OutgoingEvent[] {
  const texts = splitText(call.text);
  return texts.map((text, index) => ({
    name: undefined,
    data: createContentResponse(call, text, index === texts.length - 1),
  }));
}
