import type { Context } from '../gateway/context.ts';
import type { Json } from '../json.ts';
import type { Answer, StreamEvent, Wire } from '../wire/answer.ts';

/** A JSON value as text. */
export function serialise(value: Json, _ctx: Context): string {
  return JSON.stringify(value);
}

/** The content type of a JSON body or of a stream. */
export function contentTypeOf(kind: 'json' | 'events', _ctx: Context): string {
  return kind === 'json' ? 'application/json; charset=utf-8' : 'text/event-stream; charset=utf-8';
}

/** An event as server-sent-event text; `data` is already text and holds no line break. */
export function frameEvent(event: StreamEvent, data: string, _ctx: Context): string {
  return `${event.name === undefined ? '' : `event: ${event.name}\n`}data: ${data}\n\n`;
}

/** The pause before each event of a stream, in milliseconds. */
export function pace(_ctx: Context): number {
  return 1;
}

/** The last say about an answer before it is turned into bytes. */
export function finish(answer: Answer, _ctx: Context): Answer {
  return answer;
}

/** The last say about the bytes: compression, framing, pauses, the connection. */
export function transmit(wire: Wire, _ctx: Context): Wire {
  return wire;
}
