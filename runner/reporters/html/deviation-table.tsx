import { linkTo, type Markup } from '../../../common/page/markup.tsx';
import { type Deviations, formatDeviationCount, layOutDeviations } from '../../view/deviations.ts';
import { anchors } from './elements.tsx';
import { TableView } from './table.tsx';

/** Renders what the profile declares that the gateway does instead of the specification; null if it declares nothing. */
export function DeviationTable({
  deviations,
}: {
  readonly deviations: Deviations | undefined;
}): Markup | null {
  if (!deviations) return null;
  const requirements = new Set(deviations.all.flatMap(({ id, isRequirement }) => (isRequirement ? id : [])));
  return (
    <section id={anchors.deviations} aria-labelledby="deviations-title">
      <h2 id="deviations-title">Declared deviations</h2>
      <p class="quiet">
        What the profile declares that the gateway does instead of the specification:{' '}
        {formatDeviationCount(deviations)}.
      </p>
      <TableView
        table={layOutDeviations(deviations)}
        look="counts deviations"
        label={({ label }) =>
          requirements.has(label) ? <a href={linkTo(anchors.requirement(label))}>{label}</a> : label
        }
      />
    </section>
  );
}
