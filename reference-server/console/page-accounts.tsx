import type { Markup } from '../../common/page/markup.tsx';
import type { Account } from '../gateway/state.ts';
import type { ConsoleParts } from './api.ts';
import { formatEnding } from './format.ts';

/** Renders all accounts with their balances, the costs of their calls and the names of their valid keys. */
export function AccountsPage({ accounts, keys }: ConsoleParts): Markup {
  const all = keys.list();
  return (
    <ul class="cards">
      {accounts.list().map((account) => (
        <li class="card account">
          <h2>
            <a href={`/console/accounts/${encodeURIComponent(account.id)}`}>{account.id}</a>
          </h2>
          {/* The form stays when the amounts change, with what its user has entered. */}
          <div id={`account-${account.id}`} data-live>
            <Amounts account={account} />
            <p class="quiet">
              Keys:{' '}
              {all
                .filter((key) => key.account === account.id && !key.deleted)
                .map(({ name, ending }) => `${name} ${formatEnding(ending)}`.trim().replaceAll(' ', '\u00a0'))
                .join(', ') || 'none'}
            </p>
          </div>
          <ChangeForm id={account.id} />
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
      <div class="card">
        <ChangeForm id={account.id} />
      </div>
      <p class="quiet">
        A model call costs one credit for each token. A new balance applies from the next call.
      </p>
    </div>
  );
}

function ChangeForm({ id }: { readonly id: string }): Markup {
  const path = `/accounts/${encodeURIComponent(id)}`;
  return (
    <form class="row" data-method="POST" data-api={`${path}/top-ups`}>
      <label>
        Credits
        <input name="credits" type="number" min={1} max={1_000_000_000} step={1} value="1000" required />
      </label>
      <button type="submit" class="primary">
        Top up<span class="unseen"> {id}</span>
      </button>
      <button
        type="button"
        data-method="POST"
        data-api={`${path}/drain`}
        data-confirms={`Take all credits from the account ${id}?`}
      >
        Drain<span class="unseen"> {id}</span>
      </button>
    </form>
  );
}

function Amounts({ account: { balance, spent } }: { readonly account: Readonly<Account> }): Markup {
  return (
    <dl class="amounts">
      <div>
        <dt>Balance</dt>
        <dd class={balance === 0 ? 'violates' : undefined}>
          <Credits amount={balance} />
        </dd>
      </div>
      <div>
        <dt>Spent</dt>
        <dd>
          <Credits amount={spent} />
        </dd>
      </div>
    </dl>
  );
}

function Credits({ amount }: { readonly amount: number }): Markup {
  return (
    <>
      {amount.toLocaleString('en')} <small>{amount === 1 ? 'credit' : 'credits'}</small>
    </>
  );
}
