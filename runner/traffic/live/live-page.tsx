import { pluralize } from '../../../common/lists.ts';
import { Document } from '../../../common/page/document.tsx';
import { type Markup, render, renderDocument } from '../../../common/page/markup.tsx';
import { outcomes } from '../../judge/outcome.ts';
import { ExchangeView } from '../../reporters/html/exchange-view.tsx';
import { entries } from '../../reporters/html/style-entries.ts';
import { reportFrame, reportMedia } from '../../reporters/html/style-sheet.ts';
import { outcomeLooks } from '../../view/signs.ts';
import type { ExchangeLog } from './exchange-log.ts';
import { liveScript } from './live-script.ts';

export interface LivePageOptions {
  /** The path of the page. The paths of the events, the report and the exchanges begin with this path. */
  readonly path: string;
  /** The base URL of the gateway. */
  readonly gateway: string;
}

/** The ends of exchanges that the filter of the page offers, with their names. */
const ends = [
  ['cut-by-gateway', 'Broken off by the gateway'],
  ['cut-by-client', 'Broken off by the client'],
  ['no-response', 'No response'],
  ['refused', 'Refused by the proxy'],
] as const;

/**
 * Formats the page of a running proxy: the exchanges and the failed requirements. A script in the page fills the lists.
 */
export function formatLivePage({ path, gateway }: LivePageOptions): string {
  return renderDocument(
    <Document title={`Traffic to ${gateway}`} styleSheet={styleSheet} script={liveScript} connects>
      <a class="skip" href="#exchanges">
        Skip to the exchanges
      </a>
      <header class="banner">
        <p class="kind">Conformance proxy</p>
        <h1>Traffic to {gateway}</h1>
        <p class="facts">
          <span id="state" role="status">
            Connecting …
          </span>
          <a href={`${path}/report`}>Report so far</a>
        </p>
        <ul class="counts" id="counts" aria-label="Exchanges by outcome" />
      </header>
      <main data-path={path}>
        <section aria-labelledby="findings-title">
          <h2 id="findings-title">Findings</h2>
          <p class="quiet" id="no-findings">
            None so far.
          </p>
          <ul class="live-findings" id="findings" />
        </section>
        <section aria-labelledby="exchanges-title">
          <h2 id="exchanges-title">Exchanges</h2>
          <Filter />
          <div class="live-columns">
            <div class="live-list">
              <table class="live-table" id="exchanges">
                <thead>
                  <tr>
                    <th scope="col">Outcome</th>
                    <th scope="col">Request</th>
                    <th scope="col">Status</th>
                    <th scope="col">Type</th>
                    <th scope="col">Client</th>
                    <th scope="col" class="number">
                      Time
                    </th>
                  </tr>
                </thead>
                <tbody id="rows" />
              </table>
              <p class="quiet" id="empty">
                No exchanges yet. Use the URL of the proxy as the base URL of a client.
              </p>
              <button type="button" id="more" hidden>
                Show more
              </button>
            </div>
            <section class="live-detail" id="detail" aria-label="Selected exchange" tabIndex={-1}>
              <p class="quiet">Select an exchange to see its request and its response.</p>
            </section>
          </div>
        </section>
      </main>
    </Document>,
  );
}

function Filter(): Markup {
  return (
    <div class="filter-bar live-filter">
      <input
        type="search"
        id="search"
        placeholder="Method, path, status, type, trace ID or client"
        aria-label="Search exchanges"
      />
      <label class="select">
        Outcome
        <select id="outcome">
          <option value="">all</option>
          {outcomes
            .filter((outcome) => outcome !== 'inconclusive')
            .map((outcome) => (
              <option value={outcome}>
                {outcome === 'not-applicable' ? 'not judged' : outcomeLooks[outcome].word}
              </option>
            ))}
          {ends.map(([value, name]) => (
            <option value={value}>{name}</option>
          ))}
        </select>
      </label>
      <label class="select">
        Operation
        <select id="operation">
          <option value="">all</option>
        </select>
      </label>
      <label class="select">
        Client
        <select id="client">
          <option value="">all</option>
        </select>
      </label>
      <button type="button" id="pause" aria-pressed="false">
        Pause
      </button>
      <button type="button" id="clear" hidden>
        Clear filter
      </button>
    </div>
  );
}

/**
 * Returns the part of the page that shows an exchange; undefined if the exchange is not stored. `says` contains the
 * sentence of each requirement, by ID.
 */
