import { randomUUID } from 'node:crypto';
import type { Context } from '../gateway/context.ts';
import type { Account } from '../gateway/state.ts';

/** A fresh UUID for an exchange; 2.2: in `trace_id` and in `x-trace-id`. */
export function newTraceId(_requestNumber: number): string {
  return randomUUID();
}

/** Whether an account has credits left for a call. */
export function canPay(account: Account | undefined, _ctx: Context): boolean {
  return account !== undefined && account.balance > 0;
}
