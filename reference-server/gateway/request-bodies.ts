import { isUtf8 } from 'node:buffer';
import { isObject } from '../json.ts';
import { type BodyProblem, findSchemaProblem } from '../schemas.ts';
import type { Context } from './context.ts';
import type { Decisions } from './decisions.ts';

/** Decisions about bodies of requests (4 rules 1, 2 and 6). */
export const requestBodies = {
  // The specification states no limit (8).
  bodyLimit: () => 4 * 1024 * 1024,

  /**
   * Parses a body. Returns a failure if the body is empty or is not valid JSON in UTF-8 (4 rule 1, 7.1 "invalid
   * interface format").
   */
  parseBody(bytes) {
    if (bytes.length === 0) return { failure: { kind: 'unparseable-body', reason: 'the body is empty' } };
    try {
      const value: unknown = JSON.parse(decode(bytes));
      return { value };
    } catch {
      // The message of the parser quotes the body, which may contain secrets.
      return { failure: { kind: 'unparseable-body', reason: 'the body is not valid JSON' } };
    }
  },

  /** The schemas in `specs/schemas/` define the form of a call (4 rule 2). A billing-type body is any object. */
  findBodyProblem(body, ctx) {
    const protocol = ctx.operation?.protocol;
    if (protocol === undefined) return isObject(body) ? undefined : { place: 'body', expected: 'an object' };
    const problem = findSchemaProblem(`${protocol}-request`, simplifyBody(body, ctx));
    if (problem) return problem;
    if (!isObject(body)) return undefined;
    return protocol === 'responses' ? findItemProblem(body.input, 'input') : findPartProblem(body.messages);
  },

  /** By the operation, or by the stream parameter of the profile, since the specification doesn't show it (4 rule 6). */
  isStreamRequested(ctx) {
    if (ctx.operation?.streams === 'always') return true;
    return (
      ctx.operation?.streams === 'parameter' &&
      isObject(ctx.body) &&
      ctx.body[ctx.profile.stream.parameter] === true
    );
  },
} satisfies Partial<Decisions>;

// A byte order mark is not removed. A body that begins with a byte order mark is therefore not valid JSON.
function decode(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw new Error('not UTF-8');
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
}

// The schemas describe the simplest body. Three other forms are valid too. The content of a chat message can be an array
// of parts instead of a string, since an image needs parts (4 rule 5). An answer that calls tools needs no content. A request to count the tokens of messages needs
// no `max_tokens`.
function simplifyBody(body: unknown, ctx: Context): unknown {
  if (!isObject(body)) return body;
  if (ctx.operation?.protocol === 'chat' && Array.isArray(body.messages)) {
    const shown = (message: unknown): unknown =>
      isObject(message) && (Array.isArray(message.content) || callsTools(message))
        ? { ...message, content: '' }
        : message;
    return { ...body, messages: body.messages.map(shown) };
  }
  return ctx.operation?.id === 'countMessageTokens' ? { max_tokens: 1, ...body } : body;
}

/** Whether a message of a conversation is an answer that called tools. */
const callsTools = ({ role, content, tool_calls: calls }: Record<string, unknown>): boolean =>
  role === 'assistant' && (content ?? null) === null && Array.isArray(calls) && calls.length > 0;

function findPartProblem(messages: unknown): BodyProblem | undefined {
  if (!Array.isArray(messages)) return undefined;
  for (const [index, message] of messages.entries()) {
    const problem = isObject(message)
      ? findItemProblem(message.content, `messages[${index}].content`)
      : undefined;
    if (problem) return problem;
  }
  return undefined;
}

function findItemProblem(items: unknown, place: string): BodyProblem | undefined {
  if (!Array.isArray(items)) return undefined;
  const index = items.findIndex((item) => !isObject(item));
  return index < 0 ? undefined : { place: `${place}[${index}]`, expected: 'an object' };
}
