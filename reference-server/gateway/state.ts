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

/** Recent billing-type requests of one key; times in milliseconds since the epoch. */
export type Frequency = {
  /** Times of the granted requests that still count, the oldest first. */
  readonly granted: readonly number[];
  /** Every request before this time is refused. */
  readonly refusedUntil: number;
};

/** Everything a running gateway remembers; nothing of it outlives the process. */
export type State = {
  readonly accounts: Map<string, Account>;
  readonly keys: readonly ApiKey[];
  readonly models: readonly Model[];
  /** The oldest first: far more are kept than are ever looked for, and those of the seed always. */
  readonly records: RequestRecord[];
  /** How often each key called the billing-type operations recently. */
  readonly frequency: Map<string, Frequency>;
  readonly rechargeUrl: string;
};

// In a long-running server the oldest records give way, so that memory stays bounded; many at once, since all others
// move up.
const recordsKept = 100_000;
const recordsOver = 1000;

/** The records that a fresh state has. */
const seeded = ['own', 'foreign'] as const;

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
    records: [],
    frequency: new Map(),
    rechargeUrl: seed.rechargeUrl,
  };
  const model = seed.models[0]?.id ?? 'none';
  for (const { id, account } of seeded.map((whose) => seed.records[whose])) {
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

/** Keeps a record and forgets the oldest but for those of the seed: 100,000 stay, and at most 1,000 more. */
export function addRecord(state: State, record: RequestRecord): void {
  state.records.push(record);
  if (state.records.length > recordsKept + recordsOver) state.records.splice(seeded.length, recordsOver);
}

/** The newest record of that id. */
export function recordOf(state: State, id: string): RequestRecord | undefined {
  return state.records.findLast((record) => record.id === id);
}

/** Takes credits from an account; a balance never falls below zero. */
export function charge(state: State, account: string, credits: number): void {
  const held = state.accounts.get(account);
  if (held) held.balance = Math.max(0, held.balance - credits);
}
