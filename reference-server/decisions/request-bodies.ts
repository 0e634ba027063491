import { isUtf8 } from 'node:buffer';
import type { Context } from '../gateway/context.ts';
import type { RequestFailure } from '../gateway/request-failure.ts';
import { type BodyProblem, findSchemaProblem } from '../gateway/schemas.ts';
import { isObject } from '../json.ts';

/** Returns the size of the largest accepted body, in bytes. */
export function bodyLimit(_ctx: Context): number {
  return 4 * 1024 * 1024;
}

/**
 * Parses a body. Returns a failure if the body is empty or is not valid JSON in UTF-8 (4 rule 1, 7.1 "invalid interface
 * format").
 */
export function parseBody(
  bytes: Uint8Array,
  _ctx: Context,
): { readonly value: unknown } | { readonly failure: RequestFailure } {
  if (bytes.length === 0) return { failure: { kind: 'unparseable-body', reason: 'the body is empty' } };
  try {
    const value: unknown = JSON.parse(decode(bytes));
    return { value };
  } catch {
    // The message of the parser quotes the body, which may contain secrets.
    return { failure: { kind: 'unparseable-body', reason: 'the body is not valid JSON' } };
  }
}

// A byte order mark is not removed. A body that begins with a byte order mark is therefore not valid JSON.
function decode(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw new Error('not UTF-8');
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
}

/** Finds one problem in the form of a body; undefined if the body is valid. */
export function findBodyProblem(body: unknown, ctx: Context): BodyProblem | undefined {
  const protocol = ctx.operation?.protocol;
  if (protocol === undefined) return isObject(body) ? undefined : { place: 'body', expected: 'an object' };
  const problem = findSchemaProblem(protocol, simplifyBody(body, ctx));
  if (problem) return problem;
  if (!isObject(body)) return undefined;
  return protocol === 'responses' ? findItemProblem(body.input, 'input') : findPartProblem(body.messages);
}

// The schemas describe the simplest body. Two other forms are valid too. The content of a chat message can be an array
// of parts instead of a string, since an image needs parts (4 rule 5). A request to count the tokens of messages needs
// no `max_tokens`.
function simplifyBody(body: unknown, ctx: Context): unknown {
  if (!isObject(body)) return body;
  if (ctx.operation?.protocol === 'chat' && Array.isArray(body.messages)) {
    const shown = (message: unknown): unknown =>
      isObject(message) && Array.isArray(message.content) ? { ...message, content: '' } : message;
    return { ...body, messages: body.messages.map(shown) };
  }
  return ctx.operation?.id === 'countMessageTokens' ? { max_tokens: 1, ...body } : body;
}

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

/** Whether the request asks for a stream, by its operation or by the stream parameter of the profile. */
export function isStreamRequested(ctx: Context): boolean {
  if (ctx.operation?.streams === 'always') return true;
  return (
    ctx.operation?.streams === 'parameter' &&
    isObject(ctx.body) &&
    ctx.body[ctx.profile.stream.parameter] === true
  );
}
