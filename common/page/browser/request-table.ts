import type { Column } from '../column.ts';
import { closestTo, find, make, makeButton } from './dom.ts';
import { isPaused, showState } from './events.ts';

/** The content of a cell; `title` is the text that the browser shows for a cell that is cut off. */
export type Cell =
  | string
  | { readonly content: string | readonly (Node | string)[]; readonly title?: string };

/** A request that the server sends as an event. It replaces the earlier one with the same number. */
type Numbered = { readonly number: number };

type Item<Entry> = { readonly entry: Entry; readonly text: string; row?: HTMLTableRowElement };

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
const step = 200;

/** The first cell of a request that opens it by keyboard, too. */
export function makeOpenButton(method: string, path: string): Cell {
  return { content: [makeButton(`${method} ${path}`.trim(), 'open')], title: path };
}

/** Shows requests in `#rows`, the latest first, with `#search`, `#pause`, `#more` and `#detail`. */
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
  let selected: number | undefined;

  const makeCell = (entry: Entry, { name, number }: Column<Name>): HTMLTableCellElement => {
    const cell = cells[name](entry);
    if (typeof cell === 'string') return make('td', cell, number ? 'number' : '');
    const element = make('td', cell.content);
    if (cell.title !== undefined) element.title = cell.title;
    return element;
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
    scheduled = false;
    if (isPaused()) return;
    const words = search.value.toLowerCase().split(/\s+/);
    const matching = [...known.values()]
      .reverse()
      .filter(({ entry, text }) => words.every((word) => text.includes(word)) && fits(entry));
    const wanted = matching.slice(0, limit).map(rowOf);
    for (const [index, row] of wanted.entries())
      if (rows.children[index] !== row) rows.insertBefore(row, rows.children[index] ?? null);
    while (rows.children.length > wanted.length) rows.lastChild?.remove();
    more.hidden = matching.length <= limit;
    more.textContent = `Show more (${matching.length - limit} hidden)`;
    onShow({ known: known.size, matching: matching.length });
  };
  const filter = (): void => {
    limit = step;
    show();
  };
  const select = async (number: number): Promise<void> => {
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
    detail.replaceChildren(...parts);
    detail.hidden = false;
    history.replaceState(null, '', `#${number}`);
    if (!matchMedia('(min-width: 90rem)').matches) detail.scrollIntoView();
    detail.focus({ preventScroll: true });
  };

  rows.addEventListener('click', (event) => {
    const number = Number(closestTo(event, 'tr')?.dataset.number);
    if (number > 0) void select(number);
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
        const item: Item<Entry> = { entry, text: textsOf(entry).join(' ').toLowerCase() };
        before?.row?.replaceWith(rowOf(item));
        known.set(entry.number, item);
        const [oldest] = known.keys();
        if (known.size > most && oldest !== undefined) known.delete(oldest);
      }
      if (scheduled) return;
      scheduled = true;
      requestAnimationFrame(show);
    },
  };
}
