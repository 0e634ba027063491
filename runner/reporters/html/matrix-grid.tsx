import { groupBy } from '../../../common/lists.ts';
import { linkTo, type Markup, Prose, Scroller } from '../../../common/page/markup.tsx';
import type { Report } from '../../report/report.ts';
import {
  type AuthMatrix,
  cellGrades,
  combinedNote,
  createAuthMatrix,
  formatCell,
  gradeLabels,
  type MatrixCell,
} from '../../view/auth-matrix.ts';
import { anchors } from './elements.tsx';

/**
 * Renders the response status for each credential and operation, as a grid with links to cases; null if no case tests
 * credentials.
 */
export function MatrixGrid({ report }: { readonly report: Report }): Markup | null {
  const { operations, rows } = createAuthMatrix(report);
  if (rows.length === 0) return null;
  return (
    <section id="matrix" aria-labelledby="matrix-title">
      <h2 id="matrix-title">Credentials</h2>
      <p class="quiet">
        <Prose
          text={
            'The response status for each credential, by its place in the request and by operation. A cell with several cases shows the worst case and links to this case.'
          }
        />
      </p>
      <Legend rows={rows} />
      <p class="scroll-hint" aria-hidden="true">
        Scroll sideways for all operations →
      </p>
      <Scroller label="Credentials">
        <table class="matrix">
          <thead>
            <tr>
              <th scope="col">Place and key</th>
              {operations.map((operation) => (
                <th scope="col" class="operation">
                  <span>{operation}</span>
                </th>
              ))}
            </tr>
          </thead>
          {groupBy(rows, ({ header }) => header).map(([header, own]) => (
            <tbody>
              {own.map(({ key, cells }, index) => (
                <tr>
                  <th scope="row">
                    <span class={index === 0 ? 'place' : 'place again'}>{header}</span>{' '}
                    <span class="key">{key}</span>
                  </th>
                  {cells.map((cell, column) => (
                    <Cell cell={cell} label={`${header}, ${key}, ${operations[column]}`} />
                  ))}
                </tr>
              ))}
            </tbody>
          ))}
        </table>
      </Scroller>
    </section>
  );
}

function Cell({ cell, label }: { readonly cell: MatrixCell | undefined; readonly label: string }): Markup {
  if (!cell) {
    return (
      <td class="untried">
        <span class="unseen">not tried</span>
      </td>
    );
  }
  const { grade, statuses, cases, isCombined, example } = cell;
  const text = formatCell(cell);
  const seen = statuses.length > 1 ? `, statuses ${statuses.join(', ')}` : '';
  const count = cases.length === 1 ? '' : `, ${cases.length} cases`;
  const star = isCombined ? `, ${combinedNote}` : '';
  const name = `${text} ${gradeLabels[grade].word}: ${label}${count}${seen}${star}`;
  return (
    <td class={`grade-${grade}`}>
      <a href={linkTo(anchors.case(example))} aria-label={name} title={name}>
        {text}
      </a>
    </td>
  );
}

function Legend({ rows }: { readonly rows: AuthMatrix['rows'] }): Markup {
  const cells = rows.flatMap((row) => row.cells);
  const present = cellGrades.filter((grade) => cells.some((cell) => cell?.grade === grade));
  return (
    <ul class="legend">
      {present.map((grade) => (
        <li>
          <span class={`swatch grade-${grade}`} aria-hidden="true">
            {gradeLabels[grade].sign}
          </span>{' '}
          {gradeLabels[grade].word}
        </li>
      ))}
      {cells.includes(undefined) && (
        <li>
          <span class="swatch untried" aria-hidden="true" /> not tried
        </li>
      )}
      {cells.some((cell) => cell?.isCombined) && (
        <li>
          <span class="swatch" aria-hidden="true">
            *
          </span>{' '}
          {combinedNote}
        </li>
      )}
    </ul>
  );
}
