// The script of all pages of the console. It never inserts a text of a request or response as HTML.
import { copyText } from '../../../common/page/browser/copy.ts';
import { closestTo, find, make, makeButton, makeProse } from '../../../common/page/browser/dom.ts';
import { connect } from '../../../common/page/browser/events.ts';
import { type Cell, createRequestTable, makeOpenButton } from '../../../common/page/browser/request-table.ts';
import { makeStatus } from '../../../common/page/browser/status.ts';
import {
  type ConsoleChange,
  type RequestDetail,
  type RequestRow,
  requestColumns,
  type ShownCause,
  unanswered,
} from '../shown-request.ts';

const silent = 'The gateway does not respond. Check that the gateway is running.';

/** Shows a problem at the top of the page, or in the form that caused it. */
function showProblem(text: string, form?: HTMLFormElement | null): void {
  let problem = form ? form.querySelector<HTMLElement>('.problem') : find('#problem');
  if (!problem) {
    problem = make('p', '', 'problem');
    problem.role = 'alert';
    form?.append(problem);
  }
  problem.replaceChildren(...makeProse(text));
  problem.hidden = text === '';
}

/** Replaces the parts of this page that show the state of the gateway. */
async function refresh(): Promise<void> {
  const parts = document.querySelectorAll<HTMLElement>('[data-live]');
  if (parts.length === 0) return;
  const response = await fetch(location.href, { headers: { accept: 'text/html' } }).catch(() => undefined);
  if (!response?.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  for (const part of parts) {
    const other = page.getElementById(part.id);
    if (!other || other.innerHTML === part.innerHTML) continue;
    const { activeElement } = document;
    const focused =
      activeElement instanceof HTMLElement && part.contains(activeElement)
        ? activeElement.dataset.api
        : undefined;
    part.replaceChildren(...document.adoptNode(other).childNodes);
    if (focused === undefined) continue;
    const again = part.querySelector<HTMLElement>(`[data-api="${CSS.escape(focused)}"]`);
    (again ?? find('#content')).focus();
  }
}

/** Sends the request that a form or a button describes, and shows what the gateway says. */
async function call(element: HTMLElement, body?: object): Promise<void> {
  const { dataset } = element;
  const form = element.closest('form');
  showProblem('', form);
  const response = await fetch(`/console/api${dataset.api}`, {
    ...(dataset.method !== undefined && { method: dataset.method }),
    headers: { 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  }).catch(() => undefined);
  if (!response) return showProblem(silent, form);
  const value = response.status === 204 ? undefined : await response.json().catch(() => undefined);
  if (!response.ok)
    return showProblem(value?.error?.message ?? `The gateway responded with ${response.status}.`, form);
  if (dataset.shows === 'key') {
    find('#created-key').textContent = value.value;
    find('#created').hidden = false;
  }
  await refresh();
}

type Field = HTMLInputElement | HTMLSelectElement;
type Members = { [name: string]: unknown };

/** Returns the JSON value of a form. The name of a field is the path of its member, such as `change.cut`. */
function readForm(form: HTMLFormElement): Members {
  const body: Members = {};
  for (const field of form.querySelectorAll<Field>('input, select')) {
    if (field.value === '') continue;
    const names = field.name.split('.');
    const last = names.pop() ?? '';
    let at = body;
    for (const name of names) {
      const inner: Members = { ...Object(at[name]) };
      at[name] = inner;
      at = inner;
    }
    at[last] = readField(field);
  }
  return body;
}

function readField({ type, dataset, value }: Field): unknown {
  if ('json' in dataset) return JSON.parse(value);
  if (dataset.unit !== undefined) return value + dataset.unit;
  return type === 'number' ? Number(value) : value;
}

document.addEventListener('submit', (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || form.dataset.api === undefined) return;
  event.preventDefault();
  void call(form, readForm(form));
});
document.addEventListener('click', async (event) => {
  const button = closestTo(event, 'button[data-api], button[data-copies]');
  if (!button || button.ariaDisabled === 'true') return;
  const { copies, confirms } = button.dataset;
  if (copies !== undefined) {
    const source = find(`#${copies}`);
    // What follows the first text is only for screen readers.
    await copyText(button.firstChild ?? button, source.textContent, source);
  } else if (confirms === undefined || confirm(confirms)) await call(button);
});

/** What a cell without a value says. A list of values leaves them out. */
const none = '–';

function formatValue(value: string | number | null, unit = ''): string {
  return value === null || value === '' ? none : value.toLocaleString('en') + unit;
}

const cells: Readonly<Record<(typeof requestColumns)[number]['name'], (row: RequestRow) => Cell>> = {
  Time: ({ at }) => new Date(at).toLocaleTimeString('en-GB'),
  Request: ({ method, path }) => makeOpenButton(method, path),
  Status: ({ status, error, causes }) => ({
    content: [error === unanswered ? none : makeStatus(status), ...makeSign(causes)],
    ...(causes.length > 0 && { title: titlesOf(causes) }),
  }),
  Error: ({ error }) => ({ content: error, title: error }),
  Model: ({ model }) => formatValue(model),
  Key: (row) => ({ content: row.key, title: describeKey(row) }),
  Tokens: ({ tokens }) => formatValue(tokens),
  Cost: ({ cost }) => formatValue(cost),
  Duration: ({ durationMs }) => formatValue(durationMs, ' ms'),
};

const titlesOf = (causes: readonly ShownCause[]): string => causes.map(({ title }) => title).join('; ');

/** The sign of a response that is not the gateway's own, with its reason for screen readers. */
function makeSign(causes: readonly ShownCause[]): readonly HTMLElement[] {
  if (causes.length === 0) return [];
  const sign = make('span', '◆', 'sign');
  sign.ariaHidden = 'true';
  return [sign, make('span', ` ${titlesOf(causes)}`, 'unseen')];
}

function makeCause({ title, about, href }: ShownCause): HTMLElement {
  const name = href === null ? make('strong', title) : make('a', title);
  if (name instanceof HTMLAnchorElement && href !== null) name.href = href;
  return make('li', [name, ...(about === '' ? [] : [make('span', about, 'quiet')])]);
}

function makeCauses(causes: readonly ShownCause[]): readonly HTMLElement[] {
  if (causes.length === 0) return [];
  const list = make('ul', causes.map(makeCause));
  return [make('div', [make('h3', '◆ Changed by'), list], 'notice causes')];
}

function makeMistakes(mistakes: RequestDetail['mistakes']): readonly HTMLElement[] {
  if (mistakes.length === 0) return [];
  const items = mistakes.map(({ duty, says }) => make('li', [...makeProse(says), ` (${duty})`]));
  return [
    make(
      'div',
      [make('p', 'Not as the specification asks of clients:'), make('ul', items)],
      'notice mistakes',
    ),
  ];
}

const describeKey = ({ key, keyEnding }: RequestRow): string =>
  keyEnding === '' ? key : `${key} (…${keyEnding})`;

function makeList(entries: Iterable<readonly [string, string | readonly (Node | string)[]]>): HTMLElement {
  return make(
    'dl',
    [...entries].flatMap(([name, value]) => (value === none ? [] : [make('dt', name), make('dd', value)])),
  );
}

function makeHeaders(entries: readonly (readonly [string, string])[]): HTMLElement {
  const title = `${entries.length} ${entries.length === 1 ? 'header' : 'headers'}`;
  return make('details', [make('summary', title), makeList(entries)]);
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function makeBody(body: unknown): readonly HTMLElement[] {
  if (body === null) return [];
  return [make('pre', typeof body === 'string' ? body : JSON.stringify(body, null, 2))];
}

function makeChunks(chunks: readonly string[]): readonly HTMLElement[] {
  const [first = ''] = chunks;
  if (chunks.length === 1) return [make('pre', pretty(first))];
  return chunks.filter((chunk) => chunk !== '').map((chunk) => make('pre', chunk.trimEnd(), 'chunk'));
}

function makeCurl(line: string): readonly HTMLElement[] {
  const shown = make('pre', line);
  shown.id = 'curl';
  const copy = makeButton('Copy');
  copy.dataset.copies = 'curl';
  return [make('h3', 'As curl'), shown, copy];
}

function makeDetail(found: RequestDetail): readonly HTMLElement[] {
  const { request, response, clause, causes } = found;
  const other = titlesOf(causes.filter(({ determines }) => determines)) || 'no clause of the specification';
  const determined = clause === null ? other : makeProse(`section ${clause}: “${found.quote}”`);
  return [
    make('h2', `${found.method} ${found.path}`),
    ...makeCauses(causes),
    makeList([
      ['Status', found.error === unanswered ? unanswered : String(found.status)],
      ['Error', formatValue(found.error === unanswered ? '' : found.error)],
      ['Determined by', determined],
      ['Answer', formatValue(found.answer.join(', '))],
      ['Trace ID', formatValue(found.traceId)],
      ['Request ID', formatValue(found.requestId)],
      ['Key', describeKey(found)],
      ['Tokens', formatValue(found.tokens)],
      ['Cost', formatValue(found.cost)],
    ]),
    make('h3', 'Request'),
    ...makeMistakes(found.mistakes),
    makeHeaders(Object.entries(request.headers)),
    ...makeBody(request.body),
    make('h3', 'Response'),
    makeHeaders(response.headers),
    ...makeChunks(response.chunks),
    ...(response.ending === 'finish'
      ? []
      : [make('p', 'The gateway closed the connection here.', 'problem')]),
    ...(found.curl === null ? [] : makeCurl(found.curl)),
  ];
}

let count = 0;

function formatCount(known: number): string {
  if (count === 0) return '';
  const kept = count > known ? `, the latest ${known} kept` : '';
  return `${count.toLocaleString('en')} ${count === 1 ? 'request' : 'requests'}${kept}`;
}

/** The list of requests; undefined on the other pages. */
const table =
  document.getElementById('rows') === null
    ? undefined
    : createRequestTable({
        columns: requestColumns,
        cells,
        most: 1000,
        textsOf: ({ method, path, status, error, model, key, traceId, requestId, causes }: RequestRow) => [
          method,
          path,
          status,
          error,
          model,
          key,
          traceId,
          requestId,
          titlesOf(causes),
        ],
        onShow({ known, matching }) {
          find('#none').hidden = known > 0;
          find('#requests').hidden = matching === 0;
          find('#no-match').hidden = known === 0 || matching > 0;
          find('#count').textContent = formatCount(known);
        },
        async load(number) {
          const response = await fetch(`/console/api/requests/${number}`).catch(() => undefined);
          const found = await response?.json().catch(() => undefined);
          if (!response?.ok) throw new Error(found?.error?.message ?? silent);
          return makeDetail(found);
        },
        fail: showProblem,
      });

let refreshing = false;
connect<ConsoleChange>('/console/events', {
  open: () => table?.startOver(),
  receive(change) {
    count = change.count;
    table?.add(change.rows);
    if (refreshing) return;
    refreshing = true;
    setTimeout(() => {
      refreshing = false;
      void refresh();
    }, 500);
  },
  lost: 'Not connected',
});
