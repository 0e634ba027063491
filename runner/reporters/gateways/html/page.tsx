import { Document } from '../../../../common/page/document.tsx';
import { type Markup, renderDocument } from '../../../../common/page/markup.tsx';
import type { GatewayResults } from '../../../compare/gateway-results.ts';
import { formatDay, formatGateway, formatGatewayCount } from '../../../view/format-gateways.ts';
import { NoticeList } from '../../html/elements.tsx';
import { styleSheet } from '../../html/style-sheet.ts';
import gatewaysStyle from './browser/gateways.css.js';
import { ReportList } from './report-list.tsx';
import { ResultTable } from './result-table.tsx';

function GatewaysPage({ results }: { readonly results: GatewayResults }): Markup {
  const { gateways, caveats, tool, spec } = results;
  const title = `Results of ${formatGatewayCount(results)}`;
  const days = gateways.map(formatDay).sort();
  const [first = '', last = ''] = [days[0], days.at(-1)];
  return (
    <Document title={title} styleSheet={styleSheet + gatewaysStyle}>
      <a class="skip" href="#results">
        Skip to the results
      </a>
      <header class="banner">
        <p class="kind">Model gateway conformance</p>
        <h1>{title}</h1>
        <p class="quiet">
          {`${first === last ? first : `${first} to ${last}`} · ${tool.name} ${tool.version}, requirements revision ${spec.revision}`}
        </p>
      </header>
      <main>
        <NoticeList
          label="Notes on the reports"
          items={[
            ...caveats,
            ...gateways.flatMap((gateway) =>
              gateway.diagnosis.map((text) => `${formatGateway(gateway)}: ${text}`),
            ),
          ]}
        />
        <ResultTable results={results} />
        <ReportList results={results} />
      </main>
    </Document>
  );
}

/** Formats the results of gateways as an HTML page that loads no external resources. */
export function gatewaysHtml(results: GatewayResults): string {
  return renderDocument(<GatewaysPage results={results} />);
}
