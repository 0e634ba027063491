/**
 * The script of the live page. The script receives changes as server-sent events, and shows the latest exchanges that
 * match the filter.
 */
export const liveScript = /* js */ `
'use strict';
(() => {
  const byId = (id) => document.getElementById(id);
  const path = document.querySelector('main').dataset.path;
  const [rows, empty, more, detail, state] = ['rows', 'empty', 'more', 'detail', 'state'].map(byId);
  const [search, outcome, operation, client] = ['search', 'outcome', 'operation', 'client'].map(byId);
  const words = { violates: '✗ failed', warns: '▲ warned', inconclusive: '? inconclusive', conforms: '✓ passed', 'not-applicable': '– not judged' };
  const ends = { 'cut-by-gateway': 'broken off by the gateway', 'cut-by-client': 'broken off by the client', 'cut-by-proxy': 'proxy stopped', 'no-response': 'no response', refused: 'refused by the proxy' };
  const [step, most] = [200, 10000];
  const known = new Map();
  let totals, requirement = '', limit = step, paused = false, scheduled = false, selected;

  const make = (tag, text, name) => {
    const element = document.createElement(tag);
    element.textContent = text;
    if (name) element.className = name;
    return element;
  };
  const fits = ({ entry, text }) => {
    if (requirement !== '' && !entry.broken.includes(requirement)) return false;
    if (outcome.value !== '' && entry.outcome !== outcome.value && entry.ended !== outcome.value) return false;
    if (operation.value !== '' && entry.operation !== operation.value) return false;
    if (client.value !== '' && entry.client !== client.value) return false;
    return search.value.toLowerCase().split(/\\s+/).every((word) => text.includes(word));
  };
  const makeRow = (entry) => {
    const row = document.createElement('tr');
    const mark = make('td', '');
    mark.append(make('span', words[entry.outcome], 'mark ' + entry.outcome));
    const request = make('td', '');
    const open = make('button', (entry.method + ' ' + entry.path).trim());
    open.type = 'button';
    open.title = entry.path;
    request.append(open);
    const end = ends[entry.ended];
    const type = make('td', entry.type);
    if (end) type.append(make('span', (entry.type ? ', ' : '') + end, 'end'));
    type.title = [entry.type, end].filter(Boolean).join(', ');
    const agent = make('td', entry.client);
    agent.title = entry.client + (entry.traceId ? ', trace ID ' + entry.traceId : '');
    row.append(mark, request, make('td', entry.status ?? '–'), type, agent, make('td', entry.durationMs + ' ms', 'number'));
    row.dataset.number = entry.number;
    if (entry.number === selected) row.setAttribute('aria-selected', 'true');
    return row;
  };

  const showRows = () => {
    const wanted = [];
    let matching = 0;
    for (const item of [...known.values()].reverse()) {
      if (!fits(item)) continue;
      matching += 1;
      if (wanted.length < limit) wanted.push(item.row ??= makeRow(item.entry));
    }
    wanted.forEach((row, index) => {
      if (rows.children[index] !== row) rows.insertBefore(row, rows.children[index] ?? null);
    });
    while (rows.children.length > wanted.length) rows.lastChild.remove();
    empty.hidden = wanted.length > 0;
    if (known.size > 0) empty.textContent = 'No exchange matches the filter.';
    more.hidden = matching <= limit;
    more.textContent = 'Show more (' + (matching - limit) + ' hidden)';
    byId('clear').hidden = [search, outcome, operation, client].every(({ value }) => value === '') && requirement === '';
  };
  const showCounts = () => {
    const shown = [['', totals.entries === 1 ? 'exchange' : 'exchanges', totals.entries]];
    for (const [name, count] of Object.entries(totals.outcomes)) if (count > 0) shown.push([name, words[name].slice(2), count]);
    for (const [name, count] of Object.entries(totals.ends)) if (ends[name] && count > 0) shown.push(['', ends[name], count]);
    byId('counts').replaceChildren(...shown.map(([tone, name, count]) => {
      const item = make('li', ' ' + name, tone);
      item.prepend(make('strong', count.toLocaleString('en')));
      return item;
    }));
  };
  const showFindings = () => {
    const list = byId('findings');
    const focused = document.activeElement?.dataset.requirement;
    list.replaceChildren(...totals.findings.map(({ id, outcome: kind, count, says, clause }) => {
      const item = document.createElement('li');
      const button = make('button', '');
      button.type = 'button';
      button.dataset.requirement = id;
      button.setAttribute('aria-pressed', String(id === requirement));
      button.append(make('span', words[kind], 'mark ' + kind), make('span', count + '×', 'number'), make('strong', id), make('span', says.replaceAll('\x60', '') + ' (' + clause.join('; ') + ')', 'says'));
      item.append(button);
      return item;
    }));
    byId('no-findings').hidden = totals.findings.length > 0;
    if (focused) [...list.querySelectorAll('button')].find(({ dataset }) => dataset.requirement === focused)?.focus();
  };
  const addOption = (select, value) => {
    if ([...select.options].some((option) => option.value === value) || select.options.length > 200) return;
    select.append(new Option(value === 'none' ? 'no operation' : value, value));
  };
  const show = () => {
    scheduled = false;
    if (paused || !totals) return;
    showCounts();
    showFindings();
    showRows();
  };
  const schedule = () => {
    if (scheduled) return;
    scheduled = true;
    requestAnimationFrame(show);
  };
  const receive = ({ data }) => {
    const change = JSON.parse(data);
    totals = change.totals;
    for (const entry of change.entries) {
      const { method, path: at, type, traceId, client: agent, status } = entry;
      const before = known.get(entry.number);
      const item = { entry, text: [method, at, type, traceId, agent, status].join(' ').toLowerCase(), row: undefined };
      if (before?.row) before.row.replaceWith(item.row = makeRow(entry));
      known.set(entry.number, item);
      addOption(client, agent);
      addOption(operation, entry.operation);
      if (known.size > most) {
        const [oldest] = known.keys();
        known.delete(oldest);
      }
    }
    schedule();
  };

  const select = async (number) => {
    selected = number;
    for (const row of rows.children) {
      if (Number(row.dataset.number) === number) row.setAttribute('aria-selected', 'true');
      else row.removeAttribute('aria-selected');
    }
    const response = await fetch(path + '/exchanges/' + number).catch(() => undefined);
    const text = response?.ok ? await response.text() : undefined;
    if (selected !== number) return;
    if (text === undefined) detail.replaceChildren(make('p', 'The proxy no longer stores this exchange, or its bodies are too long.', 'quiet'));
    else detail.innerHTML = text;
    history.replaceState(null, '', '#' + number);
    if (!matchMedia('(min-width: 90rem)').matches) detail.scrollIntoView();
    detail.focus({ preventScroll: true });
  };
  rows.addEventListener('click', ({ target }) => {
    const row = target.closest('tr');
    if (row) select(Number(row.dataset.number));
  });
  byId('findings').addEventListener('click', ({ target }) => {
    const button = target.closest('button');
    if (!button) return;
    requirement = requirement === button.dataset.requirement ? '' : button.dataset.requirement;
    show();
  });
  for (const input of [search, outcome, operation, client]) input.addEventListener('input', () => { limit = step; show(); });
  more.addEventListener('click', () => { limit += step; show(); });
  byId('clear').addEventListener('click', () => {
    for (const input of [search, outcome, operation, client]) input.value = '';
    requirement = '';
    show();
  });
  byId('pause').addEventListener('click', ({ target }) => {
    paused = !paused;
    target.setAttribute('aria-pressed', String(paused));
    state.textContent = paused ? 'Paused' : 'Live';
    if (!paused) show();
  });

  const events = new EventSource(path + '/live');
  events.addEventListener('open', () => { known.clear(); rows.replaceChildren(); state.textContent = paused ? 'Paused' : 'Live'; });
  events.addEventListener('error', () => { state.textContent = 'Not connected. Check that the proxy is running.'; });
  events.addEventListener('message', receive);
  const linked = Number(location.hash.slice(1));
  if (linked > 0) select(linked);
})();
`;
