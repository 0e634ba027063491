import type { Markup } from '../../../../common/page/markup.tsx';
import type { ComparedRequirement, Comparison } from '../../../compare/comparison.ts';
import { Choice } from '../../html/elements.tsx';

/**
 * Renders the choice of a target: only the requirements that it violates stay visible. The style sheet hides the others,
 * so that the page needs no script. Null for two reports of one gateway.
 */
export function TargetFilter({
  comparison: { kind, targets },
}: {
  readonly comparison: Comparison;
}): Markup | null {
  if (kind === 'changes') return null;
  return (
    <fieldset class="choices">
      <legend>Violated by</legend>
      {['any', ...targets.map(({ name }) => name)].map((name, index) => (
        <Choice name="target" value={String(index)} label={name} checked={index === 0} />
      ))}
    </fieldset>
  );
}

/** Returns the classes by which the style sheet hides a requirement: one for each target that violates it. */
export function classesOf(item: ComparedRequirement | undefined): string {
  return (item?.targets ?? [])
    .flatMap(({ outcome }, index) =>
      outcome === 'violates' || outcome === 'warns' ? [`of-${index + 1}`] : [],
    )
    .concat('differs')
    .join(' ');
}
