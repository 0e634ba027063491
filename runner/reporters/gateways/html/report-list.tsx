import type { Markup } from '../../../../common/page/markup.tsx';
import type { GatewayResults } from '../../../compare/gateway-results.ts';
import { formatGateway, layOutGateways } from '../../../view/format-gateways.ts';
import { TableView } from '../../html/table.tsx';

/** Renders when each report was made, its verdict, and the command that made it. */
export function ReportList({ results }: { readonly results: GatewayResults }): Markup {
  const { gateways } = results;
  const table = layOutGateways(results);
  return (
    <section id="reports" aria-labelledby="reports-title">
      <h2 id="reports-title">{table.title}</h2>
      <TableView
        table={table}
        look="counts"
        label={({ label }, index) => {
          const gateway = gateways[index];
          return gateway ? <a href={gateway.page ?? gateway.file}>{label}</a> : label;
        }}
      />
      {gateways.map((gateway) => {
        const { command } = gateway;
        return (
          command !== null && (
            <figure class="pane">
              <figcaption>{`${formatGateway(gateway)} was tested with`}</figcaption>
              <pre>{command}</pre>
            </figure>
          )
        );
      })}
    </section>
  );
}
