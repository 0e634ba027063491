import { readMember } from '../../common/pointer.ts';
import { withDecisions } from '../combine-setups.ts';
import type { Context } from '../gateway/context.ts';
import type { Overrides } from '../gateway/decisions.ts';
import type { Json } from '../json.ts';
import type { Reply } from '../wire/response.ts';
import { createTextContent, isAuthFailure, withContent, withStatus } from './responses.ts';
import { sendAsLines } from './streams.ts';
import type { Variant } from './variant.ts';

/** Returns the JSON text of a body, or an empty string if the body is not JSON. */
const textOf = ({ content }: Reply): string => (content.kind === 'json' ? JSON.stringify(content.value) : '');

/** Returns `error.type` of a JSON error body. */
const typeIn = ({ content }: Reply): string =>
  content.kind === 'json' ? String(readMember(content.value, '/error/type')) : '';

// The credential is checked before the body is parsed. Until the body is parsed, only the header `accept` shows that
// a stream is requested.
const asksForStream = ({ streamed, request: { headers } }: Context): boolean =>
  streamed || headers.accept?.includes('text/event-stream') === true;

const changeErrors =
  (change: (response: Reply, ctx: Context) => Reply): Overrides =>
  () => ({
    finish: (response, ctx) => (asksForStream(ctx) && ctx.failure ? change(response, ctx) : response),
  });

/**
 * Responds to rejected streamed calls with 200 and the stream that `events` returns, except for authentication errors.
 * `events` gets the JSON text of the error body.
 */
export const reportInStream = (events: (text: string, ctx: Context) => string): Overrides =>
  changeErrors((response, ctx) =>
    isAuthFailure(ctx)
      ? response
      : withStatus(
          withContent(response, createTextContent('text/event-stream', events(textOf(response), ctx))),
          200,
        ),
  );

/** The requirement that a gateway violates with an error in a stream that started with 200. */
export const reportInStreamWarnings = ['streams/error-before-start'];

/** Creates a variant. `about` omits the exception for authentication errors, and the period at the end. */
const reportError = (id: string, about: string, name: string, data: Json): Variant => ({
  id,
  about: `${about}, except for authentication errors.`,
  warns: reportInStreamWarnings,
  setup: withDecisions(reportInStream(() => `${name}data: ${JSON.stringify(data)}\n\ndata: [DONE]\n\n`)),
});

