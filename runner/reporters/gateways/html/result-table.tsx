import { linkTo, type Markup, Prose } from '../../../../common/page/markup.tsx';
import type { GatewayResults } from '../../../compare/gateway-results.ts';
import { formatDay, isViolated, layOutResults, resultsNote } from '../../../view/format-gateways.ts';
import type { Row } from '../../../view/table.ts';
import { anchors, Choice } from '../../html/elements.tsx';
import { Legend, TableView } from '../../html/table.tsx';

/** What the table shows. The style sheet hides the other rows, so that the page needs no script. */
const shown = { sections: 'Sections', all: 'All requirements', violated: 'Violated requirements' };

/** Renders the results with a column for each gateway, and a row for each section, which opens to its requirements. */
export function ResultTable({ results }: { readonly results: GatewayResults }): Markup {
  const { gateways } = results;
  const table = layOutResults(results);
  return (
    <section id="results" aria-labelledby="results-title">
      <h2 id="results-title">{table.title}</h2>
      <p class="quiet">{resultsNote}</p>
      <Legend table={table} />
      <fieldset class="choices">
        <legend>Show</legend>
        {Object.entries(shown).map(([value, label], index) => (
          <Choice name="shown" value={value} label={label} checked={index === 0} />
        ))}
      </fieldset>
      <TableView
        table={table}
        look="results"
        classOf={(row) => (isViolated(row) ? 'violated' : '')}
        head={({ name }, index) => {
          const gateway = gateways[index];
          return gateway ? (
            <>
              <a href={gateway.page ?? gateway.file}>{gateway.name}</a>
              {gateway.version !== null && <em>{gateway.version}</em>}
              <time>{formatDay(gateway)}</time>
            </>
          ) : (
            name
          );
        }}
        label={(row) => <Label row={row} />}
        linkOf={({ label, members }, column) => {
          const gateway = gateways[column];
          return members || !gateway?.page ? undefined : gateway.page + linkTo(anchors.requirement(label));
        }}
      />
    </section>
  );
}

/** Renders the name of a section, which opens to its requirements if only sections are shown, or a requirement. */
function Label({ row: { label, about, says, members } }: { readonly row: Row }): Markup {
  if (members)
    return (
      <>
        <details class="fold">
          <summary>{label}</summary>
        </details>
        <strong>{label}</strong>
      </>
    );
  return says === undefined ? (
    <strong>{label}</strong>
  ) : (
    <>
      <span class="says">
        <Prose text={says} />
      </span>
      <span class="quiet">
        {label}
        <small>{` · ${about}`}</small>
      </span>
    </>
  );
}
