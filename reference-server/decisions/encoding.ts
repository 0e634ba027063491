import type { Context } from '../gateway/context.ts';
import type { Json } from '../json.ts';
import type { GatewayResponse, OutgoingEvent, WireResponse } from '../wire/response.ts';

/** Returns the JSON text of a value. */
export function serializeJson(value: Json, _ctx: Context): string {
  return JSON.stringify(value);
}

/** Returns the content type of a JSON body or of a stream. */
export function contentTypeOf(kind: 'json' | 'events', _ctx: Context): string {
  return kind === 'json' ? 'application/json; charset=utf-8' : 'text/event-stream; charset=utf-8';
}

/** Formats an event as a server-sent event. Each line of `data` after the first must already begin with `data: `. */
export function frameEvent(event: OutgoingEvent, data: string, _ctx: Context): string {
  return `${event.name === undefined ? '' : `event: ${event.name}\n`}data: ${data}\n\n`;
}

/** Returns the pause before each event or chunk of a stream, in milliseconds. */
export function choosePause(_ctx: Context): number {
  return 1;
}

/** Returns the response to encode. A fault or a variant may change the response. */
export function finish(response: GatewayResponse, _ctx: Context): GatewayResponse {
  return response;
}

/**
 * Returns the encoded response to send. A fault or a variant may change the compression, framing, pauses or connection.
 */
export function transmit(wire: WireResponse, _ctx: Context): WireResponse {
  return wire;
}
