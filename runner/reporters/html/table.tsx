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
        {groupBy(rows, groupOf).map(([, own]) =>
          splitAtFolds(own).map((part) => (
            <tbody>
              {part.map((row) => {
                const index = own.indexOf(row);
                return (
                  <>
                    <RowView name={classOf?.(row, index)} row={row} columns={columns}>
                      {label(row, index)}
                    </RowView>
                    {row.members?.map((member) => (
                      <RowView name="member" row={member} columns={columns}>
                        {label(member, member.label === row.label ? index + 1 : index)}
                      </RowView>
                    ))}
                  </>
                );
              })}
            </tbody>
          )),
        )}
      </table>
    </Scroller>
  );
}

/** Splits rows into those of each body of a table, so that the members of a row are alone with it. */
function splitAtFolds(rows: readonly Row[]): Row[][] {
  const parts: Row[][] = [];
  for (const row of rows) {
    const last = parts.at(-1);
    if (last && !row.members && !last.some(({ members }) => members)) last.push(row);
    else parts.push([row]);
  }
  return parts;
}

function RowView({
  name,
  row,
  columns,
  children,
}: {
  readonly name: string | undefined;
  readonly row: Row;
  readonly columns: readonly Column[];
  readonly children: Content;
}): Markup {
  return (
    <tr class={name}>
      <th scope="row">{children}</th>
      {row.cells.map((cell, column) => (
        <CellView cell={cell} column={columns[column]} />
      ))}
    </tr>
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
  const { text, kind, link, look, tone, says, details = '', case: id, more = [] } = cell;
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
      {link === undefined ? (
        kind === 'prose' ? (
          <Prose text={text} />
        ) : (
          text
        )
      ) : (
        <a href={link} rel="noreferrer">
          {text}
        </a>
      )}
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
