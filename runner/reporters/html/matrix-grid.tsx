import { type Markup, Prose } from '../../../common/page/markup.tsx';
import type { AuthMatrix } from '../../view/auth-matrix.ts';
import { layOutMatrix } from '../../view/matrix-table.ts';
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
            'The response status for each credential, by its place in the request and by operation. Keys with the same results share a row. A cell links to a case, the worst of several.'
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
        label={({ label, about }, index) => (
          <>
            <span class={index === 0 ? 'place' : 'place again'}>{label}</span>{' '}
            <span class="key">{about}</span>
          </>
        )}
      />
    </section>
  );
}
