import { linkTo, type Markup } from '../../../../common/page/markup.tsx';
import type { AnswerDifference, Comparison } from '../../../compare/comparison.ts';
import { formatPlace, formatValue, layOutDiffering } from '../../../view/format-comparison.ts';
import type { Table } from '../../../view/table.ts';
import { anchors } from '../../html/elements.tsx';
import { TableView } from '../../html/table.tsx';

/** Renders the requirements in which targets differ, with a row for each requirement and a column for each target. */
export function DifferenceTable({ comparison }: { readonly comparison: Comparison }): Markup {
  return (
    <section id="differing" aria-labelledby="differing-title">
      <h2 id="differing-title">Differing requirements</h2>
      {comparison.differing.length === 0 ? (
        <p class="quiet">No requirement passes on one target and fails on another.</p>
      ) : (
        <>
          <p class="quiet">
            Requirements that pass on some targets and fail on others. Each number is the number of failed
            cases. Each row links to the responses of the targets.
          </p>
          <TableView
            table={layOutDiffering(comparison)}
            look="versus"
            label={({ label }) => <a href={linkTo(anchors.requirement(label))}>{label}</a>}
          />
        </>
      )}
    </section>
  );
}

/** Renders a table of the places where responses differ, with the value of each target. */
export function ValueTable({
  label,
  targets,
  rows,
}: {
  readonly label: string;
  readonly targets: readonly string[];
  readonly rows: readonly AnswerDifference[];
}): Markup {
  const table: Table = {
    title: label,
    corner: 'Place',
    columns: targets.map((name) => ({ name, kind: 'code' })),
    rows: rows.map(({ place, values }) => ({
      label: formatPlace(place),
      kind: 'code',
      cells: values.map((value) => ({
        text: formatValue(value),
        tone: value === null ? 'nothing' : 'value',
      })),
    })),
  };
  return <TableView table={table} look="versus values" />;
}

/** Renders a table cell for the value of each target. A null value means that the target has no such value. */
export function Values({ values }: { readonly values: readonly (string | null)[] }): Markup {
  return (
    <>
      {values.map((value) => (
        <td class={value === null ? 'nothing' : 'value'}>{formatValue(value)}</td>
      ))}
    </>
  );
}
