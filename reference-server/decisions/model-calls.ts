import { randomUUID } from 'node:crypto';
import type { Context } from '../gateway/context.ts';
import type { Model } from '../gateway/seed.ts';
import type { Usage } from '../gateway/state.ts';
import { isObject, type Json, objectsIn } from '../json.ts';

/** Creates the UUID of the request record of one model call. */
export function createRecordId(_ctx: Context): string {
  return randomUUID();
}

/** Returns the reply of a model, the same for every request. */
export function createReplyText(model: Model, _ctx: Context): string {
  return `This is ${model.id} of the reference gateway.`;
}

/**
 * Returns the number of tokens of a text with this number of characters: one token for every four characters, rounded
 * up, and at least one.
 */
export function tokensIn(length: number): number {
  return Math.max(1, Math.ceil(length / 4));
}

/** Returns the number of input tokens of a request, at least one. */
export function countInputTokens(ctx: Context): number {
  if (!isObject(ctx.body)) return 1;
  const { messages, input, contents, system, instructions } = ctx.body;
  let length = lengthOf(input) + lengthOf(system) + lengthOf(instructions);
  for (const part of objectsIn([messages, input, contents, system]))
    length += lengthOf(part.text) + lengthOf(part.content);
  return tokensIn(length);
}

const lengthOf = (value: unknown): number => (typeof value === 'string' ? value.length : 0);

/** Returns the price of a call in credits: one credit for each token of input and output. */
export function costOf(usage: Usage, _ctx: Context): number {
  return usage.input + usage.output;
}

/** Returns the body of the response to a token count, in the form of the family of the operation. */
export function createTokenCountBody(tokens: number, ctx: Context): Json {
  return ctx.family === 'C' ? { totalTokens: tokens } : { input_tokens: tokens };
}
