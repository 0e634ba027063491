import { type Markup, Scroller } from '../../common/page/markup.tsx';
import type { ConsoleParts } from './api.ts';
import { formatEnding, formatUtcTime } from './format.ts';

/** Renders the keys of the gateway, a form that creates a key, and a delete button for each key that is not deleted. */
export function KeysPage({ keys, accounts }: ConsoleParts): Markup {
  return (
    <div>
      <form class="card row" data-method="POST" data-api="/keys" data-shows="key">
        <label>
          Name
          <input name="name" maxLength={80} placeholder="my app" />
        </label>
        <label>
          Account
          <select name="account">
            {accounts.list().map(({ id }) => (
              <option value={id}>{id}</option>
            ))}
          </select>
        </label>
        <button type="submit" class="primary">
          Create key
        </button>
      </form>
      <div id="created" class="card created" role="status" hidden>
        <p>Copy this key now: the console shows a key only once.</p>
        <p class="row">
          <code id="created-key" />
          <button type="button" data-copies="created-key">
            Copy
          </button>
        </p>
      </div>
      <div id="keys" data-live>
        <Scroller label="Keys">
          <table class="data">
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">Account</th>
                <th scope="col">State</th>
                <th scope="col" class="minor">
                  Created
                </th>
                <th scope="col" class="minor">
                  Last used
                </th>
                <th scope="col" class="number minor">
                  Requests
                </th>
                <th scope="col">
                  <span class="unseen">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {keys.list().map((key) => (
                <tr class={key.deleted ? 'quiet' : undefined}>
                  <th scope="row">
                    {key.name} <code class="ending">{formatEnding(key.ending)}</code>
                  </th>
                  <td>
                    <a href={`/console/accounts/${encodeURIComponent(key.account)}`}>{key.account}</a>
                  </td>
                  <td>{key.deleted ? 'deleted' : 'valid'}</td>
                  <td class="minor">{formatUtcTime(key.createdAt)}</td>
                  <td class="minor">{formatUtcTime(key.lastUsedAt)}</td>
                  <td class="number minor">{key.requests.toLocaleString('en')}</td>
                  <td>
                    {!key.deleted && (
                      <button
                        type="button"
                        data-method="DELETE"
                        data-api={`/keys/${encodeURIComponent(key.id)}`}
                        data-confirms={`Delete the key “${key.name}” ${formatEnding(key.ending)}? Requests with this key will get 401.`}
                      >
                        Delete<span class="unseen">{` ${key.name} ${formatEnding(key.ending)}`}</span>
                      </button>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroller>
      </div>
    </div>
  );
}
