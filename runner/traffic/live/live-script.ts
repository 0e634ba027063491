import { liveTable } from '../../../common/page/live-table.ts';

/**
 * The script of the live page. The script receives changes as server-sent events, and shows the latest exchanges that
 * match the filter.
 */
export const liveScript = /* js */ `
'use strict';
(() => {${liveTable}
  const path = document.querySelector('main').dataset.path;
  const [search, outcome, operation, client] = ['search', 'outcome', 'operation', 'client'].map(byId);
  const words = { violates: '✗ failed', warns: '▲ warned', inconclusive: '? inconclusive', conforms: '✓ passed', 'not-applicable': '– not judged' };
  const ends = { 'cut-by-gateway': 'broken off by the gateway', 'cut-by-client': 'broken off by the client', 'cut-by-proxy': 'proxy stopped', 'no-response': 'no response', refused: 'refused by the proxy' };
  let totals, requirement = '';

  const fits = (entry) => {
    if (requirement !== '' && !entry.broken.includes(requirement)) return false;
    if (outcome.value !== '' && entry.outcome !== outcome.value && entry.ended !== outcome.value) return false;
    if (operation.value !== '' && entry.operation !== operation.value) return false;
    return client.value === '' || entry.client === client.value;
  };
  const makeCells = (entry) => {
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
    return [mark, request, make('td', entry.status ?? '–'), type, agent, make('td', entry.durationMs + ' ms', 'number')];
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
  const table = createLiveTable({
    most: 10000,
    textsOf: ({ method, path: at, type, traceId, client: agent, status }) => [method, at, type, traceId, agent, status],
    cellsOf: makeCells,
    fits,
    onShow({ known, matching }) {
      if (!totals) return;
      showCounts();
      showFindings();
      byId('empty').hidden = matching > 0;
      if (known > 0) byId('empty').textContent = 'No exchange matches the filter.';
      byId('clear').hidden = [search, outcome, operation, client].every(({ value }) => value === '') && requirement === '';
    },
    async load(number) {
      const response = await fetch(path + '/exchanges/' + number).catch(() => undefined);
      if (!response?.ok) return [make('p', 'The proxy no longer stores this exchange, or its bodies are too long.', 'quiet')];
      // The proxy sends the exchange as HTML in which all texts are escaped.
      const template = document.createElement('template');
      template.innerHTML = await response.text();
      return [template.content];
    },
  });
  byId('findings').addEventListener('click', ({ target }) => {
    const button = target.closest('button');
    if (!button) return;
    requirement = requirement === button.dataset.requirement ? '' : button.dataset.requirement;
    table.filter();
  });
  for (const input of [outcome, operation, client]) input.addEventListener('input', table.filter);
  byId('clear').addEventListener('click', () => {
    for (const input of [search, outcome, operation, client]) input.value = '';
    requirement = '';
    table.filter();
  });
  connect(path + '/live', {
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
})();
`;
