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
    about: 'Ends the lines of a stream with CRLF.',
    setup: deciding(framing((name, data) => `${name && `event: ${name}\r\n`}data: ${data}\r\n\r\n`)),
  },
  {
    id: 'streams/cr',
    about: 'Ends the lines of a stream with CR, and writes no space after colons.',
    setup: deciding(framing((name, data) => `${name && `event:${name}\r`}data:${data}\r\r`)),
  },
  {
    id: 'streams/comments',
    about: 'Sends comments, pings, ids and retry times between the events of a stream.',
    setup: deciding(
      framing(
        (name, data) =>
          `: keep-alive\n\nevent: ping\ndata: {}\n\nid: 7\nretry: 100\n${name && `event: ${name}\n`}data: ${data}\n\n`,
      ),
    ),
  },
  {
    id: 'streams/no-event-names',
    about: 'Sends stream events without `event:` lines.',
    setup: deciding(framing((_name, data) => `data: ${data}\n\n`)),
  },
  {
    id: 'streams/data-on-several-lines',
    about: 'Writes the JSON of a stream event on several `data:` lines.',
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
    about: 'Ends a chat stream without `[DONE]`.',
    setup: deciding((base) => ({
      callEvents: (call, ctx) => base.callEvents(call, ctx).filter(({ data }) => data !== '[DONE]'),
    })),
  },
  {
    id: 'streams/split',
    about: 'Splits a stream into parts that end in the middle of a character.',
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
    about: 'Sends the events of a stream thirty milliseconds apart.',
    setup: deciding(() => ({ pace: () => 30 })),
  },
  {
    id: 'streams/lines-of-json',
    about: 'Sends a stream as JSON, one value per line.',
    setup: deciding(asLines),
  },
  {
    id: 'streams/at-once',
    about: 'Sends a stream in one part with a content length.',
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
    about: 'Answers streaming calls with a plain response.',
    warns: ['streams/in-parts'],
    setup: deciding(() => ({ wantsStream: () => false })),
  },
  {
    id: 'streams/array',
    about: 'Sends the streams of family C as a JSON array, and their errors as plain responses.',
    setup: arrays((answer) => answer),
  },
  {
    id: 'streams/array-of-errors',
    about: 'Sends the streams of family C as a JSON array, and their errors in an array too.',
    warns: ['model-error/streamed'],
    setup: arrays((answer) =>
      answer.content.kind === 'json'
        ? withContent(answer, { kind: 'json', value: [answer.content.value] })
        : answer,
    ),
  },
  {
    id: 'streams/array-that-ends-in-an-error',
    about: 'Sends the streams of family C as a JSON array, and an error as its last item after a 200.',
    warns: inStreamWarns,
    setup: arrays((answer, ctx) => {
      if (isAuthFailure(ctx) || answer.content.kind !== 'json') return answer;
      const items = [{ candidates: [] }, answer.content.value];
      return withStatus(withContent(answer, { kind: 'json', value: items }), 200);
    }),
  },
  {
    id: 'streams/errors-framed',
    about: 'Sends errors of streaming calls with their status and the body in the form of an event.',
    warns: ['model-error/streamed'],
    setup: deciding(
      failing((answer) =>
        withContent(answer, textContent('text/event-stream', `event: error\ndata: ${textOf(answer)}\n\n`)),
      ),
    ),
  },
  {
    id: 'streams/errors-without-body',
    about: 'Sends errors of streaming calls with their status and no body.',
    warns: ['model-error/streamed'],
    setup: deciding(failing((answer) => withContent(answer, { kind: 'nothing' }))),
  },
  {
    id: 'streams/errors-as-events',
    about: 'Reports errors as an event named `error` in a stream that started with 200.',
    warns: inStreamWarns,
    setup: deciding(inStream((text) => `: open\n\nevent: error\ndata: ${text}\n\n`)),
  },
  {
    id: 'streams/errors-as-data',
    about: 'Reports errors as an unnamed event in a stream that started with 200, followed by `[DONE]`.',
    warns: inStreamWarns,
    setup: deciding(inStream((text) => `data: ${text}\r\n\r\ndata: [DONE]\r\n\r\n`)),
  },
  {
    id: 'streams/errors-after-a-start',
    about: 'Starts a stream with a normal event, and then reports the error in the form of the protocol.',
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
    about: 'Sends a stream as JSON, one value per line, and an error as one of them.',
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
    about: 'Answers invalid streaming calls with 200 and a plain error body.',
    warns: inStreamWarns,
    setup: deciding(failing((answer, ctx) => (isAuthFailure(ctx) ? answer : withStatus(answer, 200)))),
  },
];
