import { type AuthMatrix, authMatrix, type MatrixCell } from '../auth-matrix.ts';
import { gather } from '../gather.ts';
import type { Report } from '../report.ts';
import { anchors, linkTo } from './anchor.ts';
import type { Markup } from './markup.ts';
import { outcomeLooks } from './outcome-mark.tsx';
import { Scroller } from './scroller.tsx';

/** How each kind of credential was judged on each operation, as a grid whose cells lead to their cases. */
export function MatrixGrid({ report }: { readonly report: Report }): Markup | null {
  const { operations, rows } = authMatrix(report);
  if (rows.length === 0) return null;
  const byHeader = gather(rows, ({ header }) => header);
  const outcomeOf = new Map(report.cases.map(({ id, outcome }) => [id, outcome]));
  return (
    <section id="matrix" aria-labelledby="matrix-title">
      <h2 id="matrix-title">Auth matrix</h2>
      <p class="quiet">
        What became of each credential, by the header it was sent in and the operation it was sent to. A cell
        shows the worst of its cases and leads to it.
      </p>
      <Scroller label="Auth matrix">
        <table class="matrix">
          <thead>
            <tr>
              <th scope="col">Header</th>
              <th scope="col">Key</th>
              {operations.map((operation) => (
                <th scope="col" class="operation">
                  <span>{operation}</span>
                </th>
              ))}
            </tr>
          </thead>
          {byHeader.map(([header, own]) => (
            <tbody>
              {own.map(({ key, cells }, index) => (
                <tr>
                  {index === 0 && (
                    <th scope="rowgroup" rowSpan={own.length}>
                      {header}
                    </th>
                  )}
                  <th scope="row">{key}</th>
                  {cells.map((cell, column) => (
                    <Cell
                      cell={cell}
                      label={`${header}, ${key}, ${operations[column]}`}
                      leadsTo={cell?.cases.find((id) => outcomeOf.get(id) === cell.outcome)}
                    />
                  ))}
                </tr>
              ))}
            </tbody>
          ))}
        </table>
      </Scroller>
      <Legend rows={rows} />
    </section>
  );
}

function Cell({
  cell,
  label,
  leadsTo,
}: {
  readonly cell: MatrixCell | undefined;
  readonly label: string;
  readonly leadsTo: string | undefined;
}): Markup {
  if (!cell || leadsTo === undefined) {
    return (
      <td class="untried">
        <span class="unseen">not tried</span>
      </td>
    );
  }
  const { sign, word } = outcomeLooks[cell.outcome];
  const count = cell.cases.length === 1 ? '' : `, ${cell.cases.length} cases`;
  return (
    <td class={cell.outcome}>
      <a
        href={linkTo(anchors.case(leadsTo))}
        aria-label={`${word}: ${label}${count}`}
        title={`${word}: ${label}${count}`}
      >
        {sign}
      </a>
    </td>
  );
}

function Legend({ rows }: { readonly rows: AuthMatrix['rows'] }): Markup {
  const present = new Set(rows.flatMap(({ cells }) => cells.map((cell) => cell?.outcome)));
  return (
    <ul class="legend">
      {[...present].map((outcome) =>
        outcome === undefined ? (
          <li>
            <span class="swatch untried" aria-hidden="true" /> not tried
          </li>
        ) : (
          <li>
            <span class={`swatch ${outcome}`} aria-hidden="true">
              {outcomeLooks[outcome].sign}
            </span>{' '}
            {outcomeLooks[outcome].word}
          </li>
        ),
      )}
    </ul>
  );
}
