import type { Outcome } from '../../../judge/outcome.ts';
import { counted } from '../../../report/counted.ts';
import { Document } from '../../../report/html/document.tsx';
import type { Markup } from '../../../report/html/markup.ts';
import { styleSheet } from '../../../report/html/style-sheet.ts';
import type { Comparison } from '../comparison.ts';
import { wordAgreement } from '../word-comparison.ts';
import { Agreement } from './agreement.tsx';
import { comparisonStyle } from './comparison-style.ts';
import { DifferenceList } from './difference-list.tsx';
import { DifferenceTable } from './difference-table.tsx';
import { OpenList } from './open-list.tsx';
import { TargetTable } from './target-table.tsx';

/** The whole document of a comparison. */
export function ComparisonPage({ comparison }: { readonly comparison: Comparison }): Markup {
  const { tool, spec, targets } = comparison;
  const { sign, tone, title } = headOf(comparison);
  return (
    <Document title={wordAgreement(comparison)} styleSheet={styleSheet + comparisonStyle}>
      <a class="skip" href="#differing">
        Skip to the differences
      </a>
      <header class={`banner ${tone}`}>
        <p class="kind">Model gateway conformance, compared</p>
        <h1>
          <span class="seal" aria-hidden="true">
            {sign}
          </span>
          {title}
        </h1>
        <p class="target">{targets.map(({ name }) => name).join(' · ')}</p>
        <p class="lede">{wordAgreement(comparison)}</p>
        <p class="quiet">{`${tool.name} ${tool.version}, ledger ${spec.revision}`}</p>
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
    return { sign: '?', tone: 'inconclusive', title: 'Nothing to compare' };
  return differing.length > 0
    ? {
        sign: '≠',
        tone: 'violates',
        title: `${counted(differing.length, 'requirement')} differ${differing.length === 1 ? 's' : ''}`,
      }
    : { sign: '=', tone: 'conforms', title: 'No difference' };
}
