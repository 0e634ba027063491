import type { Markup } from '../../../report/html/markup.ts';
import { Scroller } from '../../../report/html/scroller.tsx';
import type { AnswerDifference } from '../comparison.ts';
import { wordPlace, wordValue } from '../word-comparison.ts';

/** What each target has at the places where answers differ. */
export function ValueTable({
  label,
  targets,
  rows,
}: {
  readonly label: string;
  readonly targets: readonly string[];
  readonly rows: readonly AnswerDifference[];
}): Markup {
  return (
    <Scroller label={label}>
      <table class="versus values">
        <thead>
          <tr>
            <th scope="col">Place</th>
            {targets.map((name) => (
              <th scope="col">{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ place, values }) => (
            <tr>
              <th scope="row">{wordPlace(place)}</th>
              <Values values={values} />
            </tr>
          ))}
        </tbody>
      </table>
    </Scroller>
  );
}

/** The cells of what each target has. */
export function Values({ values }: { readonly values: readonly (string | null)[] }): Markup {
  return (
    <>
      {values.map((value) => (
        <td class={value === null ? 'nothing' : 'value'}>{wordValue(value)}</td>
      ))}
    </>
  );
}
