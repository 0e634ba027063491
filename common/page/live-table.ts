/**
 * The functions of a page that shows a table of what its server sends as events. The script of the page contains this
 * text; no function inserts a text as HTML.
 *
 * - `make(tag, text, class)` creates an element.
 * - `connect(url, { open, receive, lost })` calls `open` at each start of the connection and `receive` with each event,
 *   and shows the state in `#state`: `lost` is the text without a connection.
 * - `createLiveTable` shows entries in `#rows`, the latest first, with `#search`, `#pause` and `#more`. An entry has a
 *   `number`, and replaces the earlier one with that number; `most` are kept. `load(number)` resolves to the nodes for
 *   `#detail`, or rejects with the text for `fail`, which gets an empty text otherwise.
 */
export const liveTable = /* js */ `
  const byId = (id) => document.getElementById(id);
  const make = (tag, text, name) => {
    const element = document.createElement(tag);
    element.textContent = text;
    if (name) element.className = name;
    return element;
  };
  const isPaused = () => byId('pause')?.getAttribute('aria-pressed') === 'true';
  const showState = () => { byId('state').textContent = isPaused() ? 'Paused' : 'Live'; };
  const connect = (url, { open, receive, lost }) => {
    const events = new EventSource(url);
    events.addEventListener('open', () => { showState(); open(); });
    events.addEventListener('error', () => { byId('state').textContent = lost; });
    events.addEventListener('message', ({ data }) => receive(JSON.parse(data)));
  };

  const createLiveTable = ({ most, textsOf, cellsOf, fits = () => true, onShow, load, fail = () => {} }) => {
    const [rows, more, search, pause, detail] = ['rows', 'more', 'search', 'pause', 'detail'].map(byId);
    const step = 200;
    const known = new Map();
    let limit = step, scheduled = false, selected;

    const rowOf = (item) => {
      if (item.row) return item.row;
      const { entry } = item;
      const row = document.createElement('tr');
      row.append(...cellsOf(entry));
      row.dataset.number = entry.number;
      if (entry.number === selected) row.setAttribute('aria-selected', 'true');
      return item.row = row;
    };
    const show = () => {
      scheduled = false;
      if (isPaused()) return;
      const words = search.value.toLowerCase().split(/\\s+/);
      const matching = [...known.values()].reverse().filter(({ entry, text }) => words.every((word) => text.includes(word)) && fits(entry));
      const wanted = matching.slice(0, limit).map(rowOf);
      wanted.forEach((row, index) => {
        if (rows.children[index] !== row) rows.insertBefore(row, rows.children[index] ?? null);
      });
      while (rows.children.length > wanted.length) rows.lastChild.remove();
      more.hidden = matching.length <= limit;
      more.textContent = 'Show more (' + (matching.length - limit) + ' hidden)';
      onShow({ known: known.size, matching: matching.length });
    };
    const filter = () => { limit = step; show(); };
    const select = async (number) => {
      selected = number;
      for (const row of rows.children) {
        if (Number(row.dataset.number) === number) row.setAttribute('aria-selected', 'true');
        else row.removeAttribute('aria-selected');
      }
      let parts, problem = '';
      try { parts = await load(number); } catch ({ message }) { problem = message; }
      if (selected !== number) return;
      fail(problem);
      if (!parts) return;
      detail.replaceChildren(...parts);
      detail.hidden = false;
      history.replaceState(null, '', '#' + number);
      if (!matchMedia('(min-width: 90rem)').matches) detail.scrollIntoView();
      detail.focus({ preventScroll: true });
    };
    rows.addEventListener('click', ({ target }) => {
      const row = target.closest('tr');
      if (row) select(Number(row.dataset.number));
    });
    search.addEventListener('input', filter);
    more.addEventListener('click', () => { limit += step; show(); });
    pause.addEventListener('click', () => {
      pause.setAttribute('aria-pressed', String(!isPaused()));
      showState();
      show();
    });
    const linked = Number(location.hash.slice(1));
    if (linked > 0) select(linked);
    return {
      filter,
      startOver: () => known.clear(),
      add(entries) {
        for (const entry of entries) {
          const before = known.get(entry.number);
          const item = { entry, text: textsOf(entry).join(' ').toLowerCase(), row: undefined };
          if (before?.row) before.row.replaceWith(rowOf(item));
          known.set(entry.number, item);
          const [oldest] = known.keys();
          if (known.size > most) known.delete(oldest);
        }
        if (scheduled) return;
        scheduled = true;
        requestAnimationFrame(show);
      },
    };
  };
`;
