import type { KeyRole } from '../../common/profile-values.ts';
import type { GatewayOperationId } from './operations.ts';
import type { Model, Seed } from './seed.ts';

/** An account with its balance and the sum of the costs of its calls, both in credits. */
export type Account = { readonly id: string; balance: number; spent: number };

/** An API key (2.1). Times are in milliseconds since 1970-01-01 UTC. */
export type ApiKey = {
  /** Identifies the key in places where its value must not be shown. */
  readonly id: string;
  readonly name: string;
  readonly role: KeyRole;
  readonly value: string;
  readonly account: string;
  deleted: boolean;
  readonly createdAt: number;
  lastUsedAt: number | undefined;
  /** The number of requests in which the gateway recognized the key, including refused requests. */
  requests: number;
};

/** The numbers of input and output tokens of one call. */
export type Usage = { readonly input: number; readonly output: number };

/** The record of a model call. `createdAt` is in milliseconds since 1970-01-01 UTC, `cost` in credits. */
export type RequestRecord = {
  readonly id: string;
  readonly account: string;
  readonly operation: GatewayOperationId;
  readonly model: string;
  readonly usage: Usage;
  readonly cost: number;
  readonly createdAt: number;
};

/** The state of a running gateway. */
export type State = {
  readonly accounts: Map<string, Account>;
  readonly keys: ApiKey[];
  readonly models: readonly Model[];
  /**
   * The request records: first the records of the seed, and then the records of model calls, the oldest first. The
   * records of the seed are never removed.
   */
  readonly records: RequestRecord[];
  /**
   * The times of the granted billing-type requests that still count, by the value of the key and the operation, the
   * oldest first, in milliseconds since 1970-01-01 UTC.
   */
  readonly granted: Map<string, readonly number[]>;
  /** The beginning of the keys that are created. */
  readonly keyPrefix: string;
  /** The URL at which an account is topped up. `{account}` stands for the ID of the account. */
  rechargeUrl: string;
};

// The oldest records are removed to bound the memory of a long-running server. The removal is done in batches, since
// each removal moves all remaining records.
const recordsKept = 100_000;
const recordsOver = 1000;

const seeded = ['own', 'foreign'] as const;

/** Creates the initial state. States from the same seed share no mutable objects. */
export function createState(seed: Seed, now: number): State {
  const state: State = {
    accounts: new Map(seed.accounts.map((account) => [account.id, { ...account, spent: 0 }])),
    keys: createSeedKeys(seed, now),
    models: seed.models,
    records: [],
    granted: new Map(),
    keyPrefix: seed.keyPrefix ?? 'sk-',
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

/** Returns a copy that shares no mutable objects. In it, no billing-type request has been granted yet. */
export function copyState(state: State): State {
  return {
    ...state,
    accounts: structuredClone(state.accounts),
    keys: structuredClone(state.keys),
    records: [...state.records],
    granted: new Map(),
  };
}

const roles: readonly KeyRole[] = ['valid', 'deleted', 'depleted', 'foreign'];

/** Creates the keys of a seed, one for each role. */
export function createSeedKeys(seed: Seed, now: number): ApiKey[] {
  return roles.map((role) => {
    const { key, account, deleted = false } = seed.keys[role];
    const unused = { createdAt: now, lastUsedAt: undefined, requests: 0 };
    return { id: role, name: role, role, value: key, account, deleted, ...unused };
  });
}

/**
 * Adds a record. If there are then more than 101,000 records, removes the oldest 1,000, except the records of the seed.
 */
export function addRecord(state: State, record: RequestRecord): void {
  state.records.push(record);
  if (state.records.length > recordsKept + recordsOver) state.records.splice(seeded.length, recordsOver);
}

/** Finds the last record with exactly this ID; undefined if no record has the ID. */
export function findRecordById(state: State, id: string): RequestRecord | undefined {
  return state.records.findLast((record) => record.id === id);
}

/**
 * Subtracts credits from the balance of an account, and adds the same credits to `spent`. The balance never falls
 * below zero. An unknown account is ignored.
 */
export function chargeAccount(state: State, account: string, credits: number): void {
  const charged = state.accounts.get(account);
  if (!charged) return;
  charged.balance = Math.max(0, charged.balance - credits);
  charged.spent += credits;
}
