import { type Markup, Scroller } from '../../common/page/markup.tsx';
import type { ConsoleParts } from './api.ts';

/** Renders an empty list of requests, which the script of the page fills as requests arrive. */
export function RequestsPage({ url }: ConsoleParts): Markup {
  return (
    <div>
      <div class="row filter">
        <label class="wide">
          <span class="unseen">Search requests</span>
          <input
            type="search"
            id="search"
            placeholder="Method, path, status, error, model, key, trace ID or request ID"
          />
        </label>
        <button type="button" id="pause" aria-pressed="false">
          Pause
        </button>
        <span id="count" class="quiet" />
      </div>
      <div id="none" class="card">
        <p>No requests yet. Create a client with this base URL and a key from the Keys page:</p>
        <pre>{`new OpenAI({ apiKey: '…', baseURL: '${url()}/v1' })`}</pre>
      </div>
      <p id="no-match" class="quiet" hidden>
        No request matches the search.
      </p>
      <div class="columns">
        <div id="requests" hidden>
          <Scroller label="Requests">
            <table class="data requests">
              <thead>
                <tr>
                  <th scope="col">Time</th>
                  <th scope="col">Request</th>
                  <th scope="col">Status</th>
                  <th scope="col">Error</th>
                  <th scope="col">Model</th>
                  <th scope="col">Key</th>
                  <th scope="col" class="number">
                    Tokens
                  </th>
                  <th scope="col" class="number">
                    Cost
                  </th>
                  <th scope="col" class="number">
                    Duration
                  </th>
                </tr>
              </thead>
              <tbody id="rows" />
            </table>
          </Scroller>
          <button type="button" id="more" hidden>
            Show more
          </button>
        </div>
        <section id="detail" class="card" aria-label="Selected request" tabIndex={-1} hidden />
      </div>
    </div>
  );
}
