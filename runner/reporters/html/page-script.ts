/**
 * The script of the page, which filters requirements and cases, copies curl lines, and opens the target of a link. The
 * page is complete without the script: all details can be opened.
 */
export const pageScript = /* js */ `
'use strict';
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const bar = document.querySelector('.filter-bar');
  const search = document.querySelector('#search');
  const shown = document.querySelector('#shown');
  const entries = all('.entry');
  const groups = all('#cases .group');
  const openAtFirst = new Map(groups.map((group) => [group, group.open]));
  const texts = new Map();
  const textOf = (entry) => {
    if (!texts.has(entry)) texts.set(entry, (entry.closest('.group')?.querySelector('summary').textContent ?? '') .concat(' ', entry.textContent).toLowerCase());
    return texts.get(entry);
  };

  const filter = () => {
    const outcome = document.querySelector('[name=outcome]:checked').value;
    const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
    const active = outcome !== '' || words.length > 0;
    const fits = (entry) =>
      (outcome === '' || entry.dataset.outcome === outcome) && words.every((word) => textOf(entry).includes(word));
    for (const entry of entries) entry.hidden = active && !fits(entry);
    for (const group of groups) {
      group.hidden = all('.entry:not([hidden])', group).length === 0;
      group.open = active ? !group.hidden : openAtFirst.get(group);
    }
    for (const part of all('.part')) part.hidden = all('.entry:not([hidden])', part).length === 0;
    const count = (kind) => entries.filter((entry) => entry.matches(kind) && !entry.hidden).length + ' of ' + entries.filter((entry) => entry.matches(kind)).length;
    shown.textContent = active ? count('.requirement') + ' requirements, ' + count('.case') + ' cases' : '';
  };
  const clear = () => {
    search.value = '';
    document.querySelector('[name=outcome][value=""]').checked = true;
    filter();
  };

  const reveal = () => {
    let anchor;
    try { anchor = decodeURIComponent(location.hash.slice(1)); } catch { return; }
    const target = document.getElementById(anchor);
    const entry = target?.closest('.entry');
    if (!entry) return;
    if (entry.hidden) clear();
    for (let part = entry; part; part = part.parentElement.closest('details')) part.open = true;
    entry.querySelector('summary').focus({ preventScroll: true });
    target.scrollIntoView();
  };

  const copy = async (button, text) => {
    let done = true;
    try { await navigator.clipboard.writeText(text); } catch { done = false; }
    if (!done) {
      getSelection().selectAllChildren(button.previousElementSibling);
      done = document.execCommand('copy');
    }
    button.textContent = done ? 'Copied' : 'Press Ctrl+C';
    setTimeout(() => { button.textContent = 'Copy curl'; }, 2000);
  };

  for (const line of all('.curl')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Copy curl';
    button.setAttribute('aria-live', 'polite');
    line.append(button);
  }
  document.addEventListener('click', ({ target }) => {
    const button = target.closest('.curl button');
    if (button) copy(button, button.previousElementSibling.textContent);
    const link = target.closest('a[href^="#"]');
    if (link && link.hash === location.hash) reveal();
  });
  document.addEventListener('keydown', (event) => {
    const typing = event.target.matches('input[type=search]');
    if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      search.focus();
    }
    if (event.key === 'Escape' && typing) clear();
  });
  let waiting;
  search.addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = setTimeout(filter, 120);
  });
  bar.addEventListener('change', ({ target }) => { if (target.name === 'outcome') filter(); });
  const setAll = (open) => {
    for (const part of [...groups, ...entries]) if (!part.hidden) part.open = open;
  };
  document.querySelector('#expand').addEventListener('click', () => setAll(true));
  document.querySelector('#collapse').addEventListener('click', () => setAll(false));
  bar.hidden = false;
  addEventListener('hashchange', reveal);
  reveal();
})();
`;
