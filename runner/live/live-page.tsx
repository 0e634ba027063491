import { outcomes } from '../judge/outcome.ts';
import { Document } from '../reporters/html/document.tsx';
import { type Markup, outcomeLooks, renderDocument } from '../reporters/html/elements.tsx';
import { ExchangeView } from '../reporters/html/exchange-view.tsx';
import { entries, findings } from '../reporters/html/style-entries.ts';
import { frame, media, theme } from '../reporters/html/style-page.ts';
import { pluralize } from '../text/lists.ts';
import type { ExchangeLog } from './exchange-log.ts';
import { liveScript } from './live-script.ts';
import { liveStyle } from './live-style.ts';

const styleSheet = [theme, frame, findings, entries, liveStyle, media].join('');

/** Where the page is served, and what its proxy forwards. */
export interface LivePageOptions {
  /** The path of the page; its other resources are below it. */
  readonly path: string;
  readonly gateway: string;
}

/** The ways in which an exchange can end that the page filters by. */
const ends = [
  ['cut-by-gateway', 'Broken off by the gateway'],
  ['cut-by-client', 'Client left'],
  ['no-response', 'No response'],
  ['refused', 'Refused by the proxy'],
] as const;

/** Formats the page of a running proxy: the exchanges as they pass, and what they fail. Its script fills the tables. */
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
                No exchange yet. Use the URL of the proxy as the base URL of a client.
              </p>
              <button type="button" id="more" hidden>
                Show more
              </button>
            </div>
            <section class="live-detail" id="detail" aria-label="Selected exchange" tabIndex={-1}>
              <p class="quiet">Select an exchange to see both sides of it.</p>
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
        placeholder="Path, type, trace ID or client"
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

/** Formats the selected exchange as a part of the page; undefined if it is no longer stored. */
export function formatLiveDetail(
  log: ExchangeLog,
  number: number,
  says: ReadonlyMap<string, string>,
): string | undefined {
  const found = log.detail(number);
  if (!found) return undefined;
  const { exchange, obligations } = found;
  const title = `${exchange.request.method} ${exchange.response?.status ?? 'no response'}`;
  const passed = obligations.filter(({ outcome }) => outcome === 'conforms').length;
  const part = (
    <div>
      <h3>Exchange {number}</h3>
      <p class="quiet">{`${pluralize(obligations.length, 'check')}, ${passed} passed.`}</p>
      <ExchangeView exchange={exchange} obligations={obligations} title={title} says={says} />
    </div>
  );
  return renderDocument(part).replace(/^<!doctype html>\n/, '');
}
