import { groupBy } from '../../../common/lists.ts';
import { type Content, linkTo, type Markup, Prose, Scroller } from '../../../common/page/markup.tsx';
import { untriedLook } from '../../view/signs.ts';
import type { Cell, Column, Row, Table } from '../../view/table.ts';
import { anchors } from './elements.tsx';

/** Returns the URL to which a cell leads; undefined for none. */
type LinkOf = (row: Row, column: number) => string | undefined;

/** Renders a table that can be wider than the page. */
export function TableView({
  table: { title, corner, columns, rows },
  look,
  head = ({ name }) => name,
  label = ({ label, kind }) => (kind === 'prose' ? <Prose text={label} /> : label),
  linkOf,
  groupOf = () => '',
  classOf,
  stacks = false,
}: {
  readonly table: Table;
  /** The class of the table. */
  readonly look: string;
  /** Renders the name of a column. Default: its text. */
  readonly head?: (column: Column, index: number) => Content;
  /** Renders the label of a row. Default: its text. */
  readonly label?: (row: Row, indexInGroup: number) => Content;
  readonly linkOf?: LinkOf;
  /** The name of the group of rows that belong together. Default: all rows are one group. */
  readonly groupOf?: (row: Row) => string;
  /** The classes of a row, for a filter of the page. */
  readonly classOf?: (row: Row, indexInGroup: number) => string;
  /** Whether each row becomes a block on a narrow page, in which the cells have the names of their columns. */
  readonly stacks?: boolean;
}): Markup {
  return (
    <Scroller label={title}>
      <table class={stacks ? `${look} stacked` : look}>
        <thead>
          <tr>
            <th scope="col">{corner}</th>
            {columns.map((column, index) => (
              <Head align={column.align}>{head(column, index)}</Head>
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
                    <RowView
                      name={classOf?.(row, index)}
                      row={row}
                      columns={columns}
                      stacks={stacks}
                      linkOf={linkOf}
                    >
                      {label(row, index)}
                    </RowView>
                    {row.members?.map((member) => (
                      <RowView
                        name={['member', classOf?.(member, index) ?? ''].join(' ').trim()}
                        row={member}
                        columns={columns}
                        stacks={stacks}
                        linkOf={linkOf}
                      >
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
  stacks,
  linkOf,
  children,
}: {
  readonly name: string | undefined;
  readonly row: Row;
  readonly columns: readonly Column[];
  readonly stacks: boolean;
  readonly linkOf: LinkOf | undefined;
  readonly children: Content;
}): Markup {
  return (
    <tr class={name}>
      <th scope="row">{children}</th>
      {row.cells.map((cell, column) => (
        <CellView cell={cell} column={columns[column]} stacks={stacks} href={linkOf?.(row, column)} />
      ))}
    </tr>
  );
}

const classes = { centre: 'operation', right: 'number' };

function Head({
  align,
  children,
}: Pick<Column, 'align'> & {
  readonly children: Content;
}): Markup {
  return (
    <th scope="col" class={align && classes[align]}>
      {align === 'centre' ? <span>{children}</span> : children}
    </th>
  );
}

function CellView({
  cell,
  column,
  stacks,
  href: given,
}: {
  readonly cell: Cell;
  readonly column: Column | undefined;
  readonly stacks: boolean;
  readonly href: string | undefined;
}): Markup {
  const name = stacks ? column?.name : undefined;
  const { text, kind, link, parts, look, tone, says, details = '', case: id, more = [] } = cell;
  if (parts)
    return (
      <td data-column={name}>
        <span class="tally">
          {parts.map((part) => (
            <span class={part.tone}>
              <Sign cell={part} />
            </span>
          ))}
        </span>
      </td>
    );
  if (text === '' || look === untriedLook)
    return (
      <td class={tone} data-column={name}>
        <span class="unseen">{says}</span>
      </td>
    );
  const href = id === undefined ? given : linkTo(anchors.case(id));
  if (href !== undefined)
    return (
      <td class={tone} data-column={name}>
        <a href={href} aria-label={says + details} title={says}>
          {text}
        </a>
      </td>
    );
  if (says !== undefined && look)
    return (
      <td class={tone} data-column={name}>
        <span class="swatch" title={says}>
          <Sign cell={cell} />
        </span>
      </td>
    );
  return look ? (
    <td data-column={name}>
      <span class={`mark ${tone}`}>{text}</span>
    </td>
  ) : (
    <td class={tone ?? (column?.align && classes[column.align])} data-column={name}>
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

/** Renders the text of a cell with its meaning in place of the sign, for those who don't see it. */
function Sign({ cell: { text, look, says } }: { readonly cell: Cell }): Markup {
  const sign = look?.sign ?? '';
  return (
    <>
      <span aria-hidden="true">{sign}</span>
      <span class="unseen"> {says} </span>
      {text.slice(sign.length)}
    </>
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
