import type { Overrides } from '../decisions/index.ts';
import type { Context } from '../gateway/context.ts';
import type { BodyFault } from '../gateway/schemas.ts';
import { isObject } from '../json.ts';
import { badRequest, refusal, textContent, withContent, withStatus } from './answers.ts';
import { deciding, type Variant } from './variant.ts';

const messagesOf = (body: unknown): readonly Record<string, unknown>[] =>
  isObject(body) && Array.isArray(body.messages) ? body.messages.filter(isObject) : [];

/** A gateway that refuses more chat bodies than the conforming one. */
const refusingChat =
  (find: (body: unknown, ctx: Context) => BodyFault | undefined): Overrides =>
  (base) => ({
    bodyFault: (body, ctx) =>
      base.bodyFault(body, ctx) ?? (ctx.operation?.id === 'chat' ? find(body, ctx) : undefined),
  });

const refusingContentTypes =
  (status: number, page?: string): Overrides =>
  (base) => ({
    finish: (answer, ctx) => {
      const sent = ctx.request.headers['content-type']?.split(';')[0];
      if (ctx.operation?.protocol === undefined || ctx.failure || sent === 'application/json') return answer;
      const refused = withStatus(
        refusal({ kind: 'invalid-parameter', name: 'content-type', expected: 'application/json' }, ctx, {
          ...base,
          statusOf: () => status,
        }),
        status,
      );
      return page === undefined ? refused : withContent(refused, textContent('text/html', page));
    },
  });

const knownMembers: Readonly<Record<string, readonly string[]>> = {
  chat: ['model', 'messages', 'stream'],
  responses: ['model', 'input', 'stream'],
  messages: ['model', 'messages', 'max_tokens', 'stream'],
  generate: ['contents'],
};

const unknownMember = (body: unknown, { operation }: Context): BodyFault | undefined => {
  const known = knownMembers[operation?.protocol ?? ''] ?? [];
  const place = isObject(body) ? Object.keys(body).find((name) => !known.includes(name)) : undefined;
  return place === undefined ? undefined : { place, expected: 'left out: it is not known' };
};

const emptyMessages = (body: unknown): BodyFault | undefined =>
  isObject(body) && Array.isArray(body.messages) && body.messages.length === 0
    ? { place: 'messages', expected: 'not empty' }
    : undefined;

const unknownRole = (body: unknown): BodyFault | undefined => {
  const roles: readonly unknown[] = ['system', 'developer', 'user', 'assistant', 'tool'];
  const at = messagesOf(body).findIndex(({ role }) => !roles.includes(role));
  return at < 0 ? undefined : { place: `messages[${at}].role`, expected: 'a known role' };
};

const parts = (body: unknown): BodyFault | undefined => {
  const at = messagesOf(body).findIndex(({ content }) => Array.isArray(content));
  return at < 0 ? undefined : { place: `messages[${at}].content`, expected: 'a string' };
};

