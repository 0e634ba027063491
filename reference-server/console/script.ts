import { liveTable } from '../../common/page/live-table.ts';

/** The script of all pages of the console. The script never inserts a text of a request or response as HTML. */
export const script = /* js */ `
'use strict';
(() => {${liveTable}
  const showProblem = (text) => {
    const problem = byId('problem');
    problem.textContent = text;
    problem.hidden = text === '';
  };

  /** Replaces the parts of this page that show the state of the gateway. */
  const refresh = async () => {
    if (!document.querySelector('[data-live]')) return;
    const response = await fetch(location.href, { headers: { accept: 'text/html' } }).catch(() => undefined);
    if (!response?.ok) return;
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    for (const part of document.querySelectorAll('[data-live]')) {
      const other = page.getElementById(part.id);
      if (!other || other.innerHTML === part.innerHTML) continue;
      const focused = part.contains(document.activeElement) ? document.activeElement.dataset.api : undefined;
      part.replaceChildren(...document.adoptNode(other).childNodes);
      if (focused) (part.querySelector('[data-api="' + CSS.escape(focused) + '"]') ?? byId('content')).focus();
    }
  };
  const call = async ({ dataset }, body) => {
    showProblem('');
    const init = { method: dataset.method, headers: { 'content-type': 'application/json' } };
    if (body) init.body = JSON.stringify(body);
    const response = await fetch('/console/api' + dataset.api, init).catch(() => undefined);
    if (!response) return showProblem('The gateway does not respond. Check that the gateway is running.');
    const value = response.status === 204 ? undefined : await response.json().catch(() => undefined);
    if (!response.ok) return showProblem(value?.error?.message ?? 'The gateway responded with ' + response.status + '.');
    if (dataset.shows === 'key') {
      byId('created-key').textContent = value.value;
      byId('created').hidden = false;
    }
    await refresh();
    return value ?? {};
  };
  document.addEventListener('submit', async (event) => {
    const form = event.target;
    if (!form.dataset.api) return;
    event.preventDefault();
    const body = {};
    for (const input of form.querySelectorAll('input, select')) {
      if (input.value === '') continue;
      const names = input.name.split('.');
      const last = names.pop();
      let at = body;
      for (const name of names) at = at[name] ??= {};
      const { type, dataset, value } = input;
      at[last] = 'json' in dataset ? JSON.parse(value) : type === 'number' || 'number' in dataset ? Number(value) : value;
    }
    await call(form, body);
  });
  document.addEventListener('click', async ({ target }) => {
    const button = target.closest('button[data-api], button[data-copies]');
    if (!button) return;
    if (button.dataset.copies) {
      await navigator.clipboard.writeText(byId(button.dataset.copies).textContent);
      button.textContent = 'Copied';
      return;
    }
    if (button.dataset.confirms && !confirm(button.dataset.confirms)) return;
    await call(button);
  });

  const tone = (status) => status < 400 ? 'conforms' : status < 500 ? 'warns' : 'violates';
  const formatValue = (value, unit = '') => value === null || value === undefined || value === '' ? '–' : value.toLocaleString('en') + unit;
  const makeCells = (row) => {
    const open = make('button', row.method + ' ' + row.path, 'open');
    open.type = 'button';
    const request = make('td', '');
    request.append(open);
    const status = make('td', '');
    status.append(make('span', row.status, 'status ' + tone(row.status)));
    const error = make('td', row.error);
    error.title = row.error;
    return [make('td', new Date(row.at).toLocaleTimeString('en-GB')), request, status, error, make('td', row.model || '–'), make('td', row.key),
      make('td', formatValue(row.tokens), 'number'), make('td', formatValue(row.cost), 'number'), make('td', formatValue(row.durationMs, ' ms'), 'number')];
  };

  const list = (entries) => {
    const element = document.createElement('dl');
    for (const [name, value] of entries) element.append(make('dt', name), make('dd', value));
    return element;
  };
  const makeHeaderDetails = (entries) => {
    const element = document.createElement('details');
    element.append(make('summary', entries.length + (entries.length === 1 ? ' header' : ' headers')), list(entries));
    return element;
  };
  const pretty = (text) => {
    try { return JSON.stringify(JSON.parse(text), null, 2); } catch { return text; }
  };
  const makeDetail = (found) => {
    const { request, response } = found;
    const parts = [
      make('h2', found.method + ' ' + found.path),
      list([['Status', String(found.status)], ['Error', formatValue(found.error)], ['Determined by', found.clause ? 'section ' + found.clause + ': “' + found.quote + '”' : 'no clause of the specification'],
        ['Trace ID', formatValue(found.traceId)], ['Request ID', formatValue(found.requestId)], ['Key', found.key], ['Tokens', formatValue(found.tokens)], ['Cost', formatValue(found.cost)]]),
      make('h3', 'Request'), makeHeaderDetails(Object.entries(request.headers)),
      ...(request.body === null ? [] : [make('pre', typeof request.body === 'string' ? request.body : JSON.stringify(request.body, null, 2))]),
      make('h3', 'Response'), makeHeaderDetails(response.headers),
      ...(response.chunks.length === 1 ? [make('pre', pretty(response.chunks[0]))] : response.chunks.filter(Boolean).map((chunk) => make('pre', chunk.trimEnd(), 'chunk'))),
      ...(response.ending === 'finish' ? [] : [make('p', 'The gateway closed the connection here.', 'problem')]),
    ];
    if (found.curl === null) return parts;
    const line = make('pre', found.curl);
    line.id = 'curl';
    const copy = make('button', 'Copy');
    copy.type = 'button';
    copy.dataset.copies = 'curl';
    return [...parts, make('h3', 'As curl'), line, copy];
  };

  let count = 0;
  const table = byId('rows') && createLiveTable({
    most: 1000,
    textsOf: (row) => [row.method, row.path, row.status, row.error, row.model, row.key, row.traceId, row.requestId],
    cellsOf: makeCells,
    onShow({ known, matching }) {
      byId('none').hidden = known > 0;
      byId('requests').hidden = matching === 0;
      byId('no-match').hidden = known === 0 || matching > 0;
      byId('count').textContent = count === 0 ? '' : count.toLocaleString('en') + (count === 1 ? ' request' : ' requests') + (count > known ? ', the latest ' + known + ' kept' : '');
    },
    async load(number) {
      const response = await fetch('/console/api/requests/' + number).catch(() => undefined);
      const found = await response?.json().catch(() => undefined);
      if (!response?.ok) throw new Error(found?.error?.message ?? 'The gateway does not respond. Check that the gateway is running.');
      return makeDetail(found);
    },
    fail: showProblem,
  });
  let timer;
  connect('/console/events', {
    open: () => table?.startOver(),
    receive(change) {
      count = change.count;
      table?.add(change.rows);
      timer ??= setTimeout(() => { timer = undefined; refresh(); }, 500);
    },
    lost: 'Not connected',
  });
})();
`;
