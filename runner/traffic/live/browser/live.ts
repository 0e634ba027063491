// Shows the latest exchanges of a running proxy that match the filter, and the findings so far.
import { closestTo, find, make, makeButton } from '../../../../common/page/browser/dom.ts';
import { connect } from '../../../../common/page/browser/events.ts';
import {
  type Cell,
  createRequestTable,
  makeOpenButton,
} from '../../../../common/page/browser/request-table.ts';
import { type Outcome, outcomes } from '../../../judge/outcome.ts';
import {
  earlyEnds,
  type LiveChange,
  type LiveEntry,
  type LiveFinding,
  type LiveTotals,
  liveColumns,
  liveLooks,
} from '../live-entry.ts';

const path = find('main').dataset.path ?? '';
const search = find('#search', HTMLInputElement);
const [outcome, operation, client] = [
  find('#outcome', HTMLSelectElement),
  find('#operation', HTMLSelectElement),
  find('#client', HTMLSelectElement),
];
const inputs = [search, outcome, operation, client];
const [counts, findings, empty] = [find('#counts'), find('#findings'), find('#empty')];

const makeMark = (kind: Outcome): HTMLElement =>
  make('span', `${liveLooks[kind].sign} ${liveLooks[kind].word}`, `mark ${kind}`);

let totals: LiveTotals | undefined;
/** The requirement by whose finding the exchanges are filtered; empty if they are not. */
let requirement = '';

function fits(entry: LiveEntry): boolean {
  if (requirement !== '' && !entry.broken.includes(requirement)) return false;
  if (outcome.value !== '' && entry.outcome !== outcome.value && entry.ended !== outcome.value) return false;
  if (operation.value !== '' && entry.operation !== operation.value) return false;
  return client.value === '' || entry.client === client.value;
}

const cells: Readonly<Record<(typeof liveColumns)[number]['name'], (entry: LiveEntry) => Cell>> = {
  Outcome: (entry) => ({ content: [makeMark(entry.outcome)] }),
  Request: (entry) => makeOpenButton(entry.method, entry.path),
  Status: ({ status }) => String(status ?? '–'),
  Type({ type, ended }) {
    const end = earlyEnds.find((one) => one.end === ended)?.words ?? '';
    const separator = type !== '' && end !== '' ? ', ' : '';
    return {
      content: [type, ...(end === '' ? [] : [make('span', separator + end, 'end')])],
      title: type + separator + end,
    };
  },
  Client: (entry) => ({
    content: entry.client,
    title: entry.client + (entry.traceId === '' ? '' : `, trace ID ${entry.traceId}`),
  }),
  Time: ({ durationMs }) => `${durationMs} ms`,
};

function showCounts({ entries, outcomes: judged, ends }: LiveTotals): void {
  const makeItem = (count: number, name: string, tone = ''): HTMLElement =>
    make('li', [make('strong', count.toLocaleString('en')), ` ${name}`], tone);
  const makeItems = (count: number | undefined, name: string, tone?: string): readonly HTMLElement[] =>
    count ? [makeItem(count, name, tone)] : [];
  counts.replaceChildren(
    makeItem(entries, entries === 1 ? 'exchange' : 'exchanges'),
    ...outcomes.flatMap((kind) => makeItems(judged[kind], liveLooks[kind].word, kind)),
    ...earlyEnds.flatMap(({ end, words }) => makeItems(ends[end], words)),
  );
}

function makeFinding({ id, by, outcome: kind, count, says, clause }: LiveFinding): HTMLElement {
  const button = makeButton([
    makeMark(kind),
    make('span', `${count}×`, 'number'),
    make('strong', id),
    ...(by === 'client' ? [make('span', 'client', 'tag')] : []),
    make('span', `${says.replaceAll('`', '')} (${clause.join('; ')})`, 'says'),
  ]);
  button.dataset.requirement = id;
  button.setAttribute('aria-pressed', String(id === requirement));
  return make('li', [button]);
}

function showFindings(found: readonly LiveFinding[]): void {
  const { activeElement } = document;
  const focused = activeElement instanceof HTMLElement ? activeElement.dataset.requirement : undefined;
  findings.replaceChildren(...found.map(makeFinding));
  find('#no-findings').hidden = found.length > 0;
  if (focused === undefined) return;
  findings.querySelector<HTMLElement>(`[data-requirement="${CSS.escape(focused)}"]`)?.focus();
}

function addOption(select: HTMLSelectElement, value: string): void {
  if ([...select.options].some((option) => option.value === value) || select.options.length > 200) return;
  select.append(new Option(value === 'none' ? 'no operation' : value, value));
}

const table = createRequestTable({
  columns: liveColumns,
  cells,
  most: 10_000,
  textsOf: (entry: LiveEntry) => [
    entry.method,
    entry.path,
    entry.type,
    entry.traceId,
    entry.client,
    entry.status,
  ],
  fits,
  onShow({ known, matching }) {
    if (!totals) return;
    showCounts(totals);
    showFindings(totals.findings);
    empty.hidden = matching > 0;
    if (known > 0) empty.textContent = 'No exchange matches the filter.';
    find('#clear').hidden = inputs.every(({ value }) => value === '') && requirement === '';
  },
  async load(number) {
    const response = await fetch(`${path}/exchanges/${number}`).catch(() => undefined);
    if (!response?.ok)
      return [make('p', 'The proxy no longer stores this exchange, or its bodies are too long.', 'quiet')];
    // The proxy sends the exchange as HTML in which all texts are escaped.
    const template = document.createElement('template');
    template.innerHTML = await response.text();
    return [template.content];
  },
});

findings.addEventListener('click', (event) => {
  const chosen = closestTo(event, 'button')?.dataset.requirement;
  if (chosen === undefined) return;
  requirement = requirement === chosen ? '' : chosen;
  table.filter();
});
for (const input of [outcome, operation, client]) input.addEventListener('input', table.filter);
find('#clear').addEventListener('click', () => {
  for (const input of inputs) input.value = '';
  requirement = '';
  table.filter();
});
connect<LiveChange>(`${path}/live`, {
  open: table.startOver,
  receive(change) {
    totals = change.totals;
    for (const entry of change.entries) {
      addOption(client, entry.client);
      addOption(operation, entry.operation);
    }
    table.add(change.entries);
  },
  lost: 'Not connected. Check that the proxy is running.',
});
