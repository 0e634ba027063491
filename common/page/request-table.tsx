import type { Column } from './column.ts';
import type { Markup } from './markup.tsx';
import { searchHelp } from './search.ts';

/** Renders an empty table of requests, which `createRequestTable` (`browser/request-table.ts`) fills. */
export function RequestTable({ columns }: { readonly columns: readonly Column[] }): Markup {
  return (
    <table class="requests">
      <thead>
        <tr>
          {columns.map((column) => (
            <th scope="col" class={column.number && 'number'} data-column={column.name}>
              {column.name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody id="rows" />
    </table>
  );
}

/** Renders the field that filters a table of requests by words. */
export function SearchField({
  label,
  placeholder,
}: {
  readonly label: string;
  readonly placeholder: string;
}): Markup {
  return <input type="search" id="search" placeholder={placeholder} aria-label={label} title={searchHelp} />;
}

export function PauseButton(): Markup {
  return (
    <button type="button" id="pause" aria-pressed="false">
      Pause
    </button>
  );
}

export function MoreButton(): Markup {
  return (
    <button type="button" id="more" hidden>
      Show more
    </button>
  );
}
