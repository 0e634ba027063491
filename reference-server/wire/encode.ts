import { STATUS_CODES } from 'node:http';
import type { Json } from '../json.ts';
import type { Chunk, Header, OutgoingEvent, Reply, ResponseContent, WireResponse } from './response.ts';

/** How a server writes JSON and events. */
export type Encoder = {
  readonly serializeJson: (value: Json) => string;
  readonly contentTypeOf: (kind: 'json' | 'events') => string;
  /** Formats an event. Each line of `data` after the first already begins with `data: `. */
  readonly frameEvent: (event: OutgoingEvent, data: string) => string;
  /** Returns the pause before each event or chunk of a stream, in milliseconds. */
  readonly choosePause: () => number;
};

/** The encoding of a server that does nothing unusual. */
export const plainEncoder: Encoder = {
  serializeJson: (value) => JSON.stringify(value),
  contentTypeOf: (kind) =>
    kind === 'json' ? 'application/json; charset=utf-8' : 'text/event-stream; charset=utf-8',
  frameEvent: ({ name }, data) => `${name === undefined ? '' : `event: ${name}\n`}data: ${data}\n\n`,
  choosePause: () => 1,
};

/**
 * Encodes a response. Each event of a stream and each text of `chunks` becomes one chunk. Any other content has a
 * content length and at most one chunk.
 */
export function encodeReply(reply: Reply, encoder: Encoder): WireResponse {
  const { mediaType, chunks } = encodeContent(reply.content, encoder);
  const headers: Header[] =
    mediaType === undefined ? [...reply.headers] : [['content-type', mediaType], ...reply.headers];
  if (isStream(reply.content)) headers.push(['cache-control', 'no-cache']);
  return {
    status: reply.status,
    reason: STATUS_CODES[reply.status] ?? 'Unknown',
    headers,
    after: 0,
    chunks,
    framing: isStream(reply.content) ? 'chunked' : 'length',
    ending: 'finish',
  };
}

const isStream = ({ kind }: ResponseContent): boolean => kind === 'events' || kind === 'chunks';

function encodeContent(
  content: ResponseContent,
  encoder: Encoder,
): { readonly mediaType: string | undefined; readonly chunks: readonly Chunk[] } {
  switch (content.kind) {
    case 'json':
      return {
        mediaType: encoder.contentTypeOf('json'),
        chunks: [chunk(encoder.serializeJson(content.value))],
      };
    case 'text':
      return { mediaType: content.mediaType, chunks: [chunk(content.text)] };
    case 'chunks':
      return {
        mediaType: content.mediaType,
        chunks: content.texts.map((text) => chunk(text, encoder.choosePause())),
      };
    case 'nothing':
      return { mediaType: undefined, chunks: [] };
    case 'events': {
      const after = encoder.choosePause();
      const chunks = content.events.map((event) => chunk(encodeEvent(event, encoder), after));
      return { mediaType: encoder.contentTypeOf('events'), chunks };
    }
  }
}

/** Formats an event. A string in `data` is sent unchanged, any other value as JSON. */
export function encodeEvent(event: OutgoingEvent, encoder: Encoder): string {
  const { data } = event;
  return encoder.frameEvent(event, typeof data === 'string' ? data : encoder.serializeJson(data));
}

const chunk = (data: string, after = 0): Chunk => ({ after, data });
