import type { Call } from '../gateway/context.ts';
import type { Json } from '../json.ts';
import type { StreamEvent } from '../wire/answer.ts';
import { pieces } from './pieces.ts';

const answer = (call: Call, text: string, last: boolean): Json => ({
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

/** The answer to a plain generate-content call. */
export function generateBody(call: Call): Json {
  return answer(call, call.text, true);
}

/** The events of a streamed generate-content call; the last has `finishReason` and `usageMetadata`. */
export function generateEvents(call: Call): readonly StreamEvent[] {
  const texts = pieces(call.text);
  return texts.map((text, index) => ({
    name: undefined,
    data: answer(call, text, index === texts.length - 1),
  }));
}
