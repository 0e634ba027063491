import type { Markup } from '../../common/page/markup.tsx';
import { MoreButton, PauseButton, RequestTable, SearchField } from '../../common/page/request-table.tsx';
import type { ConsoleParts } from './api.ts';
import { requestColumns } from './shown-request.ts';

/** Renders an empty list of requests, which the script of the page fills as requests arrive. */
export function RequestsPage({ url }: ConsoleParts): Markup {
  return (
    <div class="page">
      <search class="controls">
        <SearchField
          label="Search requests"
          placeholder="Method, path, status, error, model, key, trace ID or request ID"
        />
        <PauseButton />
        <span id="count" class="quiet" role="status" />
      </search>
      <div id="none" class="card">
        <p>
          No requests yet. <a href="/console/connect">Connect</a> has the keys and a line for each SDK, such
          as:
        </p>
        <pre>{`new OpenAI({ apiKey: '…', baseURL: '${url()}/v1' })`}</pre>
      </div>
      <p id="no-match" class="quiet" hidden>
        No request matches the search.
      </p>
      <div class="columns">
        <div id="requests" class="request-list" hidden>
          <div class="pane">
            <RequestTable columns={requestColumns} />
          </div>
          <MoreButton />
        </div>
        <section id="detail" class="card" aria-label="Selected request" tabIndex={-1} hidden />
      </div>
    </div>
  );
}
