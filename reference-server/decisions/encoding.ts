import type { Context } from '../gateway/context.ts';
import type { Json } from '../json.ts';
import { plainEncoder } from '../wire/encode.ts';
import type { OutgoingEvent, Reply, WireResponse } from '../wire/response.ts';

/** Returns the JSON text of a value. */
export function serializeJson(value: Json, _ctx: Context): string {
  return plainEncoder.serializeJson(value);
}

/** Returns the content type of a JSON body or of a stream. */
export function contentTypeOf(kind: 'json' | 'events', _ctx: Context): string {
  return plainEncoder.contentTypeOf(kind);
}

/** Formats an event as a server-sent event. Each line of `data` after the first must already begin with `data: `. */
export function frameEvent(event: OutgoingEvent, data: string, _ctx: Context): string {
  return plainEncoder.frameEvent(event, data);
}

/** Returns the pause before each event or chunk of a stream, in milliseconds. */
export function choosePause(_ctx: Context): number {
  return plainEncoder.choosePause();
}

/** Returns the response to encode. A fault or a variant may change the response. */
export function finish(response: Reply, _ctx: Context): Reply {
  return response;
}

/**
 * Returns the encoded response to send. A fault or a variant may change the compression, framing, pauses or connection.
 */
export function transmit(wire: WireResponse, _ctx: Context): WireResponse {
  return wire;
}
