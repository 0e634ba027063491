// Shows the latest exchanges of a running proxy that match the filter, and the findings so far.
import { closestTo, find, make, makeButton, makeProse } from '../../../../common/page/browser/dom.ts';
import { connect } from '../../../../common/page/browser/events.ts';
import {
  type Cell,
  createRequestTable,
  makeOpenButton,
} from '../../../../common/page/browser/request-table.ts';
import { makeStatus } from '../../../../common/page/browser/status.ts';
import { type Outcome, outcomes } from '../../../judge/outcome.ts';
import {
  clientWords,
  earlyEnds,
  type LiveChange,
  type LiveEntry,
  type LiveFinding,
  type LiveTotals,
  liveColumns,
  liveLooks,
  serverErrors,
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
const [chip, allFindings] = [find('#chip'), find('#all-findings')];
/** The number of findings above the exchanges, which stay on the first screen. */
const mostFindings = 5;

const makeMark = (kind: Outcome): HTMLElement =>
  make('span', `${liveLooks[kind].sign} ${liveLooks[kind].word}`, `mark ${kind}`);

/** The second mark of an exchange in which the client violated a duty. */
function makeClientMark({ byClient }: LiveEntry): readonly HTMLElement[] {
  if (!byClient) return [];
  const mark = make('span', `${liveLooks[byClient].sign} client`, `mark ${byClient}`);
  return [mark, make('span', ` ${liveLooks[byClient].word}`, 'unseen')];
}

let totals: LiveTotals | undefined;
/** The requirement by whose finding the exchanges are filtered; empty if they are not. */
let requirement = '';
let showsAll = false;

function fits(entry: LiveEntry): boolean {
  if (requirement !== '' && !entry.broken.includes(requirement)) return false;
  if (!fitsOutcome(entry, outcome.value)) return false;
  if (operation.value !== '' && entry.operation !== operation.value) return false;
  return client.value === '' || entry.client === client.value;
}

/** `wanted` is a value of the select Outcome. */
function fitsOutcome(entry: LiveEntry, wanted: string): boolean {
  if (wanted === serverErrors.value) return (entry.status ?? 0) >= 500;
  return ['', entry.outcome, entry.ended, `client-${entry.byClient}`].includes(wanted);
}

const cells: Readonly<Record<(typeof liveColumns)[number]['name'], (entry: LiveEntry) => Cell>> = {
  Time: ({ at }) => new Date(at).toLocaleTimeString('en-GB'),
  Outcome: (entry) => ({
    content: [makeMark(entry.outcome), ...makeClientMark(entry)],
    title: entry.broken.join(', '),
  }),
  Request: (entry) => makeOpenButton(entry.method, entry.path),
  Status: ({ status }) => ({ content: [status === undefined ? '–' : makeStatus(status)] }),
  Error({ type, ended }) {
    const end = earlyEnds.find((one) => one.end === ended)?.words ?? '';
    const separator = type !== '' && end !== '' ? ', ' : '';
    return {
      content: [type, ...(end === '' ? [] : [make('span', separator + end, 'end')])],
      title: type + separator + end,
    };
  },
  Model: ({ model }) => ({ content: model === '' ? '–' : model, title: model }),
  Client: (entry) => ({
    content: entry.client,
    title: entry.client + (entry.traceId === '' ? '' : `, trace ID ${entry.traceId}`),
  }),
  Duration: ({ durationMs }) => `${durationMs} ms`,
};

function showCounts({ entries, outcomes: judged, ends, byClient, serverErrors: broken }: LiveTotals): void {
  const makeItem = (count: number, name: string, tone = ''): HTMLElement =>
    make('li', [make('strong', count.toLocaleString('en')), ` ${name}`], tone);
  const makeItems = (count: number | undefined, name: string, tone?: string): readonly HTMLElement[] =>
    count ? [makeItem(count, name, tone)] : [];
  counts.replaceChildren(
    makeItem(entries, entries === 1 ? 'exchange' : 'exchanges'),
    ...outcomes.flatMap((kind) => makeItems(judged[kind], liveLooks[kind].word, kind)),
    ...makeItems(byClient.violates, clientWords.violates, 'violates'),
    ...makeItems(byClient.warns, clientWords.warns, 'warns'),
    ...makeItems(broken, serverErrors.words, 'violates'),
    ...earlyEnds.flatMap(({ end, words }) => makeItems(ends[end], words)),
  );
}

function makeFinding({ id, outcome: kind, count, says, clause }: LiveFinding): HTMLElement {
  const button = makeButton([
    makeMark(kind),
    make('span', `${count.toLocaleString('en')}×`, 'number'),
    make('strong', id),
    make('span', [...makeProse(says), make('span', ` Section ${clause.join('; ')}`, 'clause')], 'says'),
  ]);
  button.dataset.requirement = id;
  button.setAttribute('aria-pressed', String(id === requirement));
  return make('li', [button]);
}

/** Shows the worst findings, or all. */
function showFindings(found: readonly LiveFinding[]): void {
  const { activeElement } = document;
  const focused = activeElement instanceof HTMLElement ? activeElement.dataset.requirement : undefined;
  const sorted = [...found].sort((a, b) => outcomes.indexOf(a.outcome) - outcomes.indexOf(b.outcome));
  // A single finding is never left out.
  const shown = showsAll || sorted.length <= mostFindings + 1 ? sorted : sorted.slice(0, mostFindings);
  findings.replaceChildren(...shown.map(makeFinding));
  allFindings.hidden = sorted.length <= mostFindings + 1;
  allFindings.textContent = showsAll ? 'Show fewer' : `Show all ${sorted.length} findings`;
  find('#no-findings').hidden = found.length > 0;
  if (focused === undefined) return;
  findings.querySelector<HTMLElement>(`[data-requirement="${CSS.escape(focused)}"]`)?.focus();
}

function showFilter(known: number, matching: number): void {
  const isFiltered = inputs.some(({ value }) => value !== '') || requirement !== '';
  find('#clear').hidden = !isFiltered;
  const of = isFiltered ? `${matching.toLocaleString('en')} of ` : '';
  find('#shown').textContent = `${of}${known.toLocaleString('en')} ${known === 1 ? 'exchange' : 'exchanges'}`;
  chip.hidden = requirement === '';
  chip.replaceChildren(make('span', 'Finding ', 'quiet'), requirement, make('span', ' ×', 'quiet'));
  chip.ariaLabel = `Remove the filter by the finding ${requirement}`;
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
    entry.model,
  ],
  fits,
  onShow({ known, matching }) {
    if (!totals) return;
    showCounts(totals);
    showFindings(totals.findings);
    empty.hidden = matching > 0;
    if (known > 0) empty.textContent = 'No exchange matches the filter.';
    showFilter(known, matching);
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
  if (requirement === '') return;
  find('#exchanges').scrollIntoView();
  chip.focus({ preventScroll: true });
});
chip.addEventListener('click', () => {
  requirement = '';
  table.filter();
  search.focus({ preventScroll: true });
});
allFindings.addEventListener('click', () => {
  showsAll = !showsAll;
  if (totals) showFindings(totals.findings);
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
