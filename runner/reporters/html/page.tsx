import { Document } from '../../../common/page/document.tsx';
import { linkTo, type Markup, renderAround, Slot } from '../../../common/page/markup.tsx';
import { formatResult } from '../../view/result.ts';
import type { View } from '../../view/view.ts';
import script from './browser/report.ts.js';
import { FilterBar, renderCaseList } from './case-list.tsx';
import { CoverageSection, ObservationList } from './coverage.tsx';
import { DeviationTable } from './deviation-table.tsx';
import { anchors } from './elements.tsx';
import { FindingOverview } from './finding-overview.tsx';
import { MatrixGrid } from './matrix-grid.tsx';
import { ModelList } from './model-list.tsx';
import { Recording } from './recording.tsx';
import { RequirementList } from './requirement-list.tsx';
import { SdkTableSection } from './sdk-table.tsx';
import { styleSheet } from './style-sheet.ts';
import { Notices, Problems, VerdictBanner } from './verdict-banner.tsx';

/** Renders the HTML document of a report, with a slot for the cases. */
function ReportPage({ view }: { readonly view: View }): Markup {
  const { report } = view;
  return (
    <Document
      title={`${report.target.baseUrl}: ${formatResult(view)}`}
      styleSheet={styleSheet}
      script={script}
    >
      <a class="skip" href="#findings">
        Skip to the findings
      </a>
      <VerdictBanner view={view} />
      <nav aria-label="Parts of the report">
        <a href="#findings">Findings</a>
        {view.deviations && <a href={linkTo(anchors.deviations)}>Deviations</a>}
        {view.matrix.rows.length > 0 && <a href="#matrix">Credentials</a>}
        {report.models && <a href="#models">Models</a>}
        {report.recording && <a href="#traffic">Traffic</a>}
        <a href="#requirements">Requirements</a>
        <a href="#cases">Cases</a>
        <a href="#observations">Observations</a>
      </nav>
      <main>
        <p class="unscripted">
          Requirements and cases are shown by a script, which this browser doesn't run.
        </p>
        <Notices report={report} />
        <CoverageSection {...report} />
        <FilterBar {...report} />
        <FindingOverview view={view} />
        <Problems report={report} />
        <DeviationTable deviations={view.deviations} />
        <SdkTableSection table={view.sdks} />
        <MatrixGrid matrix={view.matrix} />
        <ModelList view={view} />
        <Recording report={report} />
        <RequirementList view={view} />
        <section id="cases" aria-labelledby="cases-title">
          <h2 id="cases-title">Cases</h2>
          <Slot />
        </section>
        <ObservationList report={report} />
      </main>
    </Document>
  );
}

/** Yields the report as an HTML page that loads no external resources. */
export function* html(view: View): Generator<string> {
  yield '<!doctype html>';
  yield* renderAround(<ReportPage view={view} />, renderCaseList(view.report));
  yield '\n';
}
