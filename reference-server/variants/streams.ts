import type { Overrides } from '../decisions/index.ts';
import type { Context } from '../gateway/context.ts';
import type { Answer } from '../wire/answer.ts';
import { bodyOf, bytesOf } from '../wire/wire-changes.ts';
import { isAuthFailure, textContent, withContent, withStatus } from './answers.ts';
import { deciding, type Variant, type VariantSetup } from './variant.ts';

const framing =
  (frame: (name: string, data: string) => string): Overrides =>
  () => ({ frameEvent: (event, data) => frame(event.name ?? '', data) });

/** The body of an answer as JSON text, where it has one. */
const textOf = ({ content }: Answer): string =>
  content.kind === 'json' ? JSON.stringify(content.value) : '';

// A credential is checked before the body is read, which may ask for a stream; what the client takes tells it too.
const asksForStream = ({ streamed, request: { headers } }: Context): boolean =>
  streamed || headers.accept?.includes('text/event-stream') === true;

/** A gateway that answers a failed streamed request in its own way. */
const failing =
  (change: (answer: Answer, ctx: Context) => Answer): Overrides =>
  () => ({
    finish: (answer, ctx) => (asksForStream(ctx) && ctx.failure ? change(answer, ctx) : answer),
  });

/** A gateway that starts a stream before it has found what is wrong, the credential aside. */
export const inStream = (events: (text: string, ctx: Context) => string): Overrides =>
  failing((answer, ctx) =>
    isAuthFailure(ctx)
      ? answer
      : withStatus(withContent(answer, textContent('text/event-stream', events(textOf(answer), ctx))), 200),
  );

/** What warns of an error that comes in a stream. */
export const inStreamWarns = ['streams/error-before-start'];

const asLines: Overrides = () => ({
  frameEvent: (_event, data) => (data === '[DONE]' ? '' : `${data}\n`),
  contentTypeOf: (kind) => (kind === 'json' ? 'application/json' : 'application/x-ndjson'),
});

/** What a native stream is without `alt=sse`: one JSON array that grows. */
const arrays = (errors: (answer: Answer, ctx: Context) => Answer) => (): VariantSetup => ({
  profile: { operations: { streamGenerate: 'POST /v1beta/models/{model}:streamGenerateContent' } },
  decisions: (base) => ({
    frameEvent: (event, data, ctx) =>
      ctx.operation?.id === 'streamGenerate' ? `${data},\r\n` : base.frameEvent(event, data, ctx),
    contentTypeOf: (kind, ctx) =>
      ctx.operation?.id === 'streamGenerate' ? 'application/json' : base.contentTypeOf(kind, ctx),
    finish: (answer, ctx) =>
      ctx.operation?.id === 'streamGenerate' && ctx.failure ? errors(answer, ctx) : answer,
    transmit: (wire, ctx) => {
      if (ctx.operation?.id !== 'streamGenerate' || ctx.failure) return wire;
      const chunks = wire.chunks.map((chunk, index) => {
        const text = Buffer.from(bytesOf(chunk)).toString();
        const open = index === 0 ? '[' : '';
        return {
          after: chunk.after,
          data: open + (index === wire.chunks.length - 1 ? text.replace(/,\r\n$/, ']') : text),
        };
      });
      return { ...wire, chunks };
    },
  }),
});

