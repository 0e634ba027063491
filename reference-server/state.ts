import type { OperationId } from './operations.ts';
import type { KeyRole, Model, Seed } from './seed.ts';

/** An account and what is left on it, in credits. */
export type Account = { readonly id: string; balance: number };

/** An API key as the console knows it (2.1). */
export type ApiKey = {
  readonly role: KeyRole;
  readonly value: string;
  readonly account: string;
  readonly deleted: boolean;
};

/** Tokens of one call. */
export type Usage = { readonly input: number; readonly output: number };

/** What one model call leaves behind; `createdAt` in milliseconds since the epoch, `cost` in credits. */
export type RequestRecord = {
  readonly id: string;
  readonly account: string;
  readonly operation: OperationId;
  readonly model: string;
  readonly usage: Usage;
  readonly cost: number;
  readonly createdAt: number;
};

/** Everything a running gateway remembers; nothing of it outlives the process. */
export type State = {
  readonly accounts: Map<string, Account>;
  readonly keys: readonly ApiKey[];
  readonly models: readonly Model[];
  readonly records: Map<string, RequestRecord>;
  /** Times of the billing-type requests that each key was granted, in milliseconds. */
  readonly granted: Map<string, number[]>;
  readonly rechargeUrl: string;
};

// In a long-running server the oldest records give way, so that memory stays bounded; many at once, since to find the
// first of a map takes as long as many have gone from its front.
const recordsKept = 100_000;
const recordsOver = 1000;

/** A fresh state from a seed; two states made from one seed share nothing that changes. */
export function createState(seed: Seed, now: number): State {
  const roles: readonly KeyRole[] = ['valid', 'deleted', 'depleted', 'foreign'];
  const state: State = {
    accounts: new Map(seed.accounts.map((account) => [account.id, { ...account }])),
    keys: roles.map((role) => {
      const { key, account, deleted = false } = seed.keys[role];
      return { role, value: key, account, deleted };
    }),
    models: seed.models,
    records: new Map(),
    granted: new Map(),
    rechargeUrl: seed.rechargeUrl,
  };
  const model = seed.models[0]?.id ?? 'none';
  for (const { id, account } of [seed.records.own, seed.records.foreign]) {
    addRecord(state, {
      id,
      account,
      operation: 'chat',
      model,
      usage: { input: 1, output: 1 },
      cost: 2,
      createdAt: now,
    });
  }
  return state;
}

/** Keeps a record under its id and forgets the oldest: 100,000 stay, and at most 1,000 more. */
export function addRecord(state: State, record: RequestRecord): void {
  state.records.set(record.id, record);
  if (state.records.size <= recordsKept + recordsOver) return;
  for (const oldest of state.records.keys()) {
    if (state.records.size <= recordsKept) return;
    state.records.delete(oldest);
  }
}

/** Takes credits from an account; a balance never falls below zero. */
export function charge(state: State, account: string, credits: number): void {
  const held = state.accounts.get(account);
  if (held) held.balance = Math.max(0, held.balance - credits);
}
