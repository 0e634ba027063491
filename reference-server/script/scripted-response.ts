import type { Decisions } from '../decisions/index.ts';
import type { Context } from '../gateway/context.ts';
import type { Json } from '../json.ts';
import type { OperationResult, ResponseContent } from '../wire/response.ts';
import type { ScriptAnswer } from './rule.ts';
import { createScriptedFailure } from './scripted-failure.ts';

/** Creates the response that a rule of a script states; undefined if the rule leaves the response to the gateway. */
export function createScriptedResponse(
  answer: ScriptAnswer,
  ctx: Context,
  decide: Decisions,
): OperationResult | undefined {
  if ('error' in answer) {
    return { kind: 'refused', failure: createScriptedFailure(answer.error, ctx, answer.retryAfter) };
  }
  const content = createContent(answer);
  if (content === undefined) return undefined;
  const status = 'status' in answer ? (answer.status ?? 200) : 200;
  const headers = decide.listSuccessHeaders(undefined, ctx);
  return { kind: 'response', response: { status, headers, content }, call: undefined };
}

function createContent(answer: ScriptAnswer): ResponseContent | undefined {
  if ('events' in answer) {
    const events = answer.events.map(({ event, data }) => ({ name: event, data: prefixLines(data) }));
    return { kind: 'events', events };
  }
  if ('chunks' in answer) {
    return { kind: 'chunks', mediaType: 'text/event-stream; charset=utf-8', texts: answer.chunks };
  }
  if ('body' in answer) {
    const { body } = answer;
    return typeof body === 'string'
      ? { kind: 'text', mediaType: 'text/plain; charset=utf-8', text: body }
      : { kind: 'json', value: body };
  }
  return 'status' in answer ? { kind: 'nothing' } : undefined;
}

// A line break would end the `data:` line. In server-sent events, each line of the data needs its own `data:`.
const prefixLines = (data: Json): Json =>
  typeof data === 'string' ? data.replace(/\r\n|\r|\n/g, '\ndata: ') : data;
