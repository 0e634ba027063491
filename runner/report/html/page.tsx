import { createHash } from 'node:crypto';
import { authMatrix } from '../auth-matrix.ts';
import type { Report } from '../report.ts';
import { standingOf, standingWords } from '../standing.ts';
import { CaseList } from './case-list.tsx';
import { Coverage } from './coverage.tsx';
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
import { styleSheet } from './style-sheet.ts';
import { VerdictBanner } from './verdict-banner.tsx';

/** The whole document; it asks nothing of anywhere, and only its own style sheet and script take effect. */
export function Page({ report }: { readonly report: Report }): Markup {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={policy} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <title>{`${standingWords[standingOf(report)]}: ${report.target.baseUrl}`}</title>
        <Constant tag="style" text={styleSheet} />
      </head>
      <body>
        <a class="skip" href="#findings">
          Skip to the findings
        </a>
        <VerdictBanner report={report} />
        <nav aria-label="Parts of the report">
          <a href="#findings">Findings</a>
          {authMatrix(report).rows.length > 0 && <a href="#matrix">Auth matrix</a>}
          {report.models && <a href="#models">Models</a>}
          {report.recording && <a href="#traffic">Traffic</a>}
          <a href="#requirements">Requirements</a>
          <a href="#cases">Cases</a>
          <a href="#observations">Observed</a>
        </nav>
        <main>
          <Notices report={report} />
          <Coverage {...report} />
          <FindingOverview report={report} />
          <MatrixGrid report={report} />
          <ModelList report={report} />
          <Recording report={report} />
          <FilterBar {...report} />
          <RequirementList report={report} />
          <CaseList report={report} />
          <ObservationList report={report} />
        </main>
        <Constant tag="script" text={pageScript} />
      </body>
    </html>
  );
}

const policy = [
  "default-src 'none'",
  `style-src '${hashOf(styleSheet)}'`,
  `script-src '${hashOf(pageScript)}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

/** A constant of this package as the text of an element, where escapes would change its meaning and its hash. */
function Constant({ tag: Tag, text }: { readonly tag: 'style' | 'script'; readonly text: string }): Markup {
  return <Tag dangerouslySetInnerHTML={{ __html: text }} />;
}
