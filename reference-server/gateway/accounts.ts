import { AdminError } from './keys.ts';
import type { Account, State } from './state.ts';

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
