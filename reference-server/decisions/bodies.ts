import { isUtf8 } from 'node:buffer';
import type { Context } from '../gateway/context.ts';
import type { Failure } from '../gateway/failure.ts';
import { type BodyFault, schemaFault } from '../gateway/schemas.ts';
import { isObject } from '../json.ts';

/** The largest body that is read, in bytes. */
export function bodyLimit(_ctx: Context): number {
  return 4 * 1024 * 1024;
}

/** The JSON value of a body, or why it has none; 4 rule 1 and 7.1 "invalid interface format". */
export function parseBody(
  bytes: Uint8Array,
  _ctx: Context,
): { readonly value: unknown } | { readonly failure: Failure } {
  if (bytes.length === 0) return { failure: { kind: 'unparseable-body', reason: 'it is empty' } };
  try {
    const value: unknown = JSON.parse(decode(bytes));
    return { value };
  } catch {
    // The parser's own words would quote the body, and with it whatever a client put there.
    return { failure: { kind: 'unparseable-body', reason: 'it is not valid JSON' } };
  }
}

// A mark of the byte order stays, and makes it no JSON.
function decode(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw new Error('not UTF-8');
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
}

/** The first place at which a body breaks the form of its operation; undefined where it breaks none. */
export function bodyFault(body: unknown, ctx: Context): BodyFault | undefined {
  const protocol = ctx.operation?.protocol;
  if (protocol === undefined) return isObject(body) ? undefined : { place: 'body', expected: 'an object' };
  const held = schemaFault(protocol, asShown(body, ctx));
  if (held) return held;
  if (!isObject(body)) return undefined;
  return protocol === 'responses' ? itemFault(body.input, 'input') : partFault(body.messages);
}

// The schemas show the plainest body. Two things beyond it are legal too: parts in place of a text (4 rule 5
// implies them, since an image needs them), and counting tokens without a cap on them.
function asShown(body: unknown, ctx: Context): unknown {
  if (!isObject(body)) return body;
  if (ctx.operation?.protocol === 'chat' && Array.isArray(body.messages)) {
    const shown = (message: unknown): unknown =>
      isObject(message) && Array.isArray(message.content) ? { ...message, content: '' } : message;
    return { ...body, messages: body.messages.map(shown) };
  }
  return ctx.operation?.id === 'countMessageTokens' ? { max_tokens: 1, ...body } : body;
}

function partFault(messages: unknown): BodyFault | undefined {
  if (!Array.isArray(messages)) return undefined;
  for (const [index, message] of messages.entries()) {
    const fault = isObject(message) ? itemFault(message.content, `messages[${index}].content`) : undefined;
    if (fault) return fault;
  }
  return undefined;
}

function itemFault(items: unknown, place: string): BodyFault | undefined {
  if (!Array.isArray(items)) return undefined;
  const index = items.findIndex((item) => !isObject(item));
  return index < 0 ? undefined : { place: `${place}[${index}]`, expected: 'an object' };
}

/** Whether the request asks for a stream, by its operation or by the stream parameter of the profile. */
export function wantsStream(ctx: Context): boolean {
  if (ctx.operation?.streams === 'always') return true;
  return (
    ctx.operation?.streams === 'parameter' &&
    isObject(ctx.body) &&
    ctx.body[ctx.profile.stream.parameter] === true
  );
}
