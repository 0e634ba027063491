import type { Context } from '../gateway/context.ts';
import type { Overrides } from '../gateway/decisions.ts';
import { isObject, type Json } from '../json.ts';
import type { NamedChanges } from './named-change.ts';

const messagesIn = (body: unknown): readonly unknown[] =>
  isObject(body) && Array.isArray(body.messages) ? body.messages : [];

/** Validates a body with other messages. */
const validateWith =
  (rewrite: (messages: readonly unknown[]) => readonly unknown[]): Overrides =>
  (base) => ({
    findBodyProblem: (body, ctx) =>
      base.findBodyProblem(
        isObject(body) && Array.isArray(body.messages) ? { ...body, messages: rewrite(body.messages) } : body,
        ctx,
      ),
  });

/** Refuses valid bodies with such messages. */
const refuseMessages =
  (isRefused: (messages: readonly unknown[]) => boolean): Overrides =>
  (base) => ({
    findBodyProblem: (body, ctx) =>
      base.findBodyProblem(body, ctx) ??
      (isRefused(messagesIn(body)) ? { place: 'messages', expected: 'simpler' } : undefined),
  });

function lowerNames(value: unknown): Json {
  const text = JSON.stringify(value, (_, item: unknown) =>
    isObject(item)
      ? Object.fromEntries(Object.entries(item).map(([name, member]) => [name.toLowerCase(), member]))
      : item,
  );
  return JSON.parse(text);
}

const textOf = (messages: readonly unknown[]): string => JSON.stringify(messages);

const fail = (): never => {
  throw new Error('a defect');
};

/** A body that is valid in every protocol. */
const createValidBody = ({ family }: Context): Json => ({
  model: family === 'B' ? 'claude-reference' : 'gpt-reference',
  input: 'hello',
  max_tokens: 1,
  messages: [{ role: 'user', content: 'hello' }],
  contents: [{ parts: [{ text: 'hello' }] }],
});

/** Changes of how bodies are parsed and validated. */
export const bodyChanges: NamedChanges = {
  'any-body': {
    about: 'a body that is not a JSON object is taken for a valid one',
    decisions: (base) => ({
      parseBody: (bytes, ctx) => {
        const parsed = base.parseBody(bytes, ctx);
        return 'value' in parsed && isObject(parsed.value) ? parsed : { value: createValidBody(ctx) };
      },
    }),
  },
  'first-item': {
    about: 'a body that is an array stands for its first item',
    decisions: (base) => ({
      parseBody: (bytes, ctx) => {
        const parsed = base.parseBody(bytes, ctx);
        const items: readonly unknown[] =
          'value' in parsed && Array.isArray(parsed.value) ? parsed.value : [];
        return items[0] === undefined ? parsed : { value: items[0] };
      },
    }),
  },
  'names-in-any-case': {
    about: 'the names of members are read in lower case',
    decisions: (base) => ({
      parseBody: (bytes, ctx) => {
        const parsed = base.parseBody(bytes, ctx);
        return 'value' in parsed ? { value: lowerNames(parsed.value) } : parsed;
      },
    }),
  },
  'not-json': {
    about: 'the body is refused as if it were not JSON',
    decisions: () => ({
      parseBody: () => ({
        failure: { kind: 'unparseable-body', reason: 'the body is not valid JSON' },
      }),
    }),
  },
  'parser-crash': {
    about: 'the parser of bodies throws an error',
    decisions: () => ({ parseBody: fail }),
  },
  'call-crash': {
    about: 'the call of a model throws an error',
    decisions: () => ({ createAnswer: fail }),
  },
  'default-model': {
    about: 'a request without a model calls a default model',
    decisions: (base) => ({ modelIdOf: (ctx) => base.modelIdOf(ctx) || 'gpt-reference' }),
  },
  'complex-messages': {
    about: 'the messages are refused as too complex',
    decisions: refuseMessages(() => true),
  },
  'one-message': {
    about: 'only one message is accepted',
    decisions: refuseMessages(({ length }) => length > 1),
  },
  'basic-plane': {
    about: 'messages are refused if a character takes four bytes in UTF-8',
    decisions: refuseMessages((messages) => /[\u{10000}-\u{10ffff}]/u.test(textOf(messages))),
  },
  'normalized-text': {
    about: 'messages are refused if they are not in Unicode normalization form C',
    decisions: refuseMessages((messages) => textOf(messages) !== textOf(messages).normalize('NFC')),
  },
  'empty-messages': {
    about: 'messages without members are ignored',
    decisions: validateWith((messages) =>
      messages.filter((message) => !isObject(message) || Object.keys(message).length > 0),
    ),
  },
  'system-content': {
    about: 'the content of system messages is not validated',
    decisions: validateWith((messages) =>
      messages.map((message) =>
        isObject(message) && message.role === 'system' ? { ...message, content: '' } : message,
      ),
    ),
  },
};
