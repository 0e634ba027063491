/** The styles of the entries of requirements and cases, and of the exchanges in these entries. */
export const entries = /* css */ `
.part { margin-top: 2rem; }
.part > h3 { display: flex; flex-wrap: wrap; align-items: baseline; gap: .125rem .625rem; margin-bottom: .5rem; }
.part > h3 .clause { min-width: 1.75rem; font-weight: 500; }
.tally { display: inline-flex; gap: .75rem; font-size: .8125rem; font-weight: 500; }
.tally > span { color: var(--tone); white-space: nowrap; }
summary { cursor: pointer; border-radius: 6px; }
.entry, .group { background: var(--card); border: 1px solid var(--line); border-bottom-width: 0; }
.part > h3 + .entry, .part > h3 + .group, #observations .quiet + .group { border-radius: 10px 10px 0 0; }
.part > :last-child, #observations > :last-child { border-bottom-width: 1px; border-radius: 0 0 10px 10px; }
.part > h3 + :last-child, #observations > .quiet + :last-child { border-radius: 10px; }
.entry > summary, .group > summary {
  display: grid; align-items: baseline; gap: .125rem .75rem; padding: .5625rem 1rem; list-style: none;
}
summary::-webkit-details-marker { display: none; }
.entry > summary:hover, .group > summary:hover { background: var(--sunk); }
.entry > summary { grid-template-columns: 8.25rem 1fr auto auto; }
.entry > summary .mark { justify-self: start; }
.entry > summary .mark:is(.conforms, .not-applicable) { background: none; font-weight: 500; }
.requirement-id { font-size: .8125rem; text-align: right; }
.group > summary { grid-template-columns: auto 1fr; }
.group > summary::before, .more > summary::before { content: "▸"; color: var(--soft); transition: rotate .12s; }
.group > summary::before { grid-row: span 2; }
.group > summary > .about:only-child { grid-column: 2; }
.group[open] > summary::before, .more[open] > summary::before { rotate: 90deg; }
.group-name { font-weight: 600; }
.group > summary .tally { grid-column: 2; grid-row: 1; justify-self: end; }
.group > summary .group-name { grid-column: 2; grid-row: 1; padding-right: 8rem; }
.group > summary .about { grid-column: 2; font-size: .875rem; }
.group .entry { border-width: 1px 0 0; border-radius: 0; }
.group > .entry > summary { padding-left: 2.25rem; padding-block: .375rem; font-size: .9375rem; }
.axes small { font-size: .8125rem; color: var(--soft); }
.axes > span { margin-right: .75rem; }
.tag { padding: 0 .5rem; font-size: .8125rem; color: var(--soft); border: 1px solid var(--strong-line); border-radius: 5px; }
.entry-body { padding: .25rem 1rem 1.5rem; scroll-margin-top: 8.5rem; }
.entry:has(> .entry-body:target) { box-shadow: inset 3px 0 var(--focus); }
.permalink { font-size: .8125rem; }
.entry-body dl { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1.25rem; margin-top: .75rem; font-size: .9375rem; }
.entry-body dt { color: var(--soft); }
.entry-body h4 { margin: 1.25rem 0 .375rem; }
.checks { display: grid; gap: .375rem; }
.checks, .passed { margin-top: .75rem; font-size: .9375rem; }
.passed { display: flex; flex-wrap: wrap; align-items: baseline; gap: .25rem .75rem; }
.checks:empty { display: none; }
.reason { color: var(--soft); }
.broken .says { display: block; margin-top: .25rem; }
.finding { padding: .75rem 0; }
.finding + .finding { border-top: 1px solid var(--line); }
.finding .message { margin-bottom: .375rem; }
.links { display: grid; gap: .125rem; font-size: .875rem; }
.group > .links, .group > .exchange { padding: .25rem 1rem 1rem 2.25rem; }
.more { margin-top: .25rem; font-size: .875rem; }
.more > summary { display: inline-flex; gap: .5rem; padding: .125rem .25rem; color: var(--link); list-style: none; }

.exchange { margin-top: 1.5rem; }
.exchange-title { display: flex; flex-wrap: wrap; gap: .125rem 1.25rem; font-size: .8125rem; color: var(--soft); }
.exchange-title strong { color: var(--ink); }
.broken { margin-top: .875rem; }
.comparison { width: 100%; margin-top: .5rem; border-collapse: collapse; font-size: .875rem; table-layout: fixed; }
.comparison th, .comparison td { padding: .375rem .75rem; text-align: left; vertical-align: top; border: 1px solid var(--line); }
.comparison thead th { font-size: .8125rem; font-weight: 600; color: var(--soft); }
.comparison th:first-child { width: 13rem; font-weight: 500; }
.comparison .way { font-weight: 400; color: var(--soft); background: var(--sunk); }
.comparison .expected { background: var(--conforms-wash); }
.comparison .expected::before { content: "✓ "; color: var(--conforms); font-weight: 700; }
.comparison .received { background: var(--violates-wash); }
.comparison .received::before { content: "✗ "; color: var(--violates); font-weight: 700; }
.panes { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); gap: 1rem; margin-top: .875rem; }
.pane { min-width: 0; margin: 0; }
.exchange > .pane { margin-top: .875rem; }
.pane figcaption { font-size: .8125rem; font-weight: 600; color: var(--soft); }
.pane pre, .curl {
  margin-top: .375rem; background: var(--sunk); border: 1px solid var(--line); border-radius: 8px;
}
.pane pre { padding: .75rem 1rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.pane mark {
  display: block; margin-inline: -1rem; padding-inline: calc(1rem - 3px) 1rem; color: var(--ink); background: var(--violates-wash);
  border-left: 3px solid var(--violates);
}
.pane .note { color: var(--violates); font-weight: 600; }
.curl { display: flex; align-items: start; gap: .75rem; margin-top: .875rem; padding: .5rem .5rem .5rem 1rem; }
.curl code { flex: 1; min-width: 0; padding-block: .1875rem; overflow-wrap: anywhere; white-space: pre-wrap; }
.curl button { flex: none; min-width: 5.75rem; }
[hidden] { display: none !important; }
`;

