import { randomBytes, randomUUID } from 'node:crypto';
import type { Account, ApiKey, State } from './state.ts';

/** A key without its value and its role. Times are in milliseconds since 1970-01-01 UTC. */
export type KeyInfo = Readonly<Omit<ApiKey, 'value' | 'role'>> & {
  /** The last four characters of the value, which distinguish keys with the same name; empty for a short key. */
  readonly ending: string;
};

/** A new key with its value. Only `create` of `Keys` returns the value of a key. */
export type CreatedKey = KeyInfo & { readonly value: string };

/** The keys of a running gateway. */
export type Keys = {
  readonly list: () => readonly KeyInfo[];
  /**
   * Creates a key that is valid immediately. Defaults: the name `key N`, where N is one more than the number of
   * stored keys, and the first account. Throws an `AdminError` if the account does not exist, the name is blank or
   * longer than 80 characters, or 1,000 keys are stored after the removal of old deleted keys.
   */
  readonly create: (options?: { readonly name?: string; readonly account?: string }) => CreatedKey;
  /**
   * Deletes the key with this ID. The next request with the key gets 401, even on an open connection. Throws an
   * `AdminError` if no key has the ID.
   */
  readonly delete: (id: string) => void;
};

/**
 * The accounts of a running gateway. All amounts are in credits. `topUp` and `drain` throw an `AdminError` if no
 * account has the ID.
 */
export type Accounts = {
  readonly list: () => readonly Readonly<Account>[];
  /**
   * Adds credits to the balance of an account. Throws an `AdminError` if `credits` is not a positive integer, or if
   * the new balance would be more than 1,000,000,000.
   */
  readonly topUp: (id: string, credits: number) => Readonly<Account>;
  /** Sets the balance of an account to 0, so that the next model call of the account gets `insufficient_balance`. */
  readonly drain: (id: string) => Readonly<Account>;
};

/**
 * Thrown if the given key, account, situation or request does not exist (`unknown`), or if a value or a change is not
 * valid (`invalid`).
 */
export class AdminError extends Error {
  override readonly name = 'AdminError';
  readonly kind: 'unknown' | 'invalid';
  constructor(kind: 'unknown' | 'invalid', message: string) {
    super(message);
    this.kind = kind;
  }
}

const longestName = 80;
/** The maximum number of stored keys. */
const mostKeys = 1_000;
/**
 * The maximum number of deleted keys after the creation of a key, without keys of the seed. The oldest deleted keys are
 * removed first. The gateway treats a removed key as unknown.
 */
const mostDeleted = 100;

/** A key from which four characters can be shown. */
const longEnough = 20;

/** Returns the last four characters of a key; an empty text if they would be much of it. */
export const endingOf = (key: string): string => (key.length < longEnough ? '' : key.slice(-4));

/** Creates the functions that list, create and delete the keys of a gateway. `onChange` is called after each change. */
export function createKeys(state: State, now: () => number, onChange: () => void): Keys {
  const describe = ({ value, role: _, ...info }: ApiKey): KeyInfo => ({ ...info, ending: endingOf(value) });
  return {
    list: () => state.keys.map(describe),
    create({ name = `key ${state.keys.length + 1}`, account = [...state.accounts.keys()][0] ?? '' } = {}) {
      if (!state.accounts.has(account))
        throw new AdminError(
          'unknown',
          `No account has the ID "${account}". Use an ID from the list of accounts.`,
        );
      if (name.trim() === '' || name.length > longestName)
        throw new AdminError('invalid', `The name of a key must have 1 to ${longestName} characters.`);
      forgetDeleted(state);
      if (state.keys.length >= mostKeys)
        throw new AdminError(
          'invalid',
          `The gateway already has ${mostKeys} keys, which is the maximum. Delete more than ${mostDeleted} keys: the last ${mostDeleted} deleted keys also count.`,
        );
      const key: ApiKey = {
        id: randomUUID(),
        name: name.trim(),
        role: 'valid',
        value: `${state.keyPrefix}${randomBytes(24).toString('base64url')}`,
        account,
        deleted: false,
        createdAt: now(),
        lastUsedAt: undefined,
        requests: 0,
      };
      state.keys.push(key);
      onChange();
      return { ...describe(key), value: key.value };
    },
    delete(id) {
      const key = state.keys.find((one) => one.id === id);
      if (!key)
        throw new AdminError('unknown', `No key has the ID "${id}". Use an ID from the list of keys.`);
      key.deleted = true;
      onChange();
    },
  };
}

function forgetDeleted({ keys }: State): void {
  const deleted = keys.filter((key) => key.deleted && key.id !== key.role);
  for (const key of deleted.slice(0, Math.max(0, deleted.length - mostDeleted)))
    keys.splice(keys.indexOf(key), 1);
}

const mostCredits = 1_000_000_000;

/** Creates the functions that list and change the accounts of a gateway. `onChange` is called after each change. */
export function createAccounts(state: State, onChange: () => void): Accounts {
  const find = (id: string): Account => {
    const account = state.accounts.get(id);
    if (!account)
      throw new AdminError('unknown', `No account has the ID "${id}". Use an ID from the list of accounts.`);
    return account;
  };
  const setBalance = (account: Account, balance: number): Readonly<Account> => {
    account.balance = balance;
    onChange();
    return { ...account };
  };
  return {
    list: () => [...state.accounts.values()].map((account) => ({ ...account })),
    topUp(id, credits) {
      const account = find(id);
      if (!Number.isInteger(credits) || credits < 1 || account.balance + credits > mostCredits)
        throw new AdminError(
          'invalid',
          `A top-up must be an integer of 1 or more, and the new balance must be at most ${mostCredits} credits.`,
        );
      return setBalance(account, account.balance + credits);
    },
    drain: (id) => setBalance(find(id), 0),
  };
}
