/** What the page of a comparison has beside that of a report. */
export const comparisonStyle = /* css */ `
.matrix td .swatch { min-width: 3.25rem; padding-inline: .5rem; }
.matrix td:is(.violates, .warns, .inconclusive) .swatch { box-shadow: inset 0 0 0 1.5px var(--tone); }
.targets th[scope="row"] .quiet { display: block; font-size: .8125rem; }
.targets tbody th, .targets tbody td { padding: .5rem .75rem; }
.targets td:nth-child(n + 3) { text-align: right; white-space: nowrap; }
.targets th:nth-child(n + 3) { text-align: right; }
.targets td:nth-child(2) { text-align: left; }
.values th, .values td { padding: .375rem .75rem; text-align: left; vertical-align: top; white-space: normal; }
.values td { min-width: 7rem; }
.values tbody tr + tr > * { border-top: 1px solid var(--line); }
.values td.nothing { color: var(--soft); }
.values td.where { color: var(--soft); overflow-wrap: anywhere; }
.difference + .difference { padding-top: 2.5rem; border-top: 1px solid var(--line); }
.difference .says { margin-top: .5rem; }
.difference > h4 { margin-top: 1.25rem; overflow-wrap: anywhere; }
.difference .panes { align-items: stretch; }
.difference .scroller { margin-top: 1rem; }
.target-answer { min-width: 0; }
.target-answer > .quiet { margin-bottom: .5rem; font-size: .9375rem; overflow-wrap: anywhere; }
.reasons { display: grid; gap: .5rem; }
.reasons strong { margin-right: .375rem; }
`;
