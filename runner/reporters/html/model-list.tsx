import { linkTo, type Markup } from '../../../common/page/markup.tsx';
import { formatModelCounts, formatModels, layOutModels, type ModelGroup } from '../../view/models.ts';
import type { View } from '../../view/view.ts';
import { anchors, OutcomeMark } from './elements.tsx';
import { TableView } from './table.tsx';

/**
 * Renders the requirements that listed models violate, and the results of each tested model; null if the report has
 * no `models`.
 */
export function ModelList({ view }: { readonly view: View }): Markup | null {
  const { models } = view.report;
  if (!models) return null;
  const groups = view.models;
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
      {models.items.length > 0 && (
        <details class="more">
          <summary>{`Results of each model (${models.items.length})`}</summary>
          <TableView table={layOutModels(models)} look="counts" />
        </details>
      )}
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
