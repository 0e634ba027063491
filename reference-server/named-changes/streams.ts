import { joinChunks } from '../wire/wire-changes.ts';
import type { NamedChanges } from './named-change.ts';

/** Changes of streams. */
export const streamChanges: NamedChanges = {
  'never-streamed': {
    about: 'the response is never streamed, whatever the request asks for',
    decisions: () => ({ isStreamRequested: () => false }),
  },
  'stream-in-one-part': {
    about: 'a stream is buffered and sent with its length',
    decisions: (base) => ({
      transmit(wire, ctx) {
        const sent = base.transmit(wire, ctx);
        return { ...sent, framing: 'length', chunks: [{ after: 0, data: joinChunks(sent) }] };
      },
    }),
  },
  'last-event-only': {
    about: 'only the last event of a stream is sent',
    decisions: (base) => ({
      finish(response, ctx) {
        const finished = base.finish(response, ctx);
        const { content } = finished;
        return content.kind === 'events'
          ? { ...finished, content: { kind: 'events', events: content.events.slice(-1) } }
          : finished;
      },
    }),
  },
  'streams-as-lines': {
    about: 'a stream is JSON, one value per line',
    decisions: () => ({
      frameEvent: (_event, data) => (data === '[DONE]' ? '' : `${data}\n`),
      contentTypeOf: (kind) => (kind === 'json' ? 'application/json' : 'application/x-ndjson'),
    }),
  },
};
