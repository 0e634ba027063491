// Filters the requirements and cases, copies curl lines, and opens the target of a link. The page is complete without this
// script: all details can be opened.
import { closestTo, find, makeButton } from '../../../../common/page/browser/dom.ts';

function all<Kind extends HTMLElement = HTMLElement>(selector: string, root: ParentNode = document): Kind[] {
  return [...root.querySelectorAll<Kind>(selector)];
}

const bar = find('.filter-bar');
const search = find('#search', HTMLInputElement);
const entries = all<HTMLDetailsElement>('.entry');
const groups = all<HTMLDetailsElement>('#cases .group');
const openAtFirst = new Map(groups.map((group) => [group, group.open]));
const texts = new Map<HTMLElement, string>();

function textOf(entry: HTMLElement): string {
  const known = texts.get(entry);
  if (known !== undefined) return known;
  const title = entry.closest('.group')?.querySelector('summary')?.textContent ?? '';
  const text = `${title} ${entry.textContent}`.toLowerCase();
  texts.set(entry, text);
  return text;
}

const isEmpty = (part: HTMLElement): boolean => part.querySelector('.entry:not([hidden])') === null;

function filter(): void {
  const outcome = bar.querySelector<HTMLInputElement>('[name=outcome]:checked')?.value ?? '';
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const active = outcome !== '' || words.length > 0;
  const fits = (entry: HTMLElement): boolean =>
    (outcome === '' || entry.dataset.outcome === outcome) &&
    words.every((word) => textOf(entry).includes(word));
  for (const entry of entries) entry.hidden = active && !fits(entry);
  for (const group of groups) {
    group.hidden = isEmpty(group);
    group.open = active ? !group.hidden : (openAtFirst.get(group) ?? false);
  }
  for (const part of all('.part')) part.hidden = isEmpty(part);
  const count = (kind: string): string => {
    const ofKind = entries.filter((entry) => entry.matches(kind));
    return `${ofKind.filter(({ hidden }) => !hidden).length} of ${ofKind.length}`;
  };
  find('#shown').textContent = active ? `${count('.requirement')} requirements, ${count('.case')} cases` : '';
}

function clear(): void {
  search.value = '';
  const any = bar.querySelector<HTMLInputElement>('[name=outcome][value=""]');
  if (any) any.checked = true;
  filter();
}

/** Opens the entry that the address names, and all that contains it. */
function reveal(): void {
  let anchor: string;
  try {
    anchor = decodeURIComponent(location.hash.slice(1));
  } catch {
    return;
  }
  const target = document.getElementById(anchor);
  const entry = target?.closest<HTMLDetailsElement>('details.entry');
  if (!target || !entry) return;
  if (entry.hidden) clear();
  let part: HTMLDetailsElement | null | undefined = entry;
  while (part) {
    part.open = true;
    part = part.parentElement?.closest('details');
  }
  entry.querySelector('summary')?.focus({ preventScroll: true });
  target.scrollIntoView();
}

async function copy(button: HTMLElement, line: Element): Promise<void> {
  let done = true;
  try {
    await navigator.clipboard.writeText(line.textContent ?? '');
  } catch {
    // A page from a file may have no access to the clipboard.
    getSelection()?.selectAllChildren(line);
    done = document.execCommand('copy');
  }
  button.textContent = done ? 'Copied' : 'Press Ctrl+C';
  setTimeout(() => {
    button.textContent = 'Copy curl';
  }, 2000);
}

for (const line of all('.curl')) {
  const button = makeButton('Copy curl');
  button.setAttribute('aria-live', 'polite');
  line.append(button);
}
document.addEventListener('click', (event) => {
  const button = closestTo(event, '.curl button');
  const line = button?.previousElementSibling;
  if (button && line) void copy(button, line);
  const link = closestTo(event, 'a[href^="#"]');
  if (link instanceof HTMLAnchorElement && link.hash === location.hash) reveal();
});
document.addEventListener('keydown', (event) => {
  const typing = event.target === search;
  if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    search.focus();
  }
  if (event.key === 'Escape' && typing) clear();
});
let waiting: number | undefined;
search.addEventListener('input', () => {
  clearTimeout(waiting);
  waiting = setTimeout(filter, 120);
});
bar.addEventListener('change', ({ target }) => {
  if (target instanceof HTMLInputElement && target.name === 'outcome') filter();
});

function setAll(open: boolean): void {
  for (const part of [...groups, ...entries]) if (!part.hidden) part.open = open;
}
find('#expand').addEventListener('click', () => setAll(true));
find('#collapse').addEventListener('click', () => setAll(false));
bar.hidden = false;
addEventListener('hashchange', reveal);
reveal();