/** What 4 rule 6 and 7.3 rule 4 leave open about streams. */
export const streamVariants: readonly Variant[] = [
  {
    id: 'streams/crlf',
    about: 'Lines of a stream end with CRLF.',
    setup: deciding(framing((name, data) => `${name && `event: ${name}\r\n`}data: ${data}\r\n\r\n`)),
  },
  {
    id: 'streams/cr',
    about: 'Lines of a stream end with CR alone, and no blank stands behind a colon.',
    setup: deciding(framing((name, data) => `${name && `event:${name}\r`}data:${data}\r\r`)),
  },
  {
    id: 'streams/comments',
    about: 'A stream has comments, pings, ids and times to wait between its events.',
    setup: deciding(
      framing(
        (name, data) =>
          `: keep-alive\n\nevent: ping\ndata: {}\n\nid: 7\nretry: 100\n${name && `event: ${name}\n`}data: ${data}\n\n`,
      ),
    ),
  },
  {
    id: 'streams/no-event-names',
    about: 'Events have no `event:` line.',
    setup: deciding(framing((_name, data) => `data: ${data}\n\n`)),
  },
  {
    id: 'streams/data-on-several-lines',
    about: 'The JSON of an event stands on several `data:` lines.',
    setup: deciding((base) => ({
      serialise: (value, ctx) => (ctx.streamed ? JSON.stringify(value, null, 1) : base.serialise(value, ctx)),
      frameEvent: (_event, data) =>
        `${data
          .split('\n')
          .map((line) => `data: ${line}\n`)
          .join('')}\n`,
    })),
  },
  {
    id: 'streams/not-done',
    about: 'A chat stream ends without `[DONE]`.',
    setup: deciding((base) => ({
      callEvents: (call, ctx) => base.callEvents(call, ctx).filter(({ data }) => data !== '[DONE]'),
    })),
  },
  {
    id: 'streams/split',
    about: 'A stream arrives in pieces that end in the middle of a character.',
    setup: deciding(() => ({
      replyText: () => 'Grüße, 你好, 👋🏽.',
      transmit: (wire, ctx) =>
        ctx.streamed
          ? {
              ...wire,
              chunks: wire.chunks.flatMap((chunk) => {
                const bytes = bytesOf(chunk);
                return Array.from({ length: Math.ceil(bytes.length / 61) }, (_, index) => ({
                  after: index === 0 ? chunk.after : 0,
                  data: bytes.slice(index * 61, index * 61 + 61),
                }));
              }),
            }
          : wire,
    })),
  },
  {
    id: 'streams/slow',
    about: 'Events come thirty milliseconds apart.',
    setup: deciding(() => ({ pace: () => 30 })),
  },
  { id: 'streams/lines-of-json', about: 'A stream is JSON, one value a line.', setup: deciding(asLines) },
  {
    id: 'streams/at-once',
    about: 'A streamed answer arrives in one piece of known length.',
    warns: ['streams/in-parts'],
    setup: deciding(() => ({
      transmit: (wire, ctx) =>
        ctx.streamed && !ctx.failure
          ? {
              ...wire,
              framing: 'length',
              chunks: [{ after: 0, data: bodyOf(wire) }],
            }
          : wire,
    })),
  },
  {
    id: 'streams/not-streamed',
    about: 'Who asks for a stream gets the plain answer.',
    warns: ['streams/in-parts'],
    setup: deciding(() => ({ wantsStream: () => false })),
  },
  {
    id: 'streams/array',
    about: 'The native stream is a JSON array, and its errors are plain.',
    setup: arrays((answer) => answer),
  },
  {
    id: 'streams/array-of-errors',
    about: 'The native stream is a JSON array, its errors included.',
    warns: ['model-error/streamed'],
    setup: arrays((answer) =>
      answer.content.kind === 'json'
        ? withContent(answer, { kind: 'json', value: [answer.content.value] })
        : answer,
    ),
  },
  {
    id: 'streams/array-that-ends-in-an-error',
    about: 'The native stream is a JSON array, and an error is its last item, after it has begun with 200.',
    warns: inStreamWarns,
    setup: arrays((answer, ctx) => {
      if (isAuthFailure(ctx) || answer.content.kind !== 'json') return answer;
      const items = [{ candidates: [] }, answer.content.value];
      return withStatus(withContent(answer, { kind: 'json', value: items }), 200);
    }),
  },
  {
    id: 'streams/errors-framed',
    about: 'An error before a stream has its status, and its body framed as an event.',
    warns: ['model-error/streamed'],
    setup: deciding(
      failing((answer) =>
        withContent(answer, textContent('text/event-stream', `event: error\ndata: ${textOf(answer)}\n\n`)),
      ),
    ),
  },
  {
    id: 'streams/errors-without-body',
    about: 'An error before a stream has its status and nothing else.',
    warns: ['model-error/streamed'],
    setup: deciding(failing((answer) => withContent(answer, { kind: 'nothing' }))),
  },
  {
    id: 'streams/errors-as-events',
    about: 'An error is an event of that name in a stream that has begun.',
    warns: inStreamWarns,
    setup: deciding(inStream((text) => `: open\n\nevent: error\ndata: ${text}\n\n`)),
  },
  {
    id: 'streams/errors-as-data',
    about: 'An error is the data of an event without a name, with `[DONE]` behind it.',
    warns: inStreamWarns,
    setup: deciding(inStream((text) => `data: ${text}\r\n\r\ndata: [DONE]\r\n\r\n`)),
  },
  {
    id: 'streams/errors-after-a-start',
    about: 'A stream begins as if all were well, and then tells of the error in the words of its dialect.',
    warns: inStreamWarns,
    setup: deciding(
      inStream((_text, { operation }) => {
        const start = { type: 'message_start', message: { id: 'msg_1', content: [] } };
        const failed =
          operation?.protocol === 'responses'
            ? {
                type: 'response.failed',
                response: { status: 'failed', error: { code: 'invalid', message: 'No.' } },
              }
            : { type: 'error', error: { type: 'invalid_request_error', message: 'No.' } };
        return [start, failed].map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
      }),
    ),
  },
  {
    id: 'streams/errors-as-lines',
    about: 'A stream is JSON, one value a line, and an error is one of them.',
    warns: inStreamWarns,
    setup: () => ({
      decisions: (base) => ({
        ...asLines(base),
        ...inStream((text) => `{"type":"start"}\n${text}\n`)(base),
      }),
    }),
  },
  {
    id: 'streams/errors-as-json',
    about: 'An error is answered 200 with its plain body where a stream was asked for.',
    warns: inStreamWarns,
    setup: deciding(failing((answer, ctx) => (isAuthFailure(ctx) ? answer : withStatus(answer, 200)))),
  },
];
