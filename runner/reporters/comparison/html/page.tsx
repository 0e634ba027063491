import { Document } from '../../../../common/page/document.tsx';
import { type Markup, renderDocument } from '../../../../common/page/markup.tsx';
import type { Comparison } from '../../../compare/comparison.ts';
import { formatAgreement, headOf } from '../../../view/format-comparison.ts';
import { styleSheet } from '../../html/style-sheet.ts';
import comparisonStyle from './browser/comparison.css.js';
import { DifferenceList, OpenList } from './difference-list.tsx';
import { DifferenceTable } from './difference-table.tsx';
import { Agreement, TargetTable } from './overview.tsx';

export function ComparisonPage({ comparison }: { readonly comparison: Comparison }): Markup {
  const { tool, spec } = comparison;
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
        <p class="target">{formatTargets(comparison)}</p>
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

/** Formats the names of the targets; of two reports of one gateway, its address. */
function formatTargets({ kind, targets }: Comparison): string {
  const [address = '', ...others] = new Set(targets.map(({ baseUrl }) => baseUrl));
  const names = targets.map(({ name }) => name);
  return kind === 'targets' ? names.join(' · ') : others.length === 0 ? address : names.join(' → ');
}

/** Formats the comparison as an HTML page that loads no external resources. */
export function comparisonHtml(comparison: Comparison): string {
  return renderDocument(<ComparisonPage comparison={comparison} />);
}
