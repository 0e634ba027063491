import { randomUUID } from 'node:crypto';
import { answerPrompt, countAnswer, countTokens as tokensIn } from '../answers/answer.ts';
import { readPrompt } from '../answers/prompts/index.ts';
import { isObject, objectsIn } from '../json.ts';
import { type CompletedCall, protocolOf } from './context.ts';
import type { Decisions } from './decisions.ts';
import type { Model } from './seed.ts';
import { addRecord, chargeAccount } from './state.ts';
import { type Responder, succeed } from './successes.ts';

/** Calls the model, charges the account and adds a request record. */
export const callModel: Responder = (ctx, decide) => {
  const { operation, modelId = 'unknown' } = ctx;
  const model: Model = ctx.model ?? { id: modelId, protocols: [], images: true };
  const answer = decide.createAnswer(model, ctx);
  const usage = { input: decide.countInputTokens(ctx), output: countAnswer(answer).output };
  const cost = decide.costOf(usage, ctx);
  const id = decide.createRecordId(ctx);
  const call: CompletedCall = { id, model: model.id, answer, usage, cost, createdAt: ctx.now };
  const account = ctx.key?.account;
  // A fault may accept a request without a key. Such a request has no account to charge.
  if (operation && account !== undefined) {
    chargeAccount(ctx.state, account, cost);
    addRecord(ctx.state, {
      id,
      account,
      operation: operation.id,
      model: model.id,
      usage,
      cost,
      createdAt: ctx.now,
    });
  }
  const headers = decide.listSuccessHeaders(call, ctx);
  const content = ctx.streamed
    ? ({ kind: 'events', events: decide.callEvents(call, ctx) } as const)
    : ({ kind: 'json', value: decide.callBody(call, ctx) } as const);
  return { kind: 'response', response: { status: 200, headers, content }, call };
};

export const countTokens: Responder = (ctx, decide) =>
  succeed(decide.createTokenCountBody(decide.countInputTokens(ctx), ctx), ctx, decide);

/** Decisions about model calls. The specification shows neither tokens nor prices, which are live data (9). */
export const modelCalls = {
  createRecordId: () => randomUUID(),

  /** The specification leaves to the models what they answer. */
  createAnswer: (model, ctx) => answerPrompt(readPrompt(protocolOf(ctx), ctx.body), model.id),

  countInputTokens(ctx) {
    if (!isObject(ctx.body)) return 1;
    const { messages, input, contents, system, instructions } = ctx.body;
    let length = lengthOf(input) + lengthOf(system) + lengthOf(instructions);
    for (const part of objectsIn([messages, input, contents, system]))
      length += lengthOf(part.text) + lengthOf(part.content);
    return tokensIn(length);
  },

  /** Returns the price in credits: one credit for each token of input and output. */
  costOf: (usage) => usage.input + usage.output,
} satisfies Partial<Decisions>;

const lengthOf = (value: unknown): number => (typeof value === 'string' ? value.length : 0);
