// Shows the selected cause, and the entries of the requirements and cases that are opened, filters all of them, keeps the
// filter in the address, and copies curl lines and causes. Without this script, the page shows all causes with their evidence.
import { copyText } from '../../../../common/page/browser/copy.ts';
import { closestTo, find, make, makeButton } from '../../../../common/page/browser/dom.ts';
import { unpack } from '../../../../common/page/browser/packed.ts';
import type { PackedEntry } from '../../../../common/page/packed-entry.ts';
import { readSearch } from '../../../../common/page/search.ts';

function all<Kind extends HTMLElement = HTMLElement>(selector: string, root: ParentNode = document): Kind[] {
  return [...root.querySelectorAll<Kind>(selector)];
}

const bar = find('.filter-bar');
const search = find('#search', HTMLInputElement);
const shown = find('#shown');

// Groups of requirements and cases

/** Whether the filter shows an entry of a group with this title. */
type Fits = (entry: PackedEntry, title: string) => boolean;

class Group {
  readonly element: HTMLDetailsElement;
  readonly kind: string;
  readonly title: string;
  private packed: Promise<readonly PackedEntry[]> | undefined;
  private drawn: Fits | undefined;
  private readonly list = make('div');

  constructor(element: HTMLDetailsElement) {
    this.element = element;
    this.kind = element.dataset.kind ?? '';
    this.title = element.querySelector('summary')?.textContent ?? '';
    element.append(this.list);
    element.addEventListener('toggle', () => {
      if (element.open) void this.draw();
    });
  }

  entries(): Promise<readonly PackedEntry[]> {
    const script = this.element.querySelector('script');
    this.packed ??= script ? unpack(script) : Promise.resolve([]);
    return this.packed;
  }

  /** Makes the elements of the entries that the filter shows. */
  async draw(): Promise<void> {
    const wanted = fits;
    if (this.drawn === wanted) return;
    this.drawn = wanted;
    const entries = await this.entries();
    if (this.drawn !== wanted) return;
    this.list.replaceChildren(
      ...entries.filter((entry) => wanted(entry, this.title)).map((entry) => makeEntry(entry, this.kind)),
    );
  }
}

/** The HTML is that of the page, in which all texts are escaped. */
function fill(element: HTMLElement, html: string): void {
  element.innerHTML = html;
  for (const line of all('.curl', element)) addCopyButton(line);
}

function makeEntry([id, outcome, line, body]: PackedEntry, kind: string): HTMLDetailsElement {
  const summary = make('summary');
  fill(summary, line);
  const content = make('div', '', 'entry-body');
  content.id = id;
  const entry = make('details', [summary, content], `entry ${kind}`);
  entry.dataset.outcome = outcome;
  entry.addEventListener('toggle', () => {
    if (entry.open) fillEntry(entry, body);
  });
  bodies.set(entry, body);
  return entry;
}

const bodies = new WeakMap<HTMLDetailsElement, string>();

function fillEntry(entry: HTMLDetailsElement, body: string): void {
  const content = entry.querySelector<HTMLElement>('.entry-body');
  if (content && !content.firstElementChild) fill(content, body);
}

const groups = all<HTMLDetailsElement>('details.group[data-kind]').map((element) => new Group(element));

// The filter

const everything: Fits = () => true;
let fits = everything;

const characters: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&' };
/** Returns the text of HTML. A parser takes several times as long, and a search reads thousands of entries. */
function readText(html: string): string {
  return html
    .replace(/<[^>]*>/g, '')
    .replace(/&(lt|gt|quot|amp);/g, (_, name: string) => characters[name] ?? '');
}

/** Returns a text as it is searched: in lower case, and with each status as `status=500`, too. */
function searchable(text: string): string {
  return text.toLowerCase().replace(/http (\d{3})\b/g, '$& status=$1');
}

const texts = new WeakMap<PackedEntry, string>();
function textOf(entry: PackedEntry): string {
  const known = texts.get(entry);
  if (known !== undefined) return known;
  const [id, , line, body] = entry;
  const text = searchable(`${id} ${readText(`${line} ${body}`)}`);
  texts.set(entry, text);
  return text;
}