/** Variants of the form of errors of streamed calls: 7.3 rule 4 leaves these choices open. */
export const streamErrorVariants: readonly Variant[] = [
  reportError('streams/errors-in-a-choice', 'Reports errors in the choice of a stream chunk', '', {
    choices: [{ index: 0, delta: {}, error: { code: 400, message: 'No.' } }],
  }),
  reportError(
    'streams/errors-as-an-end',
    'Reports errors as the finish reason of the last stream chunk',
    '',
    {
      choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error' }],
    },
  ),
  reportError('streams/errors-bare', 'Reports errors as a stream event with a code and a message', '', {
    code: 'model_not_available',
    message: 'No.',
  }),
  reportError(
    'streams/errors-by-number',
    'Reports errors as a stream event with a status and a message',
    '',
    {
      code: 400,
      message: 'No.',
    },
  ),
  reportError(
    'streams/errors-by-name',
    'Reports errors only by the name of a stream event',
    'event: response.failed\n',
    { reason: 'No.' },
  ),
  reportError(
    'streams/errors-by-prefixed-members',
    'Reports errors inside streams in the format of Baidu',
    '',
    {
      error_code: 336_003,
      error_msg: 'The model does not exist.',
    },
  ),
  reportError(
    'streams/errors-in-a-base-response',
    'Reports errors inside streams in the format of MiniMax',
    '',
    {
      base_resp: { status_code: 2013, status_msg: 'The model does not exist.' },
    },
  ),
  reportError(
    'streams/errors-as-an-exception',
    'Reports errors inside streams in the format of Amazon Bedrock',
    '',
    {
      validationException: { message: 'The model does not exist.' },
    },
  ),
  reportError('streams/errors-in-capitals', 'Reports errors inside streams in the format of Tencent', '', {
    Response: { ErrorMsg: { Msg: 'The model does not exist.', Code: 2001 } },
  }),
  reportError('streams/errors-as-a-list', 'Reports errors inside streams in the format of Cloudflare', '', {
    success: false,
    errors: [{ message: 'The model does not exist.' }],
  }),
  reportError(
    'streams/errors-as-a-block-reason',
    'Reports errors inside streams in the format of Gemini',
    '',
    {
      promptFeedback: { blockReason: 'OTHER' },
    },
  ),
  reportError(
    'streams/errors-as-text',
    'Reports errors as text in a stream event',
    '',
    'Error: No such model.',
  ),
  {
    id: 'streams/errors-framed',
    about: 'Sends errors of streamed calls with their status and an event as the body.',
    warns: ['model-error/streamed'],
    setup: withDecisions(
      changeErrors((response) =>
        withContent(
          response,
          createTextContent('text/event-stream', `event: error\ndata: ${textOf(response)}\n\n`),
        ),
      ),
    ),
  },
  {
    id: 'streams/errors-as-codes',
    about:
      'Sends errors of streamed calls, except for authentication errors, with their status and the type as the top-level member `code`.',
    warns: ['model-error/streamed'],
    setup: withDecisions(
      changeErrors((response, ctx) =>
        isAuthFailure(ctx)
          ? response
          : withContent(response, { kind: 'json', value: { code: typeIn(response), message: 'No.' } }),
      ),
    ),
  },
  {
    id: 'streams/errors-in-other-words',
    about:
      'Sends a type that section 7.1 does not list in errors of streamed calls, except for authentication errors.',
    warns: ['model-error/streamed-type'],
    setup: withDecisions((base) => ({
      errorTypeOf: (failure, ctx) =>
        asksForStream(ctx) && !isAuthFailure({ ...ctx, failure })
          ? `${failure.kind}_error`
          : base.errorTypeOf(failure, ctx),
    })),
  },
  {
    id: 'streams/errors-without-body',
    about: 'Sends errors of streamed calls with their status and no body.',
    warns: ['model-error/streamed'],
    setup: withDecisions(changeErrors((response) => withContent(response, { kind: 'nothing' }))),
  },
  {
    id: 'streams/errors-as-events',
    about:
      'Reports errors as an event named `error` in a stream that started with 200, except for authentication errors.',
    warns: reportInStreamWarnings,
    setup: withDecisions(reportInStream((text) => `: open\n\nevent: error\ndata: ${text}\n\n`)),
  },
  {
    id: 'streams/errors-as-data',
    about:
      'Reports errors except authentication errors as an unnamed event in a stream that started with 200, followed by `[DONE]`.',
    warns: reportInStreamWarnings,
    setup: withDecisions(reportInStream((text) => `data: ${text}\r\n\r\ndata: [DONE]\r\n\r\n`)),
  },
  {
    id: 'streams/errors-after-a-start',
    about:
      'Reports errors as an event after the normal first event of a stream, except for authentication errors.',
    warns: reportInStreamWarnings,
    setup: withDecisions(
      reportInStream((_text, { operation }) => {
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
    about:
      'Sends a stream as JSON, one value per line, and an error except an authentication error as one of the values.',
    warns: reportInStreamWarnings,
    setup: () => ({
      decisions: (base) => ({
        ...sendAsLines(base),
        ...reportInStream((text) => `{"type":"start"}\n${text}\n`)(base),
      }),
    }),
  },
  {
    id: 'streams/errors-as-json',
    about: 'Responds to invalid streamed calls with 200 and an error body, except for authentication errors.',
    warns: reportInStreamWarnings,
    setup: withDecisions(
      changeErrors((response, ctx) => (isAuthFailure(ctx) ? response : withStatus(response, 200))),
    ),
  },
];
