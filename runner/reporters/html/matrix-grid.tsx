import { type Markup, Prose } from '../../../common/page/markup.tsx';
import type { AuthMatrix } from '../../view/auth-matrix.ts';
import { layOutMatrix } from '../../view/matrix-table.ts';
import type { Row } from '../../view/table.ts';
import { Legend, TableView } from './table.tsx';

/**
 * Renders the response status for each credential and operation, as a grid with links to cases; null if no case tests
 * credentials.
 */
export function MatrixGrid({ matrix }: { readonly matrix: AuthMatrix }): Markup | null {
  const table = layOutMatrix(matrix);
  if (table.rows.length === 0) return null;
  return (
    <section id="matrix" aria-labelledby="matrix-title">
      <h2 id="matrix-title">Credentials</h2>
      <p class="quiet">
        <Prose
          text={
            'The response status for each credential, by its place in the request and by operation. Keys with the same results share a row, which opens to a row for each. A cell links to a case, the worst of several.'
          }
        />
      </p>
      <Legend table={table} />
      <p class="scroll-hint" aria-hidden="true">
        Scroll sideways for all operations →
      </p>
      <TableView
        table={table}
        look="matrix"
        groupOf={({ label }) => label}
        label={(row, index) => <Credential row={row} isFirst={index === 0} />}
      />
    </section>
  );
}

/**
 * Renders the place and the kind of a key. If the row stands for several, the name that sums them up opens to them: the
 * style sheet hides the rows next to a closed fold.
 */
function Credential({ row, isFirst }: { readonly row: Row; readonly isFirst: boolean }): Markup {
  const { label, about = '', says, members } = row;
  const hasPlaces = members?.some((member) => member.label !== label);
  return (
    <>
      <span class={isFirst ? 'place' : 'place again'}>
        {hasPlaces ? <Fold name={label} /> : <Prose text={label} />}
      </span>{' '}
      <span class="key" title={says}>
        {members && !hasPlaces ? <Fold name={about} /> : about}
      </span>
    </>
  );
}

function Fold({ name }: { readonly name: string }): Markup {
  return (
    <details class="fold">
      <summary>
        <Prose text={name} />
      </summary>
    </details>
  );
}
