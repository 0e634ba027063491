import type { Decisions } from '../decisions/index.ts';
import { tokensIn } from '../decisions/usage.ts';
import type { Json } from '../json.ts';
import type { Response } from '../wire/answer.ts';
import type { Call, Context } from './context.ts';
import type { Failure } from './failure.ts';
import type { OperationId } from './operations.ts';
import type { Model } from './seed.ts';
import { addRecord, charge } from './state.ts';

type Responder = (ctx: Context, decide: Decisions) => Response;

const refused = (failure: Failure): Response => ({ kind: 'refused', failure });

const answered = (value: Json, ctx: Context, decide: Decisions): Response => ({
  kind: 'answered',
  answer: { status: 200, headers: decide.successHeaders(undefined, ctx), content: { kind: 'json', value } },
  call: undefined,
});

function call(ctx: Context, decide: Decisions): Response {
  const { operation, modelId = 'unknown' } = ctx;
  const model: Model = ctx.model ?? { id: modelId, protocols: [], images: true };
  const text = decide.replyText(model, ctx);
  const usage = { input: decide.inputTokens(ctx), output: tokensIn(text.length) };
  const made: Call = { id: decide.newRecordId(ctx), model: model.id, text, usage, createdAt: ctx.now };
  const cost = decide.costOf(usage, ctx);
  const account = ctx.key?.account;
  // A gateway that lets callers in without a key has nobody to bill.
  if (operation && account !== undefined) {
    charge(ctx.state, account, cost);
    addRecord(ctx.state, {
      id: made.id,
      account,
      operation: operation.id,
      model: model.id,
      usage,
      cost,
      createdAt: ctx.now,
    });
  }
  const headers = decide.successHeaders(made, ctx);
  const content = ctx.streamed
    ? ({ kind: 'events', events: decide.callEvents(made, ctx) } as const)
    : ({ kind: 'json', value: decide.callBody(made, ctx) } as const);
  return { kind: 'answered', answer: { status: 200, headers, content }, call: made };
}

const countTokens: Responder = (ctx, decide) =>
  answered(decide.tokenCountBody(decide.inputTokens(ctx), ctx), ctx, decide);

const oneModel =
  (entry: (decide: Decisions) => Decisions['modelEntry']): Responder =>
  (ctx, decide) => {
    const id = decide.modelIdOf(ctx) ?? '';
    const model = decide.listedModels(ctx).find((listed) => listed.id === id);
    return model
      ? answered(entry(decide)(model, ctx), ctx, decide)
      : refused({ kind: 'unknown-model', model: id });
  };

function balance(ctx: Context, decide: Decisions): Response {
  const account = ctx.state.accounts.get(ctx.key?.account ?? '');
  return account ? answered(decide.balanceBody(account, ctx), ctx, decide) : refused({ kind: 'internal' });
}

function usage(ctx: Context, decide: Decisions): Response {
  const times: number[] = [];
  for (const name of ['start', 'end']) {
    const text = decide.parameterOf(name, ctx);
    const time = text === undefined ? undefined : decide.timeOf(text, ctx);
    if (time === undefined) {
      const expected = `present, and a time (${ctx.profile.timeFormat})`;
      return refused({ kind: 'invalid-parameter', name: decide.parameterName(name, ctx), expected });
    }
    times.push(time);
  }
  const [start = 0, end = 0] = times;
  if (!decide.isRange(start, end, ctx)) {
    const expected = `no later than \`${decide.parameterName('end', ctx)}\``;
    return refused({ kind: 'invalid-parameter', name: decide.parameterName('start', ctx), expected });
  }
  const records = ctx.state.records.filter(
    (record) => decide.mayRead(record, ctx) && record.createdAt >= start && record.createdAt <= end,
  );
  return answered(decide.usageBody(records, ctx), ctx, decide);
}

function record(ctx: Context, decide: Decisions): Response {
  const id = decide.parameterOf('request_id', ctx);
  if (id === undefined || !decide.isRequestId(id, ctx)) {
    const name = decide.parameterName('request_id', ctx);
    return refused({ kind: 'invalid-parameter', name, expected: 'present, and a UUID' });
  }
  const found = decide.findRecord(id, ctx);
  // 7.2: absent and not accessible are one answer, so that nobody learns which ids exist.
  if (!found || !decide.mayRead(found, ctx)) return refused({ kind: 'unknown-record' });
  return answered(decide.recordBody(found, ctx), ctx, decide);
}

const responders: Readonly<Record<OperationId, Responder>> = {
  chat: call,
  responses: call,
  messages: call,
  generate: call,
  streamGenerate: call,
  countMessageTokens: countTokens,
  countContentTokens: countTokens,
  models: (ctx, decide) => {
    const entries = decide.listedModels(ctx).map((model) => decide.modelEntry(model, ctx));
    return answered(decide.modelList(entries, ctx), ctx, decide);
  },
  model: oneModel((decide) => decide.modelEntry),
  nativeModels: (ctx, decide) => {
    const entries = decide.listedModels(ctx).map((model) => decide.nativeModelEntry(model, ctx));
    return answered(decide.nativeModelList(entries, ctx), ctx, decide);
  },
  nativeModel: oneModel((decide) => decide.nativeModelEntry),
  balance,
  usage,
  record,
  // The request known to answer 500, so that a suite can see the shape of an internal error (7.2).
  internalError: () => refused({ kind: 'internal' }),
};

/** Answers a request to that operation whose checks have passed; a model call is charged and recorded. */
export function respond(operation: OperationId, ctx: Context, decide: Decisions): Response {
  return responders[operation](ctx, decide);
}
