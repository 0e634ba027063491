import { createAnswerBody, createAnswerEvents } from '../answers/payloads.ts';
import type { Json } from '../json.ts';
import type { Header } from '../wire/response.ts';
import { type Context, type OperationResult, protocolOf } from './context.ts';
import type { Decisions } from './decisions.ts';
import type { RequestRecord } from './state.ts';

/** Responds to a request that passed all checks, or finds a failure that they did not find. */
export type Responder = (ctx: Context, decide: Decisions) => OperationResult;

/** Returns the successful response of an operation that calls no model. */
export const succeed = (value: Json, ctx: Context, decide: Decisions): OperationResult => ({
  kind: 'response',
  response: {
    status: 200,
    headers: decide.listSuccessHeaders(undefined, ctx),
    content: { kind: 'json', value },
  },
  call: undefined,
});

/** Decisions about successful responses. The specification does not show their bodies (2.4, 4). */
export const successes = {
  /** Returns the trace ID and, after a model call, the ID of the request record. */
  listSuccessHeaders(call, ctx) {
    const trace: Header = ['x-trace-id', ctx.traceId];
    // The OpenAI SDK reads `x-request-id`, and the Anthropic SDK reads `request-id`.
    return call ? [trace, ['x-request-id', call.id], ['request-id', call.id]] : [trace];
  },

  callBody: (call, ctx) => createAnswerBody(protocolOf(ctx), call, ctx.body),

  callEvents: (call, ctx) => createAnswerEvents(protocolOf(ctx), call, ctx.body),

  createTokenCountBody: (tokens, ctx): Json =>
    ctx.family === 'C' ? { totalTokens: tokens } : { input_tokens: tokens },

  createBalanceBody: (account) => ({ object: 'balance', balance: account.balance, unit: 'credits' }),

  /** Returns the totals of all records, and the last 100 records in reverse order. */
  createUsageBody(records) {
    const sum = (part: (record: RequestRecord) => number): number =>
      records.reduce((total, record) => total + part(record), 0);
    return {
      object: 'usage',
      requests: records.length,
      input_tokens: sum((record) => record.usage.input),
      output_tokens: sum((record) => record.usage.output),
      cost: sum((record) => record.cost),
      unit: 'credits',
      records: records.slice(-100).reverse().map(createRecordBody),
    };
  },

  recordBody: createRecordBody,
} satisfies Partial<Decisions>;

function createRecordBody(record: RequestRecord): Json {
  return {
    object: 'request_record',
    request_id: record.id,
    operation: record.operation,
    model: record.model,
    input_tokens: record.usage.input,
    output_tokens: record.usage.output,
    cost: record.cost,
    created_at: Math.floor(record.createdAt / 1000),
  };
}