const causes = all('.cause');
const causeLinks = new Map(
  all<HTMLAnchorElement>('.causes nav a').map((link) => [decodeURIComponent(link.hash.slice(1)), link]),
);

const causeList = document.querySelector('.causes > nav');

const choices = all<HTMLInputElement>('[name=outcome]', bar);

function chosenOutcome(): string {
  return choices.find(({ checked }) => checked)?.value ?? '';
}

async function filter(): Promise<void> {
  const outcome = chosenOutcome();
  const isActive = outcome !== '' || search.value.trim() !== '';
  const hasWords = readSearch(search.value);
  const wanted: Fits = isActive
    ? (entry, title) =>
        (outcome === '' || entry[1] === outcome) && hasWords(`${title.toLowerCase()} ${textOf(entry)}`)
    : everything;
  fits = wanted;
  if (isActive) shown.textContent = 'Searching …';
  const counts = new Map<string, { found: number; all: number }>();
  const found = new Map<Group, number>();
  for (const group of isActive ? groups : []) {
    const entries = await group.entries();
    if (fits !== wanted) return;
    const count = entries.filter((entry) => wanted(entry, group.title)).length;
    found.set(group, count);
    const { found: before, all: beforeAll } = counts.get(group.kind) ?? { found: 0, all: 0 };
    counts.set(group.kind, { found: before + count, all: beforeAll + entries.length });
  }
  for (const group of groups) {
    const count = found.get(group);
    group.element.hidden = isActive && count === 0;
    const name = group.element.querySelector<HTMLElement>('.group-name');
    if (count === undefined) name?.removeAttribute('data-found');
    else name?.setAttribute('data-found', `${count} found`);
    group.element.open = isActive && opensAll(found) && !group.element.hidden;
    if (group.element.open) await group.draw();
  }
  for (const part of all('.part, #requirements, #cases'))
    part.hidden = isActive && part.querySelector('.group:not([hidden])') === null;
  document.documentElement.classList.toggle('filtered', isActive);
  for (const cause of causes) {
    const isHidden =
      isActive &&
      !((outcome === '' || cause.matches(`.${outcome}`)) && hasWords(searchable(cause.textContent)));
    cause.classList.toggle('filtered', isHidden);
    const item = causeLinks.get(cause.id)?.parentElement;
    if (item) item.hidden = isHidden;
  }
  listAllCauses();
  const text = (kind: string): string => {
    const { found: some, all: every } = counts.get(kind) ?? { found: 0, all: 0 };
    return `${some} of ${every} ${kind}s`;
  };
  const listed = listCauses();
  if (causes.length > 0) find('#no-cause').hidden = listed.length > 0;
  select(listed.find((cause) => cause.matches('.selected')) ?? listed[0]);
  shown.textContent = isActive
    ? `${listed.length} of ${causes.length} causes, ${text('requirement')}, ${text('case')}`
    : '';
}

/** The number of entries up to which a filter opens the groups, and *Expand all* the entries. */
const mostOpened = 200;
function opensAll(found: ReadonlyMap<Group, number>): boolean {
  return [...found.values()].reduce((sum, count) => sum + count, 0) <= mostOpened;
}

/** Filters by a text and an outcome; by none without them. */
async function filterBy(text = '', outcome = ''): Promise<void> {
  search.value = text;
  for (const choice of choices) choice.checked = choice.value === outcome;
  await filter();
}

// The filter in the address, such as `#search=operation%3Dchat&outcome=violates`

/** Returns the filter that the address names; undefined if it names none, but an entry of the page or nothing. */
function readFilter(): { readonly text: string; readonly outcome: string } | undefined {
  const names = new URLSearchParams(location.hash.slice(1));
  const [text, outcome] = [names.get('search'), names.get('outcome')];
  return text === null && outcome === null ? undefined : { text: text ?? '', outcome: outcome ?? '' };
}