/** What section 4 leaves open about request bodies. */
export const requestVariants: readonly Variant[] = [
  {
    id: 'requests/null-content-accepted',
    about: 'A message may have null as its content, as an assistant that called a tool has.',
    setup: deciding((base) => ({
      bodyFault: (body, ctx) => {
        if (ctx.operation?.id !== 'chat' || !isObject(body) || !Array.isArray(body.messages))
          return base.bodyFault(body, ctx);
        const messages = body.messages.map((message: unknown) =>
          isObject(message) && message.content === null ? { ...message, content: '' } : message,
        );
        return base.bodyFault({ ...body, messages }, ctx);
      },
    })),
  },
  {
    id: 'requests/parts-refused',
    about: 'The content of a chat message must be a string; text parts are refused.',
    setup: deciding(refusingChat(parts)),
  },
  {
    id: 'requests/empty-messages-refused',
    about: 'A chat request must have at least one message.',
    setup: deciding(refusingChat(emptyMessages)),
  },
  {
    id: 'requests/unknown-role-refused',
    about: 'A chat message must have one of the known roles.',
    setup: deciding(refusingChat(unknownRole)),
  },
  {
    id: 'requests/strict',
    about:
      'Every member that the documented protocols lack is refused, in every body, with all that is left open.',
    setup: deciding((base) => ({
      bodyFault: (body, ctx) =>
        base.bodyFault(body, ctx) ??
        unknownMember(body, ctx) ??
        (ctx.operation?.id === 'chat'
          ? (emptyMessages(body) ?? unknownRole(body) ?? parts(body))
          : undefined),
    })),
  },
  {
    id: 'requests/unvalidated-elsewhere',
    about: 'Only chat bodies are checked; whatever else is JSON goes to the model as it is.',
    warns: [
      'responses/body',
      'messages/body',
      'generate/body',
      'requests/empty-body',
      'requests/body-object',
    ],
    setup: deciding((base) => ({
      bodyFault: (body, ctx) => (ctx.operation?.protocol === 'chat' ? base.bodyFault(body, ctx) : undefined),
      parseBody: (bytes, ctx) =>
        bytes.length === 0 && ctx.operation?.protocol !== 'chat' ? { value: {} } : base.parseBody(bytes, ctx),
    })),
  },
  {
    id: 'requests/model-fault-is-not-available',
    about: 'A model that is missing, empty or no string counts as one that does not exist.',
    setup: deciding((base) => ({
      typeOf: (failure, ctx) =>
        failure.kind === 'invalid-body' && failure.place === 'model'
          ? 'model_not_available'
          : base.typeOf(failure, ctx),
    })),
  },
  {
    id: 'requests/content-type-required-415',
    about: 'A body under another content type than JSON is refused with 415.',
    setup: deciding(refusingContentTypes(415)),
  },
  {
    id: 'requests/content-type-required-400',
    about: 'A body under another content type than JSON is an invalid request.',
    setup: deciding(refusingContentTypes(400)),
  },
  {
    id: 'requests/content-type-refused-by-a-page',
    about: 'A web framework refuses another content type with 415 and a page of its own.',
    warns: ['model-error/other-statuses'],
    setup: deciding(refusingContentTypes(415, '<h1>Unsupported Media Type</h1>')),
  },
  {
    id: 'requests/unknown-role-is-422',
    about: 'What the specification leaves open is refused with 422 in the words of a validation library.',
    warns: ['model-error/other-statuses'],
    setup: deciding(() => ({
      finish: (answer, ctx) =>
        ctx.operation?.id === 'chat' && !ctx.failure && (unknownRole(ctx.body) ?? emptyMessages(ctx.body))
          ? {
              ...answer,
              status: 422,
              content: { kind: 'json', value: { detail: [{ loc: ['body', 'messages'], msg: 'bad value' }] } },
            }
          : answer,
    })),
  },
  {
    id: 'requests/unknown-role-is-an-internal-error',
    about: 'A role of which the specification does not speak ends in an internal error, in shape.',
    setup: deciding((base) => ({
      finish: (answer, ctx) =>
        ctx.operation?.id === 'chat' && !ctx.failure && unknownRole(ctx.body)
          ? refusal({ kind: 'internal' }, ctx, base)
          : answer,
    })),
  },
  {
    id: 'requests/extra-members-forbidden-in-messages',
    about: 'A chat message may have `role` and `content` and nothing else.',
    setup: deciding(
      refusingChat((body) => {
        const at = messagesOf(body).findIndex((message) => Object.keys(message).length > 2);
        return at < 0 ? undefined : { place: `messages[${at}]`, expected: 'an object of two members' };
      }),
    ),
  },
  {
    id: 'requests/user-agent-required',
    about: 'A request must say who sends it, and that it takes JSON.',
    setup: deciding((base) => ({
      finish: (answer, ctx) => {
        const { accept, 'user-agent': agent } = ctx.request.headers;
        if (ctx.failure || (agent && accept?.includes('application/json'))) return answer;
        return badRequest(agent ? 'accept' : 'user-agent', 'sent', ctx, base);
      },
    })),
  },
];
