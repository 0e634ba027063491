import { withDecisions } from '../combine-setups.ts';
import type { Overrides } from '../gateway/decisions.ts';
import { joinChunks } from '../wire/wire-changes.ts';
import type { Variant } from './variant.ts';

const frameEvents =
  (frame: (name: string, data: string) => string): Overrides =>
  () => ({ frameEvent: (event, data) => frame(event.name ?? '', data) });

/** Variants of streams: 4 rule 6 and 7.3 rule 4 leave these choices open. */
export const streamVariants: readonly Variant[] = [
  {
    id: 'streams/crlf',
    about: 'Ends the lines of a stream with CRLF.',
    setup: withDecisions(frameEvents((name, data) => `${name && `event: ${name}\r\n`}data: ${data}\r\n\r\n`)),
  },
  {
    id: 'streams/cr',
    about: 'Ends the lines of a stream with CR, and writes no space after colons.',
    setup: withDecisions(frameEvents((name, data) => `${name && `event:${name}\r`}data:${data}\r\r`)),
  },
  {
    id: 'streams/comments',
    about: 'Sends comments, pings, IDs and retry times between the events of a stream.',
    setup: withDecisions(
      frameEvents(
        (name, data) =>
          `: keep-alive\n\nevent: ping\ndata: {}\n\nid: 7\nretry: 100\n${name && `event: ${name}\n`}data: ${data}\n\n`,
      ),
    ),
  },
  {
    id: 'streams/no-event-names',
    about: 'Sends stream events without `event:` lines.',
    setup: withDecisions(frameEvents((_name, data) => `data: ${data}\n\n`)),
  },
  {
    id: 'streams/data-on-several-lines',
    about: 'Writes the JSON of a stream event on several `data:` lines.',
    setup: withDecisions((base) => ({
      serializeJson: (value, ctx) =>
        ctx.streamed ? JSON.stringify(value, null, 1) : base.serializeJson(value, ctx),
      frameEvent: (_event, data) =>
        `${data
          .split('\n')
          .map((line) => `data: ${line}\n`)
          .join('')}\n`,
    })),
  },
  {
    id: 'streams/not-done',
    about: 'Ends a chat stream without `[DONE]`.',
    setup: withDecisions((base) => ({
      callEvents: (call, ctx) => base.callEvents(call, ctx).filter(({ data }) => data !== '[DONE]'),
    })),
  },
  {
    id: 'streams/slow',
    about: 'Sends the events of a stream thirty milliseconds apart.',
    setup: withDecisions(() => ({ choosePause: () => 30 })),
  },
  {
    id: 'streams/at-once',
    about: 'Sends a successful stream in one part with a content length.',
    warns: ['streams/in-parts'],
    setup: withDecisions(() => ({
      transmit: (wire, ctx) =>
        ctx.streamed && !ctx.failure
          ? {
              ...wire,
              framing: 'length',
              chunks: [{ after: 0, data: joinChunks(wire) }],
            }
          : wire,
    })),
  },
  {
    id: 'streams/not-streamed',
    about: 'Responds to streamed calls with a response that is not streamed.',
    warns: ['streams/in-parts'],
    setup: withDecisions(() => ({ isStreamRequested: () => false })),
  },
];
