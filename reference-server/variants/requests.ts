import { readLenientJson } from '../../common/lenient-json.ts';
import { withDecisions } from '../combine-setups.ts';
import type { Context } from '../gateway/context.ts';
import type { Overrides } from '../gateway/decisions.ts';
import { isObject } from '../json.ts';
import type { BodyProblem } from '../schemas.ts';
import { refuseRequest } from './responses.ts';
import type { Variant } from './variant.ts';

const messagesOf = (body: unknown): readonly Record<string, unknown>[] =>
  isObject(body) && Array.isArray(body.messages) ? body.messages.filter(isObject) : [];

const refuseChatBodies =
  (find: (body: unknown, ctx: Context) => BodyProblem | undefined): Overrides =>
  (base) => ({
    findBodyProblem: (body, ctx) =>
      base.findBodyProblem(body, ctx) ?? (ctx.operation?.id === 'chat' ? find(body, ctx) : undefined),
  });

const knownMembers: Readonly<Record<string, readonly string[]>> = {
  chat: ['model', 'messages', 'stream'],
  responses: ['model', 'input', 'stream'],
  messages: ['model', 'messages', 'max_tokens', 'stream'],
  generate: ['contents'],
};

/** Finds the first member of a body that is not in `knownMembers`; undefined if no such member exists. */
export const findUnknownMember = (body: unknown, { operation }: Context): BodyProblem | undefined => {
  const known = knownMembers[operation?.protocol ?? ''] ?? [];
  const place = isObject(body) ? Object.keys(body).find((name) => !known.includes(name)) : undefined;
  return place === undefined ? undefined : { place, expected: 'omitted, since the member is unknown' };
};

const findEmptyMessages = (body: unknown): BodyProblem | undefined =>
  isObject(body) && Array.isArray(body.messages) && body.messages.length === 0
    ? { place: 'messages', expected: 'not empty' }
    : undefined;

const findUnknownRole = (body: unknown): BodyProblem | undefined => {
  const roles: readonly unknown[] = ['system', 'developer', 'user', 'assistant', 'tool'];
  const at = messagesOf(body).findIndex(({ role }) => !roles.includes(role));
  return at < 0 ? undefined : { place: `messages[${at}].role`, expected: 'a known role' };
};

const findParts = (body: unknown): BodyProblem | undefined => {
  const at = messagesOf(body).findIndex(({ content }) => Array.isArray(content));
  return at < 0 ? undefined : { place: `messages[${at}].content`, expected: 'a string' };
};

