/** The parts of the live page that the report does not have. */
export const liveStyle = /* css */ `
body > header, main { max-width: 110rem; }
.counts { display: flex; flex-wrap: wrap; gap: .5rem; margin-top: 1rem; }
.counts li { padding: .25rem .75rem; border-radius: 7px; background: var(--wash, var(--apart-wash)); color: var(--tone, var(--soft)); font-size: .875rem; }
.counts strong { font-size: 1.0625rem; }
.live-findings { display: grid; gap: .375rem; }
.live-findings button {
  display: grid; grid-template-columns: auto auto 1fr; gap: .125rem .75rem; align-items: baseline; width: 100%; padding: .5rem .875rem;
  font-size: .9375rem; text-align: left;
}
.live-findings button[aria-pressed="true"] { border-color: var(--focus); box-shadow: inset 3px 0 var(--focus); }
.live-findings .number { min-width: 3rem; font-weight: 650; text-align: right; }
.live-findings .says { grid-column: 3; color: var(--soft); font-size: .875rem; }
.live-filter { margin-top: 0; margin-bottom: 1rem; }
.live-filter .select { align-items: center; gap: .5rem; font-size: .875rem; color: var(--soft); }
.live-filter select {
  max-width: 14rem; padding: .375rem .5rem; font: inherit; color: var(--ink); background: var(--card); border: 1px solid var(--strong-line);
  border-radius: 8px;
}
button[aria-pressed="true"] { background: var(--ink); color: var(--page); }
.live-findings button[aria-pressed="true"] { background: var(--card); color: var(--ink); }
.live-columns { display: grid; gap: 1.25rem; }
.live-table { width: 100%; border-collapse: collapse; font-size: .875rem; background: var(--card); border: 1px solid var(--line); table-layout: fixed; }
.live-table th { padding: .5rem .75rem; font-weight: 500; text-align: left; color: var(--soft); }
.live-table td { padding: .25rem .75rem; border-top: 1px solid var(--line); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.live-table th:nth-child(1) { width: 8.5rem; }
.live-table th:nth-child(3) { width: 5rem; }
.live-table th:nth-child(4) { width: 13rem; }
.live-table th:nth-child(5) { width: 12rem; }
.live-table th:nth-child(6) { width: 6rem; }
.live-table .number { text-align: right; }
.live-table tr { cursor: pointer; }
.live-table tbody tr:hover, .live-table tr[aria-selected="true"] { background: var(--sunk); }
.live-table tr[aria-selected="true"] { box-shadow: inset 3px 0 var(--focus); }
.live-table td button {
  width: 100%; padding: .125rem 0; border: 0; background: none; font: .8125rem/1.6 ui-monospace, "SF Mono", Menlo, Consolas, monospace;
  text-align: left; overflow: hidden; text-overflow: ellipsis; white-space: nowrap;
}
.live-table .end { color: var(--warns); }
.live-detail { min-width: 0; padding: 1rem 1.25rem; background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
.live-detail h3 { margin: 0; }
.live-detail .panes { grid-template-columns: 1fr; }
#more { margin-top: .75rem; }
@media (min-width: 90rem) {
  .live-columns { grid-template-columns: minmax(0, 1fr) minmax(0, 34rem); align-items: start; }
  .live-detail { position: sticky; top: 5rem; max-height: calc(100vh - 6rem); overflow-y: auto; }
}
@media (max-width: 60rem) {
  .live-table th:nth-child(5), .live-table td:nth-child(5) { display: none; }
}
@media (max-width: 40rem) {
  .live-table th:nth-child(4), .live-table td:nth-child(4), .live-table th:nth-child(6), .live-table td:nth-child(6) { display: none; }
  .live-table th, .live-table td { padding-inline: .5rem; }
  .live-table th:nth-child(1) { width: 7rem; }
  .live-table th:nth-child(3) { width: 4rem; }
}
`;
