import { STATUS_CODES } from 'node:http';
import type { Decisions } from '../decisions/index.ts';
import type { Context } from '../gateway/context.ts';
import type { Chunk, GatewayResponse, Header, ResponseContent, WireResponse } from './response.ts';

/**
 * Encodes a response. Each event of a stream and each text of `chunks` becomes one chunk. Any other content has a
 * content length and at most one chunk.
 */
export function encodeResponse(response: GatewayResponse, ctx: Context, decide: Decisions): WireResponse {
  const { mediaType, chunks } = encodeContent(response.content, ctx, decide);
  const headers: Header[] =
    mediaType === undefined ? [...response.headers] : [['content-type', mediaType], ...response.headers];
  if (isStream(response.content)) headers.push(['cache-control', 'no-cache']);
  return {
    status: response.status,
    reason: STATUS_CODES[response.status] ?? 'Unknown',
    headers,
    after: 0,
    chunks,
    framing: isStream(response.content) ? 'chunked' : 'length',
    ending: 'finish',
  };
}

const isStream = ({ kind }: ResponseContent): boolean => kind === 'events' || kind === 'chunks';

function encodeContent(
  content: ResponseContent,
  ctx: Context,
  decide: Decisions,
): { readonly mediaType: string | undefined; readonly chunks: readonly Chunk[] } {
  switch (content.kind) {
    case 'json':
      return {
        mediaType: decide.contentTypeOf('json', ctx),
        chunks: [chunk(decide.serializeJson(content.value, ctx))],
      };
    case 'text':
      return { mediaType: content.mediaType, chunks: [chunk(content.text)] };
    case 'chunks':
      return {
        mediaType: content.mediaType,
        chunks: content.texts.map((text) => chunk(text, decide.choosePause(ctx))),
      };
    case 'nothing':
      return { mediaType: undefined, chunks: [] };
    case 'events': {
      const after = decide.choosePause(ctx);
      const chunks = content.events.map((event) => {
        const data = typeof event.data === 'string' ? event.data : decide.serializeJson(event.data, ctx);
        return chunk(decide.frameEvent(event, data, ctx), after);
      });
      return { mediaType: decide.contentTypeOf('events', ctx), chunks };
    }
  }
}

const chunk = (data: string, after = 0): Chunk => ({ after, data });
