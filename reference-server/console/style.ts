/** The styles of the console that the HTML report does not use. */
export const consoleStyle = /* css */ `
body > header, body > nav, main { max-width: 100rem; }
body > nav { align-items: baseline; border-bottom: 1px solid var(--line); margin-bottom: 1.5rem; }
body > nav a { text-decoration: none; padding: .25rem 0 .375rem; border-bottom: 2px solid transparent; }
body > nav a[aria-current] { color: var(--ink); border-color: var(--focus); }
#state { margin-left: auto; font-size: .8125rem; font-weight: 400; }
main:focus { outline: none; }
.card { padding: 1rem 1.25rem; background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
.card > p + button { margin-top: .75rem; }
.card + .card, .card + [data-live], .card + .quiet, main > div > section { margin-top: 1.25rem; }
main > div > section > h2 { margin-bottom: .625rem; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 17rem), 1fr)); gap: 1rem; }
.cards > .card { margin-top: 0; }
.row { display: flex; flex-wrap: wrap; gap: .75rem 1rem; align-items: end; }
li.row, p.row, .filter { align-items: center; }
.list { display: grid; gap: .5rem; padding: 0; }
ol.list { list-style: none; }
.list > .card { margin: 0; }
form h3 { margin-bottom: .5rem; }
form:not(.row) { display: grid; gap: .625rem; align-content: start; }
label { display: grid; gap: .25rem; font-size: .875rem; color: var(--soft); }
input, select {
  width: 100%; min-height: 2.5rem; padding: .375rem .625rem; font: inherit; font-size: .9375rem; color: var(--ink); background: var(--page);
  border: 1px solid var(--strong-line); border-radius: 8px;
}
button {
  padding: .4375rem .875rem; font: inherit; font-size: .9375rem; color: var(--ink); background: var(--card); cursor: pointer;
  border: 1px solid var(--strong-line); border-radius: 8px;
}
button:hover { background: var(--sunk); }
button.primary { color: var(--page); background: var(--ink); border-color: var(--ink); }
button[aria-pressed="true"] { background: var(--ink); color: var(--page); }
li.row button { margin-left: auto; }
.wide { flex: 1 1 20rem; }
.filter { margin-bottom: 1rem; }
.problem { padding: .75rem 1rem; color: var(--violates); background: var(--violates-wash); border-radius: 8px; }
main > .problem:not([hidden]) { margin-bottom: 1rem; }
.notice { margin-top: .75rem; padding: .625rem .875rem; color: var(--warns); background: var(--warns-wash); border-radius: 8px; }
.created:not([hidden]) { border-color: var(--conforms-fill); }
.created code { padding: .375rem .625rem; background: var(--sunk); border-radius: 6px; overflow-wrap: anywhere; }
.amounts { display: flex; flex-wrap: wrap; gap: .5rem 2.5rem; margin: .5rem 0; }
.amounts dt { color: var(--soft); font-size: .875rem; }
.amounts dd { font-size: 1.375rem; font-weight: 600; letter-spacing: -.01em; color: var(--tone, var(--ink)); }
.scroller { position: relative; overflow-x: auto; background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
.data { width: 100%; border-collapse: collapse; font-size: .875rem; }
.data th { font-weight: 500; text-align: left; }
.data thead th { color: var(--soft); white-space: nowrap; }
.data th, .data td { padding: .5rem .875rem; }
.data tbody tr > * { border-top: 1px solid var(--line); }
.data .number { text-align: right; white-space: nowrap; }
.data td button { padding: .1875rem .625rem; font-size: .8125rem; }
.requests td { padding-block: .25rem; white-space: nowrap; max-width: 18rem; overflow: hidden; text-overflow: ellipsis; }
.requests tbody tr { cursor: pointer; }
.requests tbody tr:hover, .requests tr[aria-selected="true"] { background: var(--sunk); }
.requests td .open { width: 100%; padding: .125rem 0; border: 0; background: none; font: .8125rem/1.6 ui-monospace, Menlo, Consolas, monospace; text-align: left; }
.status { display: inline-block; min-width: 2.75rem; padding: 0 .5rem; border-radius: 5px; background: var(--wash); color: var(--tone); font-weight: 650; text-align: center; }
#more { margin: .75rem; }
.columns { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.25rem; }
#detail { min-width: 0; }
#detail summary { margin-bottom: .375rem; font-size: .875rem; color: var(--soft); cursor: pointer; }
#detail h2 { margin-bottom: .5rem; }
#detail h3 { margin: 1.25rem 0 .375rem; }
#detail dl { display: grid; grid-template-columns: max-content 1fr; gap: .125rem 1rem; font-size: .875rem; }
#detail dt { color: var(--soft); }
#detail dd { margin: 0; min-width: 0; }
#detail details { margin-bottom: .5rem; }
pre { padding: .75rem .875rem; background: var(--sunk); border-radius: 8px; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 24rem; overflow-y: auto; }
.chunk { border-left: 3px solid var(--strong-line); margin-top: .375rem; }
.verdict { font-size: 1.375rem; font-weight: 650; color: var(--tone); margin-bottom: .5rem; }
progress { width: min(24rem, 100%); vertical-align: middle; }
[hidden] { display: none !important; }
@media (min-width: 90rem) {
  .columns:has(#detail:not([hidden])) { grid-template-columns: minmax(0, 1fr) minmax(0, 34rem); align-items: start; }
  #detail { position: sticky; top: 1rem; max-height: calc(100vh - 2rem); overflow-y: auto; margin: 0; }
}
@media (max-width: 48rem) {
  .requests :is(th, td):nth-child(n + 5) { display: none; }
  .requests :is(th, td):first-child { display: none; }
  .data .minor { display: none; }
  .data th, .data td { padding-inline: .625rem; white-space: nowrap; }
}
`;