/** Variants of the validation of requests: section 4 leaves these choices open. */
export const requestVariants: readonly Variant[] = [
  {
    id: 'requests/parts-refused',
    about: 'Rejects an array of parts as the content of a chat message.',
    setup: withDecisions(refuseChatBodies(findParts)),
  },
  {
    id: 'requests/empty-messages-refused',
    about: 'Rejects a chat body without any message.',
    setup: withDecisions(refuseChatBodies(findEmptyMessages)),
  },
  {
    id: 'requests/unknown-role-refused',
    about: 'Rejects a chat message with an unknown role.',
    setup: withDecisions(refuseChatBodies(findUnknownRole)),
  },
  {
    id: 'requests/strict',
    about:
      'Rejects unknown members of bodies, and empty `messages`, unknown roles and arrays of parts on `chat`.',
    setup: withDecisions((base) => ({
      findBodyProblem: (body, ctx) =>
        base.findBodyProblem(body, ctx) ??
        findUnknownMember(body, ctx) ??
        (ctx.operation?.id === 'chat'
          ? (findEmptyMessages(body) ?? findUnknownRole(body) ?? findParts(body))
          : undefined),
    })),
  },
  {
    id: 'requests/unvalidated-elsewhere',
    about: 'Validates only chat bodies, and accepts any JSON and empty bodies for other operations.',
    warns: [
      'responses/body',
      'messages/body',
      'generate/body',
      'requests/empty-body',
      'requests/body-object',
    ],
    setup: withDecisions((base) => ({
      findBodyProblem: (body, ctx) =>
        ctx.operation?.protocol === 'chat' ? base.findBodyProblem(body, ctx) : undefined,
      parseBody: (bytes, ctx) =>
        bytes.length === 0 && ctx.operation?.protocol !== 'chat' ? { value: {} } : base.parseBody(bytes, ctx),
    })),
  },
  {
    id: 'requests/unknown-role-is-422',
    about:
      'Responds to unknown roles and empty `messages` on `chat` with 422 and the error body of a validation library.',
    setup: withDecisions(() => ({
      finish: (response, ctx) =>
        ctx.operation?.id === 'chat' &&
        !ctx.failure &&
        (findUnknownRole(ctx.body) ?? findEmptyMessages(ctx.body))
          ? {
              ...response,
              status: 422,
              content: { kind: 'json', value: { detail: [{ loc: ['body', 'messages'], msg: 'bad value' }] } },
            }
          : response,
    })),
  },
  {
    id: 'requests/unknown-role-is-an-internal-error',
    about: 'Responds to an unknown role on `chat` with an internal error and the error body of section 2.2.',
    setup: withDecisions((base) => ({
      finish: (response, ctx) =>
        ctx.operation?.id === 'chat' && !ctx.failure && findUnknownRole(ctx.body)
          ? refuseRequest({ kind: 'internal' }, ctx, base)
          : response,
    })),
  },
  {
    id: 'requests/extra-members-forbidden-in-messages',
    about: 'Rejects a chat message with members other than `role` and `content`.',
    setup: withDecisions(
      refuseChatBodies((body) => {
        const at = messagesOf(body).findIndex((message) => Object.keys(message).length > 2);
        return at < 0 ? undefined : { place: `messages[${at}]`, expected: 'an object of two members' };
      }),
    ),
  },
  {
    id: 'requests/user-messages-only',
    about: 'Rejects `system` messages on `chat`, and chat bodies with more than 20 messages.',
    setup: withDecisions(
      refuseChatBodies((body) =>
        messagesOf(body).length > 20 || messagesOf(body).some(({ role }) => role === 'system')
          ? { place: 'messages', expected: 'a shorter array without `system`' }
          : undefined,
      ),
    ),
  },
  {
    id: 'requests/byte-order-mark-ignored',
    about: 'Ignores a byte order mark before the body, as RFC 8259 allows.',
    setup: withDecisions((base) => ({
      parseBody: (bytes, ctx) =>
        base.parseBody(bytes[0] === 0xef && bytes[1] === 0xbb ? bytes.subarray(3) : bytes, ctx),
    })),
  },
  {
    id: 'requests/lenient-json',
    about:
      'Reads bodies as the most lenient parsers do: in UTF-16 or with bytes that are not UTF-8, and with comments, single quotes, trailing commas, NaN, control characters in strings, and text after the JSON value.',
    setup: withDecisions((base) => ({
      parseBody: (bytes, ctx) => {
        const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8';
        const parsed =
          bytes.length === 0 ? undefined : readLenientJson(new TextDecoder(encoding).decode(bytes));
        return parsed ?? base.parseBody(bytes, ctx);
      },
    })),
  },
  {
    id: 'requests/large-body-413',
    about:
      'Responds with 413 to bodies of more than 64 KiB and to bodies that begin with eight nested arrays.',
    setup: withDecisions((base) => ({
      bodyLimit: () => 65_536,
      parseBody: (bytes, ctx) =>
        Buffer.from(bytes).toString().startsWith('[[[[[[[[')
          ? { failure: { kind: 'body-too-large', limit: 1000 } }
          : base.parseBody(bytes, ctx),
    })),
  },
  {
    id: 'requests/model-ids-of-a-form',
    about:
      'Rejects a model ID with a quotation mark, a character other than printable ASCII, or more than 200 characters as an invalid request.',
    setup: withDecisions((base) => ({
      findBodyProblem: (body, ctx) =>
        base.findBodyProblem(body, ctx) ??
        (/"|[^ -~]|.{201}/.test(base.modelIdOf(ctx) ?? '')
          ? { place: 'model', expected: 'a model ID' }
          : undefined),
    })),
  },
];