export function formatLiveDetail(
  log: ExchangeLog,
  number: number,
  says: ReadonlyMap<string, string>,
): string | undefined {
  const found = log.detail(number);
  if (!found) return undefined;
  const { exchange, checks } = found;
  const title = `${exchange.request.method} ${exchange.response?.status ?? 'no response'}`;
  const passed = checks.filter(({ outcome }) => outcome === 'conforms').length;
  const part = (
    <div>
      <h3>Exchange {number}</h3>
      <p class="quiet">{`${pluralize(checks.length, 'check')}, ${passed} passed.`}</p>
      <ExchangeView exchange={exchange} checks={checks} title={title} says={says} />
    </div>
  );
  return render(part);
}

/** The styles of the live page that the report does not have. */
const liveStyle = /* css */ `
body > header, main { max-width: 110rem; }
.counts { display: flex; flex-wrap: wrap; gap: .5rem; margin-top: 1rem; }
.counts li { padding: .25rem .75rem; border-radius: 7px; background: var(--wash, var(--apart-wash)); color: var(--tone, var(--soft)); font-size: .875rem; }
.counts strong { font-size: 1.0625rem; }
.live-findings { display: grid; gap: .375rem; }
.live-findings button {
  display: grid; grid-template-columns: auto auto 1fr; gap: .125rem .75rem; align-items: baseline; width: 100%; padding: .5rem .875rem;
  font-size: .9375rem; text-align: left;
}
.live-findings button[aria-pressed="true"] { border-color: var(--focus); box-shadow: inset 3px 0 var(--focus); }
.live-findings .number { min-width: 3rem; font-weight: 650; text-align: right; }
.live-findings .says { grid-column: 3; color: var(--soft); font-size: .875rem; }
.live-filter { margin-top: 0; margin-bottom: 1rem; }
.live-filter .select { align-items: center; gap: .5rem; font-size: .875rem; color: var(--soft); }
.live-filter select {
  max-width: 14rem; padding: .375rem .5rem; font: inherit; color: var(--ink); background: var(--card); border: 1px solid var(--strong-line);
  border-radius: 8px;
}
button[aria-pressed="true"] { background: var(--ink); color: var(--page); }
.live-findings button[aria-pressed="true"] { background: var(--card); color: var(--ink); }
.live-columns { display: grid; gap: 1.25rem; }
.live-table { width: 100%; border-collapse: collapse; font-size: .875rem; background: var(--card); border: 1px solid var(--line); table-layout: fixed; }
.live-table th { padding: .5rem .75rem; font-weight: 500; text-align: left; color: var(--soft); }
.live-table td { padding: .25rem .75rem; border-top: 1px solid var(--line); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.live-table th:nth-child(1) { width: 8.5rem; }
.live-table th:nth-child(3) { width: 5rem; }
.live-table th:nth-child(4) { width: 13rem; }
.live-table th:nth-child(5) { width: 12rem; }
.live-table th:nth-child(6) { width: 6rem; }
.live-table .number { text-align: right; }
.live-table tr { cursor: pointer; }
.live-table tbody tr:hover, .live-table tr[aria-selected="true"] { background: var(--sunk); }
.live-table tr[aria-selected="true"] { box-shadow: inset 3px 0 var(--focus); }
.live-table td button {
  width: 100%; padding: .125rem 0; border: 0; background: none; font: .8125rem/1.6 ui-monospace, "SF Mono", Menlo, Consolas, monospace;
  text-align: left; overflow: hidden; text-overflow: ellipsis; white-space: nowrap;
}
.live-table .end { color: var(--warns); }
.live-detail { min-width: 0; padding: 1rem 1.25rem; background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
.live-detail h3 { margin: 0; }
.live-detail .panes { grid-template-columns: 1fr; }
#more { margin-top: .75rem; }
@media (min-width: 90rem) {
  .live-columns { grid-template-columns: minmax(0, 1fr) minmax(0, 34rem); align-items: start; }
  .live-columns:has(.live-detail:not([hidden])) .live-table th:nth-child(4) { width: 11rem; }
  .live-columns:has(.live-detail:not([hidden])) .live-table :is(th, td):nth-child(5) { display: none; }
  .live-detail { position: sticky; top: 5rem; max-height: calc(100vh - 6rem); overflow-y: auto; }
}
@media (max-width: 60rem) {
  .live-table th:nth-child(5), .live-table td:nth-child(5) { display: none; }
}
@media (max-width: 40rem) {
  .live-table th:nth-child(4), .live-table td:nth-child(4), .live-table th:nth-child(6), .live-table td:nth-child(6) { display: none; }
  .live-table th, .live-table td { padding-inline: .5rem; }
  .live-table th:nth-child(1) { width: 7rem; }
  .live-table th:nth-child(3) { width: 4rem; }
}
`;

const styleSheet = [reportFrame, entries, liveStyle, reportMedia].join('');
