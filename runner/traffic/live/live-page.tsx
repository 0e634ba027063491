import { pluralize } from '../../../common/lists.ts';
import requestTable from '../../../common/page/browser/request-table.css.js';
import { Document } from '../../../common/page/document.tsx';
import { type Markup, Prose, render, renderDocument } from '../../../common/page/markup.tsx';
import { MoreButton, PauseButton, RequestTable, SearchField } from '../../../common/page/request-table.tsx';
import { type Outcome, outcomes } from '../../judge/outcome.ts';
import entries from '../../reporters/html/browser/entries.css.js';
import { OutcomeMark } from '../../reporters/html/elements.tsx';
import { ExchangeView } from '../../reporters/html/exchange-view.tsx';
import { reportStyles } from '../../reporters/html/style-sheet.ts';
import { outcomeOfBreach } from '../../view/traffic.ts';
import liveStyle from './browser/live.css.js';
import script from './browser/live.ts.js';
import type { ExchangeLog } from './exchange-log.ts';
import { clientWords, earlyEnds, liveColumns, liveLooks, serverErrors } from './live-entry.ts';

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
        <div class="summary">
          <p class="kind">Conformance proxy</p>
          <p>
            <a href={`${path}/report`}>Report so far</a>
          </p>
          <p id="state" role="status">
            Connecting …
          </p>
        </div>
        <h1>Traffic to {gateway}</h1>
        <ul class="counts" id="counts" aria-label="Exchanges by outcome" />
      </header>
      <main data-path={path}>
        <section aria-labelledby="findings-title">
          <h2 id="findings-title">Findings</h2>
          <p class="quiet" id="no-findings">
            None so far.
          </p>
          <ul class="live-findings" id="findings" />
          <button type="button" id="all-findings" hidden />
        </section>
        <section aria-labelledby="exchanges-title">
          <h2 id="exchanges-title">Exchanges</h2>
          <Filter />
          <div class="columns">
            <div id="exchanges" class="request-list">
              <div class="pane">
                <RequestTable columns={liveColumns} />
              </div>
              <p class="quiet" id="empty">
                No exchanges yet. Use the URL of the proxy as the base URL of a client.
              </p>
              <MoreButton />
            </div>
            <section id="detail" aria-label="Selected exchange" tabIndex={-1} hidden />
          </div>
        </section>
      </main>
    </Document>,
  );
}

function Filter(): Markup {
  return (
    <search class="controls">
      <SearchField label="Search exchanges" placeholder="Path, status, error, model, client" />
      <label>
        Outcome
        <select id="outcome">
          <option value="">all</option>
          {outcomes
            .filter((outcome) => outcome !== 'inconclusive')
            .map((outcome) => (
              <option value={outcome}>{liveLooks[outcome].word}</option>
            ))}
          {Object.entries(clientWords).map(([value, words]) => (
            <option value={`client-${value}`}>{words}</option>
          ))}
          <option value={serverErrors.value}>{serverErrors.words}</option>
          {earlyEnds
            .filter(({ end }) => end !== 'cut-by-proxy')
            .map(({ end, words }) => (
              <option value={end}>{words}</option>
            ))}
        </select>
      </label>
      <label>
        Operation
        <select id="operation">
          <option value="">all</option>
        </select>
      </label>
      <label>
        Client
        <select id="client">
          <option value="">all</option>
        </select>
      </label>
      <PauseButton />
      <p class="shown">
        <span id="shown" role="status" class="quiet" />
        <button type="button" id="chip" hidden />
        <button type="button" id="clear" hidden>
          Clear filter
        </button>
      </p>
    </search>
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
  const { exchange, checks, breaches, late } = found;
  const status = exchange.response?.status;
  const declared = checks.filter(({ outcome }) => outcome === 'deviates');
  const part = (
    <div>
      <h3>
        {found.method} {found.path}
      </h3>
      <p class="quiet">
        {[
          `Exchange ${number}`,
          `${pluralize(checks.length, 'check')} of the gateway${countBy(checks)}`,
          ...(late.length > 0 ? [`later exchanges${countBy(late)}`] : []),
          ...(breaches.length > 0
            ? [`client${countBy(breaches.map(({ duty }) => ({ outcome: outcomeOfBreach(duty) })))}`]
            : []),
        ].join(' · ')}
      </p>
      {declared.length > 0 && (
        <p class="passed">
          <OutcomeMark outcome="deviates" />
          {declared.map(({ requirement, declared: needed = [] }) => (
            <span>{`${requirement} (${needed.join(', ')})`}</span>
          ))}
        </p>
      )}
      <ExchangeView
        exchange={exchange}
        checks={checks}
        title={status === undefined ? 'no response' : `Status ${status}`}
        says={says}
      >
        {late.map(({ id, outcome, message }) => (
          <Broken id={id} outcome={outcome} says={says.get(id) ?? ''} message={message} />
        ))}
        {breaches.map(({ duty, message }) => (
          <Broken id={duty.id} outcome={outcomeOfBreach(duty)} says={duty.says} message={message} />
        ))}
      </ExchangeView>
    </div>
  );
  return render(part);
}

function Broken({
  id,
  outcome,
  says,
  message,
}: {
  readonly id: string;
  readonly outcome: Outcome;
  readonly says: string;
  readonly message: string;
}): Markup {
  return (
    <div class="broken">
      <p>
        <OutcomeMark outcome={outcome} /> <strong>{id}</strong>
        <span class="says">
          <Prose text={says} />
        </span>
      </p>
      <p class="messages">{message}</p>
    </div>
  );
}

/** Counts by outcome, such as `: 17 passed, 1 failed`; an empty text for none. */
function countBy(items: readonly { readonly outcome: Outcome }[]): string {
  const counts = outcomes.flatMap((outcome) => {
    const count = items.filter((item) => item.outcome === outcome).length;
    return count > 0 ? [`${count} ${liveLooks[outcome].word}`] : [];
  });
  return counts.length > 0 ? `: ${counts.join(', ')}` : '';
}

const styleSheet = reportStyles(entries, requestTable, liveStyle);