/** Writes the filter into the address. An address that names an entry keeps it until something is searched. */
function writeFilter(): void {
  const names = new URLSearchParams();
  if (search.value !== '') names.set('search', search.value);
  if (chosenOutcome() !== '') names.set('outcome', chosenOutcome());
  if (`${names}` !== '' || readFilter()) history.replaceState(null, '', `#${names}`);
}

// Causes

/** Returns the causes that the filter shows. */
function listCauses(): readonly HTMLElement[] {
  return causes.filter((cause) => !cause.matches('.filtered'));
}

/** On a narrow page, the list begins with a few causes, and a button shows all. */
const allCauses = makeButton('', 'all-causes');
function listAllCauses(isWanted = causeList?.matches('.whole') ?? false): void {
  const count = listCauses().length;
  causeList?.classList.toggle('whole', isWanted);
  allCauses.textContent = `All ${count} causes`;
  allCauses.hidden = isWanted || count <= fewCauses;
}
const fewCauses = 3;
allCauses.addEventListener('click', () => {
  listAllCauses(true);
  causeLinks.get(listCauses()[fewCauses]?.id ?? '')?.focus();
});
causeList?.append(allCauses);

const place = make('span', '', 'quiet');
const [previous, next] = [makeButton('Previous'), makeButton('Next')];
const steps = make('span', [place, previous, next], 'steps');
previous.addEventListener('click', () => step(-1, previous));
next.addEventListener('click', () => step(1, next));

function select(cause: HTMLElement | undefined): void {
  for (const other of causes) {
    other.classList.toggle('selected', other === cause);
    const link = causeLinks.get(other.id);
    if (other === cause) link?.setAttribute('aria-current', 'true');
    else link?.removeAttribute('aria-current');
  }
  if (!cause) return;
  const listed = listCauses();
  const index = listed.indexOf(cause);
  place.textContent = `${index + 1} of ${listed.length}`;
  previous.disabled = index === 0;
  next.disabled = index === listed.length - 1;
  if (listed.length > 1) cause.querySelector('.cause-head')?.append(steps);
  else steps.remove();
  const link = causeLinks.get(cause.id);
  if (!link || !causeList) return;
  const [outer, inner] = [causeList.getBoundingClientRect(), link.getBoundingClientRect()];
  if (inner.top < outer.top) causeList.scrollTop -= outer.top - inner.top;
  else if (inner.bottom > outer.bottom) causeList.scrollTop += inner.bottom - outer.bottom;
}

/** Selects a cause, and scrolls to it. */
function show(cause: HTMLElement): void {
  select(cause);
  const { top } = cause.getBoundingClientRect();
  // Next to the list, the page stays where it is if the beginning of the cause can be seen.
  if (top < bar.getBoundingClientRect().bottom || top > innerHeight / 2) cause.scrollIntoView();
}

/** Shows the cause after or before the selected one, and keeps the focus. */
function step(by: 1 | -1, focused?: HTMLElement): void {
  const listed = listCauses();
  const cause = listed[listed.findIndex((one) => one.matches('.selected')) + by];
  if (!cause) return;
  show(cause);
  const link = causeLinks.get(cause.id);
  if (link && !readFilter()) history.replaceState(null, '', link.hash);
  const target = focused?.matches(':disabled') ? (focused === next ? previous : next) : focused;
  (target ?? (document.activeElement?.matches('.causes nav a') ? link : undefined))?.focus({
    preventScroll: true,
  });
}

// Links into the page

