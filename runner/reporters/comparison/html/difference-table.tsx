import { linkTo, type Markup, Scroller } from '../../../../common/page/markup.tsx';
import type { AnswerDifference, Comparison, RequirementOfTarget } from '../../../compare/comparison.ts';
import { formatPlace, formatValue } from '../../../compare/format-comparison.ts';
import { anchors, outcomeLabels } from '../../html/elements.tsx';

/** Renders the requirements in which targets differ, with a row for each requirement and a column for each target. */
export function DifferenceTable({ comparison }: { readonly comparison: Comparison }): Markup {
  const { differing, targets } = comparison;
  return (
    <section id="differing" aria-labelledby="differing-title">
      <h2 id="differing-title">Differing requirements</h2>
      {differing.length === 0 ? (
        <p class="quiet">No requirement passes on one target and fails on another.</p>
      ) : (
        <>
          <p class="quiet">
            Requirements that pass on some targets and fail on others. Each number is the number of failed
            cases. Each row links to the responses of the targets.
          </p>
          <Scroller label="Differing requirements">
            <table class="versus">
              <thead>
                <tr>
                  <th scope="col">Requirement</th>
                  {targets.map(({ name }) => (
                    <th scope="col" class="operation">
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {differing.map(({ id, targets: own }) => (
                  <tr>
                    <th scope="row">
                      <a href={linkTo(anchors.requirement(id))}>{id}</a>
                    </th>
                    {own.map((item) => (
                      <OutcomeCell {...item} />
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </Scroller>
        </>
      )}
    </section>
  );
}

function OutcomeCell({ outcome, broken }: RequirementOfTarget): Markup {
  if (outcome === null) {
    return (
      <td class="untried">
        <span class="unseen">not planned</span>
      </td>
    );
  }
  const { sign, word } = outcomeLabels[outcome];
  return (
    <td class={outcome}>
      <span class="swatch">
        <span aria-hidden="true">{sign}</span>
        <span class="unseen"> {word} </span>
        {broken > 0 && ` ${broken}`}
      </span>
    </td>
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
              <th scope="row">{formatPlace(place)}</th>
              <Values values={values} />
            </tr>
          ))}
        </tbody>
      </table>
    </Scroller>
  );
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
