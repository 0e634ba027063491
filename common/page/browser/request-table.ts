import type { Column } from '../column.ts';
import { readSearch } from '../search.ts';
import { closestTo, find, make, makeButton } from './dom.ts';
import { isPaused, showState } from './events.ts';

/** The content of a cell; `title` is the text that the browser shows for a cell that is cut off. */
export type Cell =
  | string
  | { readonly content: string | readonly (Node | string)[]; readonly title?: string };

/** A request that the server sends as an event. It replaces the earlier one with the same number. */
type Numbered = { readonly number: number };

type Item<Entry> = {
  readonly entry: Entry;
  /** The text that is searched, made at the first search. */
  text?: string;
  row?: HTMLTableRowElement;
};

/** The parts of a table of requests that differ between two pages. */
export type RequestTableOptions<Entry extends Numbered, Name extends string> = {
  readonly columns: readonly Column<Name>[];
  readonly cells: Readonly<Record<Name, (entry: Entry) => Cell>>;
  /** The number of requests to keep. */
  readonly most: number;
  /** The texts that `#search` searches. */
  readonly textsOf: (entry: Entry) => readonly (string | number | undefined)[];
  readonly fits?: (entry: Entry) => boolean;
  readonly onShow: (counts: { readonly known: number; readonly matching: number }) => void;
  /** Resolves to the nodes for `#detail`, or rejects with the message for `fail`. */
  readonly load: (number: number) => Promise<readonly Node[]>;
  /** Shows why a request could not be loaded; an empty text if it could. */
  readonly fail?: (problem: string) => void;
};

export type RequestTable<Entry> = {
  readonly add: (entries: readonly Entry[]) => void;
  /** Shows the requests after the filter has changed. */
  readonly filter: () => void;
  readonly startOver: () => void;
};

/** Requests that are shown at first, and that `#more` adds. */
const step = 100;
/** The longest time between two changes of the table while requests arrive, in milliseconds. */
const longestWait = 1000;
/** The width from which the detail is next to the list, as in `request-table.css`. */
const wide = '(min-width: 68.75rem)';

function replace(row: HTMLElement, by: HTMLElement): void {
  const hadFocus = row.contains(document.activeElement);
  row.replaceWith(by);
  if (hadFocus) by.querySelector<HTMLElement>('.open')?.focus({ preventScroll: true });
}

/** The first cell of a request that opens it by keyboard, too. */
export function makeOpenButton(method: string, path: string): Cell {
  return { content: [makeButton(`${method} ${path}`.trim(), 'open')], title: path };
}

/**
 * Shows requests in `#rows`, the latest first, with `#search`, `#pause`, `#more` and `#detail`. The arrow keys, `j` and
 * `k` go from row to row, with the detail next to them on a wide page, and Escape closes the detail.
 */
