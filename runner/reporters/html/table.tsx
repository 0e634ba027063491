import { groupBy } from '../../../common/lists.ts';
import { type Content, linkTo, type Markup, Prose, Scroller } from '../../../common/page/markup.tsx';
import { untriedLook } from '../../view/signs.ts';
import type { Cell, Column, Row, Table } from '../../view/table.ts';
import { anchors } from './elements.tsx';

/** Renders a table that can be wider than the page. */
export function TableView({
  table: { title, corner, columns, rows },
  look,
  label = ({ label, kind }) => (kind === 'prose' ? <Prose text={label} /> : label),
  groupOf = () => '',
  classOf,
}: {
  readonly table: Table;
  /** The class of the table. */
  readonly look: string;
  /** Renders the label of a row. Default: its text. */
  readonly label?: (row: Row, indexInGroup: number) => Content;
  /** The name of the group of rows that belong together. Default: all rows are one group. */
  readonly groupOf?: (row: Row) => string;
  /** The classes of a row, for a filter of the page. */
  readonly classOf?: (row: Row, indexInGroup: number) => string;
}): Markup {
  return (
    <Scroller label={title}>
      <table class={look}>
        <thead>
          <tr>
            <th scope="col">{corner}</th>
            {columns.map((column) => (
              <Head {...column} />
            ))}
          </tr>
        </thead>
        {groupBy(rows, groupOf).map(([, own]) => (
          <tbody>
            {own.map((row, index) => (
              <tr class={classOf?.(row, index)}>
                <th scope="row">{label(row, index)}</th>
                {row.cells.map((cell, column) => (
                  <CellView cell={cell} column={columns[column]} />
                ))}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </Scroller>
  );
}

const classes = { centre: 'operation', right: 'number' };

function Head({ name, align }: Column): Markup {
  return (
    <th scope="col" class={align && classes[align]}>
      {align === 'centre' ? <span>{name}</span> : name}
    </th>
  );
}

function CellView({ cell, column }: { readonly cell: Cell; readonly column: Column | undefined }): Markup {
  const { text, look, tone, says, details = '', case: id, more = [] } = cell;
  if (text === '' || look === untriedLook)
    return (
      <td class={tone}>
        <span class="unseen">{says}</span>
      </td>
    );
  if (id !== undefined)
    return (
      <td class={tone}>
        <a href={linkTo(anchors.case(id))} aria-label={says + details} title={says}>
          {text}
        </a>
      </td>
    );
  if (says !== undefined && look)
    return (
      <td class={tone}>
        <span class="swatch">
          <span aria-hidden="true">{look.sign}</span>
          <span class="unseen"> {says} </span>
          {text.slice(look.sign.length)}
        </span>
      </td>
    );
  return look ? (
    <td>
      <span class={`mark ${tone}`}>{text}</span>
    </td>
  ) : (
    <td class={tone ?? (column?.align && classes[column.align])}>
      {text}
      {more.length > 0 && (
        <details class="more">
          <summary>{`and ${more.length} more`}</summary>
          {more.join(', ')}
        </details>
      )}
    </td>
  );
}

/** Renders the meanings of the signs of a table. */
export function Legend({ table: { legend = [] } }: { readonly table: Table }): Markup {
  return (
    <ul class="legend">
      {legend.map(({ sign, word, tone }) => (
        <li>
          <span class={tone === undefined ? 'swatch' : `swatch ${tone}`} aria-hidden="true">
            {sign === untriedLook.sign ? '' : sign}
          </span>{' '}
          {word}
        </li>
      ))}
    </ul>
  );
}