/** Opens the cause or the entry that the address names, and all that contains it; or filters by what it names. */
async function reveal(): Promise<void> {
  const wanted = readFilter();
  if (wanted) {
    await filterBy(wanted.text, wanted.outcome);
    find('#findings').scrollIntoView();
    // On a narrow page, the search scrolls away.
    if (bar.getBoundingClientRect().bottom < 0) bar.scrollIntoView();
    return;
  }
  let anchor: string;
  try {
    anchor = decodeURIComponent(location.hash.slice(1));
  } catch {
    return;
  }
  const cause = causes.find(({ id }) => id === anchor);
  if (cause) {
    if (cause.matches('.filtered')) await filterBy();
    show(cause);
    return;
  }
  if (anchor === causeList?.id) listAllCauses(true);
  const group = await findGroup(anchor);
  if (!group) {
    const part = document.getElementById(anchor);
    if (fits === everything || !part || part.getClientRects().length > 0) return;
    await filterBy();
    part.scrollIntoView();
    return;
  }
  if (fits !== everything) await filterBy();
  group.element.open = true;
  await group.draw();
  const content = document.getElementById(anchor);
  const entry = content?.closest('details');
  if (!content || !entry) return;
  fillEntry(entry, bodies.get(entry) ?? '');
  entry.open = true;
  entry.querySelector('summary')?.focus({ preventScroll: true });
  entry.scrollIntoView();
}

async function findGroup(anchor: string): Promise<Group | undefined> {
  const [kind] = anchor.split('/', 1);
  for (const group of groups)
    if (group.kind === kind && (await group.entries()).some(([id]) => id === anchor)) return group;
  return undefined;
}

// Copying

function addCopyButton(line: HTMLElement): void {
  const button = makeButton('Copy curl');
  button.setAttribute('aria-live', 'polite');
  line.append(button);
}

for (const line of all('.curl')) addCopyButton(line);
for (const button of all('.copy-issue')) button.hidden = false;

document.addEventListener('click', (event) => {
  const button = closestTo(event, '.curl button');
  const line = button?.previousElementSibling;
  if (button && line) void copyText(button, line.textContent, line);
  const issue = closestTo(event, '.copy-issue');
  if (issue) void copyText(issue, issue.dataset.text ?? '');
  const link = closestTo(event, 'a[href^="#"]');
  if (link instanceof HTMLAnchorElement && link.hash === location.hash) void reveal();
});
document.addEventListener('keydown', (event) => {
  const isTyping = event.target === search;
  const isModified = event.ctrlKey || event.metaKey || event.altKey;
  if (event.key === '/' && !isTyping && !isModified) {
    event.preventDefault();
    search.focus();
  }
  if (event.key === 'Escape' && isTyping) {
    void filterBy();
    writeFilter();
  }
  const by = steps.isConnected && !isTyping && !isModified ? stepOf(event) : undefined;
  if (!by) return;
  event.preventDefault();
  step(by);
});

/** `j` and `k` go from cause to cause and, in their list, the arrow keys. */
function stepOf(event: KeyboardEvent): 1 | -1 | undefined {
  const isInList = closestTo(event, '.causes nav') !== undefined;
  if (event.key === 'j' || (isInList && event.key === 'ArrowDown')) return 1;
  return event.key === 'k' || (isInList && event.key === 'ArrowUp') ? -1 : undefined;
}

let waiting: number | undefined;
search.addEventListener('input', () => {
  clearTimeout(waiting);
  waiting = setTimeout(filterAndWrite, 120);
});
for (const choice of choices) choice.addEventListener('change', filterAndWrite);

function filterAndWrite(): void {
  writeFilter();
  void filter();
}

/** Opens or closes all groups, and their entries. Many entries take seconds to open, so then only the groups open. */
async function setAll(isOpen: boolean): Promise<void> {
  // The browser then shows the groups at once, not after each.
  if (isOpen) await Promise.all(groups.map((group) => group.entries()));
  for (const group of groups) {
    if (group.element.hidden) continue;
    group.element.open = isOpen;
    if (isOpen) await group.draw();
  }
  const entries = all<HTMLDetailsElement>('.group:not([hidden]) > div > details.entry');
  if (isOpen && entries.length > mostOpened) return;
  for (const entry of entries) {
    entry.open = isOpen;
    if (isOpen) fillEntry(entry, bodies.get(entry) ?? '');
  }
}
find('#expand').addEventListener('click', () => void setAll(true));
find('#collapse').addEventListener('click', () => void setAll(false));

document.documentElement.classList.add('scripted');
bar.hidden = false;
select(causes[0]);
listAllCauses();
addEventListener('hashchange', () => void reveal());
void reveal();
