import { pluralize } from '../../../../common/lists.ts';
import { Document } from '../../../../common/page/document.tsx';
import { type Markup, renderDocument } from '../../../../common/page/markup.tsx';
import type { Comparison } from '../../../compare/comparison.ts';
import type { Outcome } from '../../../judge/outcome.ts';
import { formatAgreement } from '../../../view/format-comparison.ts';
import { differingLook, outcomeLooks } from '../../../view/signs.ts';
import { styleSheet } from '../../html/style-sheet.ts';
import { DifferenceList, OpenList } from './difference-list.tsx';
import { DifferenceTable } from './difference-table.tsx';
import { Agreement, TargetTable } from './overview.tsx';

export function ComparisonPage({ comparison }: { readonly comparison: Comparison }): Markup {
  const { tool, spec, targets } = comparison;
  const { sign, tone, title } = headOf(comparison);
  return (
    <Document title={formatAgreement(comparison)} styleSheet={styleSheet + comparisonStyle}>
      <a class="skip" href="#differing">
        Skip to the differences
      </a>
      <header class={`banner ${tone}`}>
        <p class="kind">Model gateway conformance: comparison</p>
        <h1>
          <span class="seal" aria-hidden="true">
            {sign}
          </span>
          {title}
        </h1>
        <p class="target">{targets.map(({ name }) => name).join(' · ')}</p>
        <p class="lede">{formatAgreement(comparison)}</p>
        <p class="quiet">{`${tool.name} ${tool.version}, requirements revision ${spec.revision}`}</p>
      </header>
      <main>
        <TargetTable comparison={comparison} />
        <DifferenceTable comparison={comparison} />
        <DifferenceList comparison={comparison} />
        <Agreement comparison={comparison} />
        <OpenList comparison={comparison} />
      </main>
    </Document>
  );
}

function headOf({ differing, summary }: Comparison): {
  readonly sign: string;
  readonly tone: Outcome;
  readonly title: string;
} {
  if (summary.planned === summary.notCompared)
    return { sign: outcomeLooks.inconclusive.sign, tone: 'inconclusive', title: 'Nothing to compare' };
  return differing.length > 0
    ? {
        sign: differingLook.sign,
        tone: 'violates',
        title: `${pluralize(differing.length, 'requirement')} differ${differing.length === 1 ? 's' : ''}`,
      }
    : { sign: '=', tone: 'conforms', title: 'No difference' };
}

/** The style sheet of a comparison, which follows the style sheet of a report. */
export const comparisonStyle = /* css */ `
.versus { border-collapse: collapse; width: 100%; font-size: .875rem; }
.versus th, .versus td { padding: .3125rem .75rem; text-align: left; vertical-align: top; font-weight: 400; }
.versus thead th { padding-block: .75rem; font-weight: 500; color: var(--soft); vertical-align: bottom; border-bottom: 1px solid var(--line); }
.versus tbody th { min-width: 9rem; }
.versus thead .operation { overflow-wrap: break-word; }
.versus thead .operation, .versus td:has(> .swatch), .versus .untried { text-align: center; }
.versus td .swatch { display: inline-block; min-width: 3.25rem; padding-inline: .5rem; white-space: nowrap; }
.versus td:is(.violates, .warns, .inconclusive) .swatch { box-shadow: inset 0 0 0 1.5px var(--tone); }
.versus .untried::before { content: "·"; color: var(--soft); }
.targets tbody th .quiet { display: block; font-size: .8125rem; }
.targets tbody > tr > * { padding-block: .5rem; }
.targets .number { text-align: right; white-space: nowrap; }
.values td { min-width: 7rem; }
.values tbody tr + tr > * { border-top: 1px solid var(--line); }
.values :is(.nothing, .where) { color: var(--soft); }
main > .difference { margin-top: 1rem; }
main > .difference + .difference { margin-top: -1px; }
.difference .group { border-bottom-width: 1px; }
.difference .group > summary .outcomes { grid-column: 2; display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; font-size: .875rem; }
.difference .outcome { overflow-wrap: anywhere; }
.difference .says { margin-top: .5rem; }
.difference .scroller { margin-top: 1rem; }
.target-answer { min-width: 0; }
.target-answer > .quiet { margin-bottom: .5rem; font-size: .9375rem; overflow-wrap: anywhere; }
.reasons { display: grid; gap: .5rem; }
.reasons strong { margin-right: .375rem; }
`;

/** Formats the comparison as an HTML page that loads no external resources. */
export function comparisonHtml(comparison: Comparison): string {
  return renderDocument(<ComparisonPage comparison={comparison} />);
}
