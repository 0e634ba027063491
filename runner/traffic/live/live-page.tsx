import { pluralize } from '../../../common/lists.ts';
import requestTable from '../../../common/page/browser/request-table.css.js';
import { Document } from '../../../common/page/document.tsx';
import { type Markup, Prose, render, renderDocument } from '../../../common/page/markup.tsx';
import { MoreButton, PauseButton, RequestTable, SearchField } from '../../../common/page/request-table.tsx';
import { outcomes } from '../../judge/outcome.ts';
import { countOutcomes } from '../../report/summarize.ts';
import entries from '../../reporters/html/browser/entries.css.js';
import { OutcomeMark } from '../../reporters/html/elements.tsx';
import { ExchangeView } from '../../reporters/html/exchange-view.tsx';
import { reportStyles } from '../../reporters/html/style-sheet.ts';
import { formatParts } from '../../view/counts.ts';
import { outcomeOfBreach } from '../../view/traffic.ts';
import liveStyle from './browser/live.css.js';
import script from './browser/live.ts.js';
import type { ExchangeLog } from './exchange-log.ts';
import { earlyEnds, liveColumns, liveLooks } from './live-entry.ts';

export interface LivePageOptions {
  /** The path of the page. The paths of the events, the report and the exchanges begin with this path. */
  readonly path: string;
  /** The base URL of the gateway. */
  readonly gateway: string;
}

/**
 * Formats the page of a running proxy: the exchanges and the failed requirements. A script in the page fills the lists.
 */
export function formatLivePage({ path, gateway }: LivePageOptions): string {
  return renderDocument(
    <Document title={`Traffic to ${gateway}`} styleSheet={styleSheet} script={script} connects>
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
          <div class="columns">
            <div id="exchanges">
              <RequestTable columns={liveColumns} />
              <p class="quiet" id="empty">
                No exchanges yet. Use the URL of the proxy as the base URL of a client.
              </p>
              <MoreButton />
            </div>
            <section id="detail" aria-label="Selected exchange" tabIndex={-1}>
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
      <SearchField label="Search exchanges" placeholder="Method, path, status, type, trace ID or client" />
      <label class="select">
        Outcome
        <select id="outcome">
          <option value="">all</option>
          {outcomes
            .filter((outcome) => outcome !== 'inconclusive')
            .map((outcome) => (
              <option value={outcome}>{liveLooks[outcome].word}</option>
            ))}
          {earlyEnds
            .filter(({ end }) => end !== 'cut-by-proxy')
            .map(({ end, words }) => (
              <option value={end}>{words}</option>
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
      <PauseButton />
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
  const { exchange, checks, breaches } = found;
  const title = `${exchange.request.method} ${exchange.response?.status ?? 'no response'}`;
  const parts = formatParts(countOutcomes(checks));
  const declared = checks.filter(({ outcome }) => outcome === 'deviates');
  const part = (
    <div>
      <h3>Exchange {number}</h3>
      <p class="quiet">{`${pluralize(checks.length, 'check')}${parts === '' ? '' : `: ${parts}`}.`}</p>
      {declared.length > 0 && (
        <p class="passed">
          <OutcomeMark outcome="deviates" />
          {declared.map(({ requirement, declared: needed = [] }) => (
            <span>{`${requirement} (${needed.join(', ')})`}</span>
          ))}
        </p>
      )}
      {breaches.map(({ duty, message }) => (
        <div class="broken">
          <p>
            <OutcomeMark outcome={outcomeOfBreach(duty)} /> <strong>{duty.id}</strong>
            <span class="says">
              <Prose text={duty.says} />
            </span>
          </p>
          <p class="messages">{message}</p>
        </div>
      ))}
      <ExchangeView exchange={exchange} checks={checks} title={title} says={says} />
    </div>
  );
  return render(part);
}

const styleSheet = reportStyles(entries, requestTable, liveStyle);
