import { STATUS_CODES } from 'node:http';
import type { Decisions } from '../decisions/index.ts';
import type { Context } from '../gateway/context.ts';
import type { Answer, Chunk, Content, Header, Wire } from './answer.ts';

/** Turns an answer into bytes: a stream goes out in one chunk an event, chunks as they are, all else in one piece of known length. */
export function encode(answer: Answer, ctx: Context, decide: Decisions): Wire {
  const { mediaType, chunks } = encodeContent(answer.content, ctx, decide);
  const headers: Header[] =
    mediaType === undefined ? [...answer.headers] : [['content-type', mediaType], ...answer.headers];
  if (isStream(answer.content)) headers.push(['cache-control', 'no-cache']);
  return {
    status: answer.status,
    reason: STATUS_CODES[answer.status] ?? 'Unknown',
    headers,
    after: 0,
    chunks,
    framing: isStream(answer.content) ? 'chunked' : 'length',
    ending: 'finish',
  };
}

const isStream = ({ kind }: Content): boolean => kind === 'events' || kind === 'chunks';

function encodeContent(
  content: Content,
  ctx: Context,
  decide: Decisions,
): { readonly mediaType: string | undefined; readonly chunks: readonly Chunk[] } {
  switch (content.kind) {
    case 'json':
      return {
        mediaType: decide.contentTypeOf('json', ctx),
        chunks: [chunk(decide.serialise(content.value, ctx))],
      };
    case 'text':
      return { mediaType: content.mediaType, chunks: [chunk(content.text)] };
    case 'chunks':
      return {
        mediaType: content.mediaType,
        chunks: content.texts.map((text) => chunk(text, decide.pace(ctx))),
      };
    case 'nothing':
      return { mediaType: undefined, chunks: [] };
    case 'events': {
      const after = decide.pace(ctx);
      const chunks = content.events.map((event) => {
        const data = typeof event.data === 'string' ? event.data : decide.serialise(event.data, ctx);
        return chunk(decide.frameEvent(event, data, ctx), after);
      });
      return { mediaType: decide.contentTypeOf('events', ctx), chunks };
    }
  }
}

const chunk = (data: string, after = 0): Chunk => ({ after, data });