/** The styles of findings, the grid of credentials and the filter. */
export const findings = /* css */ `
.mark {
  display: inline-block; padding: .0625rem .5rem; border-radius: 5px; background: var(--wash); color: var(--tone);
  font-size: .8125rem; font-weight: 600; white-space: nowrap;
}
.headlines { display: grid; gap: .25rem; max-width: 60rem; margin-top: 1rem; padding-left: 1rem; border-left: 4px solid var(--violates-fill); font-size: 1.125rem; font-weight: 600; color: var(--ink); }
.headlines code { font-size: .9em; }
.broken-list { display: grid; gap: .75rem; margin: 0; padding: 0; list-style: none; }
.cause-head { display: flex; flex-wrap: wrap; align-items: baseline; gap: .25rem .75rem; }
.broken-list > li > h4 { margin: .5rem 0 0; font-size: 1.0625rem; line-height: 1.4; font-weight: 650; color: var(--ink); }
.clauses { display: grid; gap: .25rem; margin-top: .5rem; padding-left: .875rem; border-left: 3px solid var(--line); font-size: .9375rem; }
.clauses .clause { margin-right: .5rem; font-size: .8125rem; }
.clauses q { quotes: "“" "”"; }
.entry-body dd > .clauses { margin: 0; padding: 0; border: 0; }
.example { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1rem; margin-top: .75rem; font-size: .9375rem; }
.example dt { color: var(--soft); }
.violated h5 { margin: .875rem 0 .25rem; }
.messages { margin-top: .375rem; font-size: .9375rem; color: var(--soft); }
.broken-list + .more { margin-top: .75rem; }
.broken-list > li {
  padding: 1rem 1.25rem; background: var(--card); border: 1px solid var(--line); border-radius: 10px;
}
.broken-list > li > p:first-child { display: flex; flex-wrap: wrap; align-items: baseline; gap: .25rem .75rem; }
.broken-list > li > p:first-child a { font-weight: 600; }
.broken-list .clause { font-size: .8125rem; }
.broken-list .says { margin-top: .375rem; }
.found { display: grid; gap: .25rem; margin-top: .625rem; font-size: .9375rem; }
.found > li { display: flex; flex-wrap: wrap; gap: .125rem .75rem; padding-left: 1.25rem; color: var(--soft); }
.found > li::before { content: "→"; width: 1.25rem; margin-left: -1.25rem; margin-right: -.75rem; color: var(--tone); }
.found > li > p { max-width: 100%; }
.found > li > .more { margin: 0; }
.found > li > .more[open] { width: 100%; }
.expected-failures { gap: .375rem; }
h3 code, h4 code { font-size: .9em; }
#findings > h3, #traffic h3 { margin: 1.75rem 0 .75rem; }
#traffic h3 + .quiet { margin-bottom: .75rem; }
.kept-duties { margin-top: .75rem; font-size: .9375rem; }
.unjudged { display: grid; gap: .5rem; }
.unjudged > li { display: grid; grid-template-columns: 8.5rem 3.5rem 1fr; align-items: baseline; }
.unjudged.counted > li { grid-template-columns: 3.5rem 1fr; }
.unjudged .mark { justify-self: start; }
.unjudged .number { padding-right: .75rem; text-align: right; white-space: nowrap; }

#models .links { display: flex; flex-wrap: wrap; gap: .125rem 1rem; margin-top: .5rem; }
#models .broken-list + .more { margin-top: 1rem; }
.models { overflow-wrap: anywhere; }
.counts { width: 100%; border-collapse: collapse; font-size: .875rem; }
.counts th, .counts td { padding: .25rem .75rem; text-align: left; vertical-align: baseline; border-top: 1px solid var(--line); }
.counts thead th { border-top: 0; white-space: nowrap; padding-block: .5rem; font-weight: 500; color: var(--soft); }
.counts tbody th { font-weight: 400; overflow-wrap: anywhere; min-width: 10rem; }
.counts .number { text-align: right; font-variant-numeric: tabular-nums; }

.scroller { position: relative; overflow-x: auto; background: var(--card); border: 1px solid var(--line); border-radius: 12px; }
.scroll-hint { display: none; margin-bottom: .375rem; font-size: .8125rem; color: var(--soft); }
.matrix { border-collapse: separate; border-spacing: 0; width: 100%; font-size: .875rem; }
.matrix th { padding: .25rem .75rem; font-weight: 500; text-align: left; white-space: nowrap; }
.matrix thead th { padding-block: .75rem; color: var(--soft); vertical-align: bottom; }
.matrix thead .operation { min-width: 4.75rem; padding-inline: .375rem; text-align: center; }
.matrix tbody tr:first-child > * { border-top: 1px solid var(--line); padding-top: .375rem; }
.matrix tbody tr:last-child > * { padding-bottom: .375rem; }
.matrix th[scope="row"] { font-weight: 400; }
.matrix .place { display: inline-block; min-width: 10rem; font-weight: 650; }
.matrix .again { visibility: hidden; }
.matrix td { padding: .125rem .1875rem; text-align: center; }
.matrix td:last-child { padding-right: .5rem; }
.matrix td a, .swatch {
  display: block; min-width: 2.25rem; padding: .1875rem 0; border-radius: 5px; background: var(--wash); color: var(--tone);
  font-weight: 700; text-align: center; text-decoration: none; white-space: nowrap;
}
.grade-let-in { --tone: var(--let-in-ink); --wash: var(--let-in); }
.grade-server-error, .grade-wrong-status { --tone: var(--violates); --wash: var(--violates-wash); }
.grade-wrong-body, .grade-warning { --tone: var(--warns); --wash: var(--warns-wash); }
.grade-inconclusive { --tone: var(--inconclusive); --wash: var(--inconclusive-wash); }
.grade-right { --tone: var(--conforms); --wash: var(--conforms-wash); }
.grade-not-applicable { --tone: var(--apart); --wash: var(--apart-wash); }
.matrix td.grade-server-error a, .matrix td.grade-wrong-status a { box-shadow: inset 0 0 0 1.5px var(--tone); }
.matrix td a:hover { box-shadow: inset 0 0 0 2px var(--tone); }
.matrix td.untried::before { content: "·"; color: var(--strong-line); }
.legend { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; margin-bottom: .875rem; font-size: .875rem; color: var(--soft); }
.legend .swatch { display: inline-block; min-width: 1.75rem; padding: 0; }
.swatch.untried::before { content: "·"; }

.filter-bar {
  position: sticky; top: 0; z-index: 2; display: flex; flex-wrap: wrap; align-items: center; gap: .625rem 1.25rem;
  margin: 3rem -1rem -1.5rem; padding: .875rem 1rem; background: var(--page); border-bottom: 1px solid var(--line);
}
.filter-bar[hidden] { display: none; }
.filter-bar input[type="search"] {
  flex: 1 1 16rem; min-width: 0; padding: .5rem .75rem; font: inherit; color: inherit; background: var(--card);
  border: 1px solid var(--strong-line); border-radius: 8px;
}
.filter-bar input::placeholder { color: var(--soft); opacity: 1; }
.filter-bar fieldset { display: flex; flex-wrap: wrap; gap: .375rem; border: 0; }
.filter-bar label { position: relative; display: inline-flex; }
.filter-bar label input { position: absolute; inset: 0; margin: 0; opacity: 0; cursor: pointer; }
.filter-bar label span {
  padding: .25rem .75rem; border: 1px solid var(--strong-line); border-radius: 999px; font-size: .875rem; background: var(--card);
}
.filter-bar label input:checked + span { background: var(--ink); border-color: var(--ink); color: var(--page); }
.filter-bar label input:focus-visible + span { outline: 2px solid var(--focus); outline-offset: 2px; }
.filter-bar .actions { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem; font-size: .875rem; }
.filter-bar output { color: var(--soft); }
button {
  padding: .25rem .75rem; font: inherit; font-size: .8125rem; color: var(--ink); background: var(--card);
  border: 1px solid var(--strong-line); border-radius: 7px; cursor: pointer;
}
button:hover { border-color: var(--ink); }
`;
