import type { NamedChanges } from './named-change.ts';

/** Changes of the form of streams. */
export const streamChanges: NamedChanges = {
  'streams-as-lines': {
    about: 'a stream is JSON, one value per line',
    decisions: () => ({
      frameEvent: (_event, data) => (data === '[DONE]' ? '' : `${data}\n`),
      contentTypeOf: (kind) => (kind === 'json' ? 'application/json' : 'application/x-ndjson'),
    }),
  },
};
