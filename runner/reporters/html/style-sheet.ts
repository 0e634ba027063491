import { frame, media, sections, theme } from '../../../common/page/style.ts';
import { entries, findings } from './style-entries.ts';

/** The styles of the verdict in the header. */
const verdict = /* css */ `.seal {
  flex: none; display: grid; place-items: center; width: 1.35em; height: 1.35em; border-radius: 50%;
  font-size: .8em; background: var(--wash); border: 2px solid var(--fill);
}
.target { font-size: 1.125rem; font-weight: 500; }
.lede { margin-top: .5rem; max-width: 46rem; font-size: 1.0625rem; }
.facts { display: flex; flex-wrap: wrap; gap: .125rem 1.5rem; margin-top: .75rem; font-size: .8125rem; }
.facts > div { display: flex; gap: .375rem; }
.facts dt { color: var(--soft); }
`;

/** The styles of notices and of the bars of counts. */
const coverage = /* css */ `
main > .notices { margin-top: .75rem; padding: 1rem 1.25rem; background: var(--warns-wash); border-radius: 10px; }
.notices li { padding-left: 1.5rem; text-indent: -1.5rem; }
.notices li::before { content: "!"; display: inline-block; width: 1.5rem; text-indent: 0; font-weight: 700; color: var(--warns); }
.notices li + li { margin-top: .375rem; }

main > .coverage { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); gap: 1rem; margin-top: .75rem; }
.bar { padding: .875rem 1.25rem 1rem; background: var(--card); border: 1px solid var(--line); border-radius: 12px; }
.bar h2 { font-size: .9375rem; font-weight: 400; color: var(--soft); letter-spacing: 0; }
.bar h2 strong { margin-right: .25rem; font-size: 1.375rem; font-weight: 650; color: var(--ink); letter-spacing: -.02em; }
.bar svg { display: block; margin: .5rem 0 .625rem; border-radius: 5px; background: var(--apart-wash); }
.bar rect { fill: var(--fill); stroke: var(--card); stroke-width: 1; }
.bar ul { display: flex; flex-wrap: wrap; gap: .375rem 1.25rem; font-size: .875rem; }
.bar li { color: var(--tone); }
.sign { display: inline-block; min-width: 1.1em; font-weight: 700; color: var(--tone); }
`;

const narrow = /* css */ `
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
`;

const paper = /* css */ `  .broken-list > li, .broken, .bar, .matrix tbody, .comparison tr { break-inside: avoid; }
  h2, h3, h4, h5, summary { break-after: avoid; }
  details:is(.group, #findings .more, [data-outcome="violates"], [data-outcome="warns"])::details-content {
    content-visibility: visible; display: block;
  }
  .group > summary::before, #findings .more > summary { display: none; }
`;

/** The styles of the table of SDKs and calls, and of the reasons below the table. */
const sdkTableStyle = /* css */ `
.sdk-table { border-collapse: separate; border-spacing: 0; width: 100%; font-size: .875rem; }
.sdk-table th { padding: .25rem .75rem; font-weight: 400; text-align: left; white-space: nowrap; }
.sdk-table thead th { padding-block: .75rem; font-weight: 500; color: var(--soft); }
.sdk-table thead th + th { text-align: center; }
.sdk-table tbody tr > * { border-top: 1px solid var(--line); }
.sdk-table th:first-child { position: sticky; left: 0; background: var(--card); }
.sdk-table td { padding: .1875rem .375rem; text-align: center; white-space: nowrap; }
.sdk-table td a {
  display: block; min-width: 2.25rem; padding: .125rem .5rem; border-radius: 5px; background: var(--wash); color: var(--tone);
  font-weight: 700; text-decoration: none;
}
.sdk-table td a:hover { box-shadow: inset 0 0 0 1.5px var(--tone); }
.sdk-reasons { display: grid; gap: .75rem; margin: 1rem 0 0; padding-left: 2rem; font-size: .9375rem; }
.sdk-reasons > li::marker { font-weight: 600; color: var(--soft); }
`;

/** The styles of a page about exchanges and their outcomes, before and after the styles of its parts. */
export const reportFrame = [theme, frame, verdict, sections, coverage, findings].join('');
export const reportMedia = narrow + media(paper);

export const styleSheet = [reportFrame, sdkTableStyle, entries, reportMedia].join('');
