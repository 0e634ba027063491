import type { Context } from '../gateway/context.ts';
import type { Account, RequestRecord } from '../gateway/state.ts';
import type { Json } from '../json.ts';

/** Returns the body of the balance endpoint, with the balance in credits. */
export function createBalanceBody(account: Account, _ctx: Context): Json {
  return { object: 'balance', balance: account.balance, unit: 'credits' };
}

/** Returns the body of the record endpoint. `created_at` is in seconds since 1970-01-01 UTC, `cost` in credits. */
export function recordBody(record: RequestRecord, _ctx: Context): Json {
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

/** Returns the body of the usage endpoint: the totals of all `records`, and the last 100 records in reverse order. */
export function createUsageBody(records: readonly RequestRecord[], ctx: Context): Json {
  const sum = (part: (record: RequestRecord) => number): number =>
    records.reduce((total, record) => total + part(record), 0);
  return {
    object: 'usage',
    requests: records.length,
    input_tokens: sum((record) => record.usage.input),
    output_tokens: sum((record) => record.usage.output),
    cost: sum((record) => record.cost),
    unit: 'credits',
    records: records
      .slice(-100)
      .reverse()
      .map((record) => recordBody(record, ctx)),
  };
}
