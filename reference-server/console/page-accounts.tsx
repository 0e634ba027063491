import type { Markup } from '../../common/page/markup.tsx';
import type { Account } from '../gateway/state.ts';
import type { ConsoleParts } from './api.ts';
import { formatCredits } from './format.ts';

/** Renders all accounts with their balances, the costs of their calls and the names of their valid keys. */
export function AccountsPage({ accounts, keys }: ConsoleParts): Markup {
  const all = keys.list();
  return (
    <ul id="accounts" data-live class="cards">
      {accounts.list().map((account) => (
        <li class="card">
          <h2>
            <a href={`/console/accounts/${encodeURIComponent(account.id)}`}>{account.id}</a>
          </h2>
          <Amounts account={account} />
          <p class="quiet">
            Keys:{' '}
            {all
              .filter((key) => key.account === account.id && !key.deleted)
              .map(({ name }) => name)
              .join(', ') || 'none'}
          </p>
        </li>
      ))}
    </ul>
  );
}

/**
 * Renders one account with a form to top up or drain the account. The `recharge_url` of an `insufficient_balance`
 * error links to this page.
 */
export function AccountPage({ account }: { readonly account: Readonly<Account> }): Markup {
  const path = `/accounts/${encodeURIComponent(account.id)}`;
  return (
    <div>
      <div id="account" data-live class="card">
        <Amounts account={account} />
        {account.balance === 0 && (
          <p class="notice">
            Model calls from this account get the error <code>insufficient_balance</code>. Top up the account
            below.
          </p>
        )}
      </div>
      <form class="card row" data-method="POST" data-api={`${path}/top-ups`}>
        <label>
          Credits
          <input name="credits" type="number" min={1} max={1_000_000_000} step={1} value="1000" required />
        </label>
        <button type="submit" class="primary">
          Top up
        </button>
        <button
          type="button"
          data-method="POST"
          data-api={`${path}/drain`}
          data-confirms={`Take all credits from the account ${account.id}?`}
        >
          Drain
        </button>
      </form>
      <p class="quiet">
        A model call costs one credit for each token. A new balance applies from the next call.
      </p>
    </div>
  );
}

function Amounts({ account: { balance, spent } }: { readonly account: Readonly<Account> }): Markup {
  return (
    <dl class="amounts">
      <div>
        <dt>Balance</dt>
        <dd class={balance === 0 ? 'violates' : undefined}>{formatCredits(balance)}</dd>
      </div>
      <div>
        <dt>Spent</dt>
        <dd>{formatCredits(spent)}</dd>
      </div>
    </dl>
  );
}
