/** Requirements and cases as lines that open, and the exchanges in them. */
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
.obligations { display: grid; gap: .375rem; margin-top: .75rem; font-size: .9375rem; }
.obligations:empty { display: none; }
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
