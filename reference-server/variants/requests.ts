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
    about: 'Accepts null as the content of a chat message.',
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
    about: 'Refuses text parts as the content of a chat message.',
    setup: deciding(refusingChat(parts)),
  },
  {
    id: 'requests/empty-messages-refused',
    about: 'Refuses a chat body without any message.',
    setup: deciding(refusingChat(emptyMessages)),
  },
  {
    id: 'requests/unknown-role-refused',
    about: 'Refuses a chat message with an unknown role.',
    setup: deciding(refusingChat(unknownRole)),
  },
  {
    id: 'requests/strict',
    about: 'Refuses everything in bodies that the specification leaves open, such as unknown members.',
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
    about: 'Validates only chat bodies, and accepts any JSON in other bodies.',
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
    about: 'Answers a missing, empty or non-string model with the type `model_not_available`.',
    setup: deciding((base) => ({
      typeOf: (failure, ctx) =>
        failure.kind === 'invalid-body' && failure.place === 'model'
          ? 'model_not_available'
          : base.typeOf(failure, ctx),
    })),
  },
  {
    id: 'requests/content-type-required-415',
    about: 'Refuses a body with 415 if its content type is not JSON.',
    setup: deciding(refusingContentTypes(415)),
  },
  {
    id: 'requests/content-type-required-400',
    about: 'Refuses a body with 400 if its content type is not JSON.',
    setup: deciding(refusingContentTypes(400)),
  },
  {
    id: 'requests/content-type-refused-by-a-page',
    about: 'Refuses a body with 415 and the HTML page of a web framework if its content type is not JSON.',
    warns: ['model-error/other-statuses'],
    setup: deciding(refusingContentTypes(415, '<h1>Unsupported Media Type</h1>')),
  },
  {
    id: 'requests/unknown-role-is-422',
    about:
      'Answers unknown roles and empty `messages` on chat with 422 and the error body of a validation library.',
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
    about: 'Answers an unknown role on chat with an internal error in the form of section 2.2.',
    setup: deciding((base) => ({
      finish: (answer, ctx) =>
        ctx.operation?.id === 'chat' && !ctx.failure && unknownRole(ctx.body)
          ? refusal({ kind: 'internal' }, ctx, base)
          : answer,
    })),
  },
  {
    id: 'requests/extra-members-forbidden-in-messages',
    about: 'Refuses a chat message with members other than `role` and `content`.',
    setup: deciding(
      refusingChat((body) => {
        const at = messagesOf(body).findIndex((message) => Object.keys(message).length > 2);
        return at < 0 ? undefined : { place: `messages[${at}]`, expected: 'an object of two members' };
      }),
    ),
  },
  {
    id: 'requests/user-agent-required',
    about: 'Requires the headers `user-agent` and `accept`.',
    setup: deciding((base) => ({
      finish: (answer, ctx) => {
        const { accept, 'user-agent': agent } = ctx.request.headers;
        if (ctx.failure || (agent && accept?.includes('application/json'))) return answer;
        return badRequest(agent ? 'accept' : 'user-agent', 'sent', ctx, base);
      },
    })),
  },
];
