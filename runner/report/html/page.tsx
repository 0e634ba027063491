import { matrixCases } from '../auth-matrix.ts';
import { causesOf } from '../causes/causes.ts';
import { headlinesOf } from '../causes/headlines.ts';
import type { Report } from '../report.ts';
import { standingOf, standingWords } from '../standing.ts';
import { CaseList } from './case-list.tsx';
import { Coverage } from './coverage.tsx';
import { Document } from './document.tsx';
import { FilterBar } from './filter-bar.tsx';
import { FindingOverview } from './finding-overview.tsx';
import type { Markup } from './markup.ts';
import { MatrixGrid } from './matrix-grid.tsx';
import { ModelList } from './model-list.tsx';
import { Notices } from './notices.tsx';
import { ObservationList } from './observation-list.tsx';
import { pageScript } from './page-script.ts';
import { Recording } from './recording.tsx';
import { RequirementList } from './requirement-list.tsx';
import { SdkTableSection } from './sdk-table.tsx';
import { styleSheet } from './style-sheet.ts';
import { VerdictBanner } from './verdict-banner.tsx';

/** The whole document; it asks nothing of anywhere, and only its own style sheet and script take effect. */
export function Page({ report }: { readonly report: Report }): Markup {
  const causes = causesOf(report);
  return (
    <Document
      title={`${standingWords[standingOf(report)]}: ${report.target.baseUrl}`}
      styleSheet={styleSheet}
      script={pageScript}
    >
      <a class="skip" href="#findings">
        Skip to the findings
      </a>
      <VerdictBanner report={report} headlines={headlinesOf(report, causes)} />
      <nav aria-label="Parts of the report">
        <a href="#findings">Findings</a>
        {matrixCases(report).length > 0 && <a href="#matrix">Credentials</a>}
        {report.models && <a href="#models">Models</a>}
        {report.recording && <a href="#traffic">Traffic</a>}
        <a href="#requirements">Requirements</a>
        <a href="#cases">Cases</a>
        <a href="#observations">Observed</a>
      </nav>
      <main>
        <Notices report={report} />
        <Coverage {...report} />
        <FindingOverview report={report} causes={causes} />
        <SdkTableSection report={report} />
        <MatrixGrid report={report} />
        <ModelList report={report} />
        <Recording report={report} />
        <FilterBar {...report} />
        <RequirementList report={report} />
        <CaseList report={report} />
        <ObservationList report={report} />
      </main>
    </Document>
  );
}
