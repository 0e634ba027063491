import { randomUUID } from 'node:crypto';
import type { Context } from '../context.ts';
import { isObject, objectsIn } from '../json.ts';
import type { Model } from '../seed.ts';
import type { Account, Usage } from '../state.ts';

/** A fresh UUID for an exchange; 2.2: in `trace_id` and in `x-trace-id`. */
export function newTraceId(_requestNumber: number): string {
  return randomUUID();
}

/** A fresh UUID for the record that a model call leaves. */
export function newRecordId(_ctx: Context): string {
  return randomUUID();
}

/** Whether an account has credits left for a call. */
export function canPay(account: Account | undefined, _ctx: Context): boolean {
  return account !== undefined && account.balance > 0;
}

/** What a model answers: the same for every request to it. */
export function replyText(model: Model, _ctx: Context): string {
  return `This is ${model.id} of the reference gateway.`;
}

/** The tokens of a text: one for every four characters begun, at least one. */
export function tokensOf(text: string): number {
  return Math.max(1, Math.ceil(text.length / 4));
}

/** The tokens of what a request gives the model to read. */
export function inputTokens(ctx: Context): number {
  if (!isObject(ctx.body)) return 1;
  const { messages, input, contents, system, instructions } = ctx.body;
  const texts = [input, system, instructions].filter((value) => typeof value === 'string');
  for (const part of objectsIn([messages, input, contents, system])) {
    for (const value of [part.text, part.content]) if (typeof value === 'string') texts.push(value);
  }
  return tokensOf(texts.join(''));
}

/** The price of a call in credits: one for each token in and out. */
export function costOf(usage: Usage, _ctx: Context): number {
  return usage.input + usage.output;
}
