import { linkTo, type Markup, Scroller } from '../../../common/page/markup.tsx';
import { formatModelCounts, formatModels, groupModels, type ModelGroup } from '../../report/group-models.ts';
import type { ModelReport, Report } from '../../report/report.ts';
import type { Counts } from '../../report/report-sections.ts';
import { anchors, OutcomeMark } from './elements.tsx';

/**
 * Renders the requirements that listed models violate, and the results of each tested model; null if the report has
 * no `models`.
 */
export function ModelList({ report }: { readonly report: Report }): Markup | null {
  const { models } = report;
  if (!models) return null;
  const groups = groupModels(report);
  return (
    <section id="models" aria-labelledby="models-title">
      <h2 id="models-title">Listed models</h2>
      <p class="quiet">
        {formatModelCounts(models)}
        {models.unread === undefined && '.'}
      </p>
      {groups.length > 0 && (
        <ul class="broken-list">
          {groups.map((group) => (
            <Group group={group} />
          ))}
        </ul>
      )}
      {models.items.length > 0 && <EveryModel items={models.items} />}
    </section>
  );
}

function Group({ group }: { readonly group: ModelGroup }): Markup {
  const { outcome, known, requirements, models } = group;
  const words = formatModels(group);
  return (
    <li class={outcome}>
      <p>
        <OutcomeMark outcome={outcome} />
        <strong class="models">{words}</strong>
        {known && <span class="tag">in the baseline</span>}
      </p>
      <ul class="links">
        {requirements.map((id) => (
          <li>
            <a href={linkTo(anchors.requirement(id))}>{id}</a>
          </li>
        ))}
      </ul>
      {models.join(', ') !== words && (
        <details class="more">
          <summary>{`Names of all ${models.length} models`}</summary>
          <p class="models">{models.join(', ')}</p>
        </details>
      )}
    </li>
  );
}

const columns: readonly (readonly [keyof Counts, string])[] = [
  ['planned', 'cases'],
  ['conforms', 'passed'],
  ['violates', 'failed'],
  ['warns', 'warned'],
  ['inconclusive', 'inconclusive'],
  ['notApplicable', 'not applicable'],
];

function EveryModel({ items }: { readonly items: readonly ModelReport[] }): Markup {
  return (
    <details class="more">
      <summary>{`Results of each model (${items.length})`}</summary>
      <Scroller label="Listed models">
        <table class="counts">
          <thead>
            <tr>
              <th scope="col">Model</th>
              <th scope="col">Operations</th>
              {columns.map(([, word]) => (
                <th scope="col" class="number">
                  {word}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {items.map(({ id, operations, own, cases }) => (
              <tr>
                <th scope="row">{id}</th>
                <td>
                  {[
                    ...operations,
                    ...own.map((operation) => `${operation} (in the cases of the suites)`),
                  ].join(', ') || 'none'}
                </td>
                {columns.map(([name]) => (
                  <td class="number">{cases[name]}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroller>
    </details>
  );
}
