import { linkTo, type Markup, Prose } from '../../../../common/page/markup.tsx';
import type { Comparison } from '../../../compare/comparison.ts';
import { comparisonWords, keyOfDifference, layOutDiffering } from '../../../view/format-comparison.ts';
import { anchors } from '../../html/elements.tsx';
import { TableView } from '../../html/table.tsx';
import { classesOf, TargetFilter } from './target-filter.tsx';

/** Renders the requirements in which targets differ, with a row for each requirement and a column for each target. */
export function DifferenceTable({ comparison }: { readonly comparison: Comparison }): Markup {
  const { differing } = comparison;
  const words = comparisonWords[comparison.kind];
  const anchorOf = (index: number): string => {
    const item = differing[index];
    return item ? linkTo(anchors.requirement(keyOfDifference(item))) : '';
  };
  return (
    <section id="differing" aria-labelledby="differing-title">
      <h2 id="differing-title">{words.differing}</h2>
      {differing.length === 0 ? (
        <p class="quiet">{words.noDifference}</p>
      ) : (
        <>
          <p class="quiet">{words.differingIs}</p>
          <TargetFilter comparison={comparison} />
          <TableView
            table={layOutDiffering(comparison)}
            look="versus"
            stacks
            classOf={(_, index) => classesOf(differing[index])}
            label={({ label }, index) => (
              <>
                <a href={anchorOf(index)}>{label}</a>
                <span class="quiet">
                  <Prose text={differing[index]?.says ?? ''} />
                </span>
              </>
            )}
          />
        </>
      )}
    </section>
  );
}