export function createRequestTable<Entry extends Numbered, Name extends string>({
  columns,
  cells,
  most,
  textsOf,
  fits = () => true,
  onShow,
  load,
  fail = () => {},
}: RequestTableOptions<Entry, Name>): RequestTable<Entry> {
  const [rows, more, pause, detail] = [find('#rows'), find('#more'), find('#pause'), find('#detail')];
  const search = find('#search', HTMLInputElement);
  const known = new Map<number, Item<Entry>>();
  let limit = step;
  let scheduled = false;
  let next = 0;
  let selected: number | undefined;

  const makeCell = (entry: Entry, { name, number }: Column<Name>): HTMLTableCellElement => {
    const cell = cells[name](entry);
    const { content, title = '' } = typeof cell === 'string' ? { content: cell } : cell;
    const element = make('td', content, number ? 'number' : '');
    element.dataset.column = name;
    if (title !== '') element.title = title;
    return element;
  };
  /** Returns the text that is searched: the texts of the page, and each cell as `column=text`. */
  const textOf = ({ entry }: Item<Entry>): string => {
    const named = columns
      .filter(({ number }) => !number)
      .map((column) => `${column.name}=${makeCell(entry, column).textContent}`);
    return [...textsOf(entry), ...named].join(' ').toLowerCase();
  };
  const rowOf = (item: Item<Entry>): HTMLTableRowElement => {
    if (item.row) return item.row;
    const { entry } = item;
    item.row = make(
      'tr',
      columns.map((column) => makeCell(entry, column)),
    );
    item.row.dataset.number = String(entry.number);
    if (entry.number === selected) item.row.setAttribute('aria-selected', 'true');
    return item.row;
  };
  const show = (): void => {
    if (isPaused()) return;
    const isSearched = search.value.trim() !== '';
    const fitsSearch = readSearch(search.value);
    const matching = [...known.values()].reverse().filter((item) => {
      if (isSearched) item.text ??= textOf(item);
      return fitsSearch(item.text ?? '') && fits(item.entry);
    });
    const wanted = matching.slice(0, limit).map(rowOf);
    for (const [index, row] of wanted.entries())
      if (rows.children[index] !== row) rows.insertBefore(row, rows.children[index] ?? null);
    while (rows.children.length > wanted.length) rows.lastChild?.remove();
    more.hidden = matching.length <= limit;
    more.textContent = `Show more (${matching.length - limit} hidden)`;
    onShow({ known: known.size, matching: matching.length });
  };
  // While many requests arrive, the browser gets several times as long for its user as it took to show the last ones.
  const schedule = (): void => {
    if (scheduled) return;
    scheduled = true;
    const draw = (): void => {
      scheduled = false;
      const begin = performance.now();
      show();
      // This runs after the layout, which takes longer than the script.
      setTimeout(() => {
        const now = performance.now();
        next = now + Math.min(longestWait, 4 * (now - begin));
      });
    };
    setTimeout(() => requestAnimationFrame(draw), next - performance.now());
  };
  const filter = (): void => {
    limit = step;
    show();
  };
  const select = async (number: number, keepsFocus = false): Promise<void> => {
    selected = number;
    for (const { entry, row } of known.values()) {
      if (entry.number === number) row?.setAttribute('aria-selected', 'true');
      else row?.removeAttribute('aria-selected');
    }
    let parts: readonly Node[] | undefined;
    let problem = '';
    try {
      parts = await load(number);
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error);
    }
    if (selected !== number) return;
    fail(problem);
    if (!parts) return;
    detail.replaceChildren(closeButton, ...parts);
    detail.hidden = false;
    detail.scrollTop = 0;
    history.replaceState(null, '', `#${number}`);
    if (!matchMedia(wide).matches) detail.scrollIntoView();
    if (!keepsFocus) detail.focus({ preventScroll: true });
  };
  const close = (): void => {
    const row = selected === undefined ? undefined : known.get(selected)?.row;
    selected = undefined;
    row?.removeAttribute('aria-selected');
    detail.hidden = true;
    history.replaceState(null, '', location.pathname + location.search);
    const button = row?.querySelector<HTMLElement>('.open');
    (button ?? search).focus({ preventScroll: true });
    button?.scrollIntoView({ block: matchMedia(wide).matches ? 'nearest' : 'center' });
  };
  const closeButton = makeButton(
    [make('span', 'Close', 'when-wide'), make('span', 'Back to the list', 'when-narrow')],
    'close',
  );

  rows.addEventListener('click', (event) => {
    const row = closestTo(event, 'tr');
    const number = Number(row?.dataset.number);
    // After a click with a mouse, the arrow keys go on from this row. A keyboard, which has no count, goes to the detail.
    const keepsFocus = event.detail > 0 && matchMedia(wide).matches;
    if (keepsFocus) row?.querySelector<HTMLElement>('.open')?.focus({ preventScroll: true });
    if (number > 0) void select(number, keepsFocus);
  });
  document.addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey } = event;
    const focused = closestTo(event, '#rows tr');
    const isNext = key === 'j' || (focused && key === 'ArrowDown');
    const isPrevious = key === 'k' || (focused && key === 'ArrowUp');
    if (
      (!isNext && !isPrevious) ||
      ctrlKey ||
      metaKey ||
      altKey ||
      closestTo(event, 'input, select, textarea')
    )
      return;
    const row = focused ?? (selected === undefined ? undefined : known.get(selected)?.row);
    const other = row
      ? isNext
        ? row.nextElementSibling
        : row.previousElementSibling
      : rows.firstElementChild;
    const button = other?.querySelector<HTMLElement>('.open');
    if (!(other instanceof HTMLElement) || !button) return;
    event.preventDefault();
    button.focus();
    if (matchMedia(wide).matches) void select(Number(other.dataset.number), true);
  });
  closeButton.addEventListener('click', close);
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape' && selected !== undefined && !detail.hidden) close();
  });
  search.addEventListener('input', filter);
  more.addEventListener('click', () => {
    limit += step;
    show();
  });
  pause.addEventListener('click', () => {
    pause.setAttribute('aria-pressed', String(!isPaused()));
    showState();
    show();
  });
  const linked = Number(location.hash.slice(1));
  if (linked > 0) void select(linked);

  return {
    filter,
    startOver: () => known.clear(),
    add(entries) {
      for (const entry of entries) {
        const before = known.get(entry.number);
        const item: Item<Entry> = { entry };
        if (before?.row?.isConnected) replace(before.row, rowOf(item));
        known.set(entry.number, item);
        const [oldest] = known.keys();
        if (known.size > most && oldest !== undefined) known.delete(oldest);
      }
      schedule();
    },
  };
}
