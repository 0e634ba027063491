/** Narrow screens, paper, and people who want less motion. */
export const media = /* css */ `
@media (max-width: 44rem) {
  .entry > summary { grid-template-columns: 1fr; }
  .requirement-id { text-align: left; }
  .group > summary .tally { grid-row: auto; justify-self: start; flex-wrap: wrap; }
  .group > summary .group-name { padding-right: 0; }
  .group > summary::before { grid-row: span 3; }
  .group > .entry > summary { padding-left: 1rem; }
  .group > .links, .group > .exchange { padding-left: 1rem; }
  .filter-bar { position: static; }
  .entry-body { scroll-margin-top: 6rem; }
  .unjudged > li { grid-template-columns: auto auto 1fr; gap: .125rem .625rem; }
  .unjudged:not(.counted) > li > :last-child { grid-column: 1 / -1; }
  .unjudged:not(.counted) .number { padding: 0; }
  .comparison, .comparison tbody, .comparison tr, .comparison th, .comparison td { display: block; width: auto; }
  .comparison thead { display: none; }
  .comparison th:first-child { width: auto; border-bottom: 0; }
  .comparison td + td { border-top: 0; }
  .comparison .expected::before { content: "✓ expected "; }
  .comparison .received::before { content: "✗ received "; }
  .scroll-hint { display: block; }
  .matrix { font-size: .8125rem; }
  .matrix th:not(.operation) { padding-inline: .625rem .375rem; }
  .matrix thead .operation { min-width: 0; padding-block: .625rem; }
  .operation span { writing-mode: vertical-rl; rotate: 180deg; }
  .matrix td a { min-width: 2.625rem; }
  .matrix th[scope="row"], .matrix thead th:first-child { position: sticky; left: 0; min-width: 6rem; max-width: 6rem; background: var(--card); white-space: normal; }
  .matrix .place, .matrix .key { display: block; min-width: 0; overflow-wrap: anywhere; line-height: 1.3; }
  .matrix .again { display: none; }
  .example { grid-template-columns: 1fr; gap: .125rem; }
  .example dd + dt { margin-top: .375rem; }
  .curl { flex-direction: column; padding: .5rem .75rem; }
}
@media (prefers-reduced-motion: reduce) {
  * { transition: none !important; }
}
@media print {
  @page { margin: 16mm 14mm; }
  :root {
    --page: #fff; --card: #fff; --sunk: #fff; --line: #ccc; --strong-line: #999; --ink: #000; --soft: #444; --link: #000;
  }
  html { font-size: 68%; }
  body { print-color-adjust: exact; }
  .quiet { break-after: avoid; }
  body > header, body > nav, main { max-width: none; padding-inline: 0; }
  body > nav, .filter-bar, .skip, .scroll-hint, .curl button, .permalink { display: none !important; }
  .banner { padding-top: 0; }
  a { color: inherit; text-decoration: none; }
  .scroller { overflow: visible; border: 0; }
  .broken-list > li, .broken, .bar, .matrix tbody, .comparison tr { break-inside: avoid; }
  h2, h3, h4, summary { break-after: avoid; }
  details:is(.group, #findings .more, [data-outcome="violates"], [data-outcome="warns"])::details-content {
    content-visibility: visible; display: block;
  }
  .group > summary::before, #findings .more > summary { display: none; }
}
`;
