import type { Decisions } from '../decisions/index.ts';
import type { Context } from '../gateway/context.ts';
import type { Json } from '../json.ts';
import type { Content, Response } from '../wire/answer.ts';
import { failureOf } from './failures.ts';
import type { ScriptAnswer } from './rule.ts';

/** What a scripted answer puts in the place of the normal one; undefined where it lets that stand. */
export function scriptedResponse(
  answer: ScriptAnswer,
  ctx: Context,
  decide: Decisions,
): Response | undefined {
  if ('error' in answer) {
    return { kind: 'refused', failure: failureOf(answer.error, ctx, answer.retryAfter) };
  }
  const content = contentOf(answer);
  if (content === undefined) return undefined;
  const status = 'status' in answer ? (answer.status ?? 200) : 200;
  const headers = decide.successHeaders(undefined, ctx);
  return { kind: 'answered', answer: { status, headers, content }, call: undefined };
}

function contentOf(answer: ScriptAnswer): Content | undefined {
  if ('events' in answer) {
    const events = answer.events.map(({ event, data }) => ({ name: event, data: onLines(data) }));
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

// A line break would end the line of an event; the standard has each line of its data behind a `data:`.
const onLines = (data: Json): Json =>
  typeof data === 'string' ? data.replace(/\r\n|\r|\n/g, '\ndata: ') : data;
