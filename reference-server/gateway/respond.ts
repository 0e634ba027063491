import type { Decisions } from '../decisions/index.ts';
import { tokensIn } from '../decisions/model-calls.ts';
import type { Json } from '../json.ts';
import type { CompletedCall, Context } from './context.ts';
import type { OperationResult } from './operation-result.ts';
import type { GatewayOperationId } from './operations.ts';
import type { RequestFailure } from './request-failure.ts';
import type { Model } from './seed.ts';
import { addRecord, chargeAccount } from './state.ts';

type Responder = (ctx: Context, decide: Decisions) => OperationResult;

const refuse = (failure: RequestFailure): OperationResult => ({ kind: 'refused', failure });

const succeed = (value: Json, ctx: Context, decide: Decisions): OperationResult => ({
  kind: 'response',
  response: {
    status: 200,
    headers: decide.listSuccessHeaders(undefined, ctx),
    content: { kind: 'json', value },
  },
  call: undefined,
});

function callModel(ctx: Context, decide: Decisions): OperationResult {
  const { operation, modelId = 'unknown' } = ctx;
  const model: Model = ctx.model ?? { id: modelId, protocols: [], images: true };
  const text = decide.createReplyText(model, ctx);
  const usage = { input: decide.countInputTokens(ctx), output: tokensIn(text.length) };
  const cost = decide.costOf(usage, ctx);
  const modelCall: CompletedCall = {
    id: decide.createRecordId(ctx),
    model: model.id,
    text,
    usage,
    cost,
    createdAt: ctx.now,
  };
  const account = ctx.key?.account;
  // A fault may accept a request without a key. Such a request has no account to charge.
  if (operation && account !== undefined) {
    chargeAccount(ctx.state, account, cost);
    addRecord(ctx.state, {
      id: modelCall.id,
      account,
      operation: operation.id,
      model: model.id,
      usage,
      cost,
      createdAt: ctx.now,
    });
  }
  const headers = decide.listSuccessHeaders(modelCall, ctx);
  const content = ctx.streamed
    ? ({ kind: 'events', events: decide.callEvents(modelCall, ctx) } as const)
    : ({ kind: 'json', value: decide.callBody(modelCall, ctx) } as const);
  return { kind: 'response', response: { status: 200, headers, content }, call: modelCall };
}

const countTokens: Responder = (ctx, decide) =>
  succeed(decide.createTokenCountBody(decide.countInputTokens(ctx), ctx), ctx, decide);

const respondWithModel =
  (entry: (decide: Decisions) => Decisions['createModelEntry']): Responder =>
  (ctx, decide) => {
    const id = decide.modelIdOf(ctx) ?? '';
    const model = decide.listModels(ctx).find((listed) => listed.id === id);
    return model
      ? succeed(entry(decide)(model, ctx), ctx, decide)
      : refuse({ kind: 'unknown-model', model: id });
  };

function respondWithBalance(ctx: Context, decide: Decisions): OperationResult {
  const account = ctx.state.accounts.get(ctx.key?.account ?? '');
  return account
    ? succeed(decide.createBalanceBody(account, ctx), ctx, decide)
    : refuse({ kind: 'internal' });
}

function respondWithUsage(ctx: Context, decide: Decisions): OperationResult {
  const times: number[] = [];
  for (const name of ['start', 'end']) {
    const text = decide.parameterOf(name, ctx);
    const time = text === undefined ? undefined : decide.timeOf(text, ctx);
    if (time === undefined) {
      const expected = `present, and a time (${ctx.profile.timeFormat})`;
      return refuse({ kind: 'invalid-parameter', name: decide.formatParameterName(name, ctx), expected });
    }
    times.push(time);
  }
  const [start = 0, end = 0] = times;
  if (!decide.isRange(start, end, ctx)) {
    const expected = `no later than \`${decide.formatParameterName('end', ctx)}\``;
    return refuse({ kind: 'invalid-parameter', name: decide.formatParameterName('start', ctx), expected });
  }
  const records = ctx.state.records.filter(
    (record) => decide.mayRead(record, ctx) && record.createdAt >= start && record.createdAt <= end,
  );
  return succeed(decide.createUsageBody(records, ctx), ctx, decide);
}

function respondWithRecord(ctx: Context, decide: Decisions): OperationResult {
  const id = decide.parameterOf('request_id', ctx);
  if (id === undefined || !decide.isRequestId(id, ctx)) {
    const name = decide.formatParameterName('request_id', ctx);
    return refuse({ kind: 'invalid-parameter', name, expected: 'present, and a UUID' });
  }
  const found = decide.findRecord(id, ctx);
  // 7.2: The response is the same for a record that does not exist and for a record of another account, so that clients
  // cannot find out which IDs exist.
  if (!found || !decide.mayRead(found, ctx)) return refuse({ kind: 'unknown-record' });
  return succeed(decide.recordBody(found, ctx), ctx, decide);
}

const responders: Readonly<Record<GatewayOperationId, Responder>> = {
  chat: callModel,
  responses: callModel,
  messages: callModel,
  generate: callModel,
  streamGenerate: callModel,
  countMessageTokens: countTokens,
  countContentTokens: countTokens,
  models: (ctx, decide) => {
    const entries = decide.listModels(ctx).map((model) => decide.createModelEntry(model, ctx));
    return succeed(decide.createModelList(entries, ctx), ctx, decide);
  },
  model: respondWithModel((decide) => decide.createModelEntry),
  nativeModels: (ctx, decide) => {
    const entries = decide.listModels(ctx).map((model) => decide.createNativeModelEntry(model, ctx));
    return succeed(decide.createNativeModelList(entries, ctx), ctx, decide);
  },
  nativeModel: respondWithModel((decide) => decide.createNativeModelEntry),
  balance: respondWithBalance,
  usage: respondWithUsage,
  record: respondWithRecord,
  // After its checks, this operation always fails with 500, so that the suite can check the form of an internal error
  // (7.2).
  internalError: () => refuse({ kind: 'internal' }),
};

/**
 * Returns the response to a request that passed all checks, or the failure for which the operation refuses the
 * request. A model call is charged and recorded.
 */
export function respond(operation: GatewayOperationId, ctx: Context, decide: Decisions): OperationResult {
  return responders[operation](ctx, decide);
}
