import type { Markup } from '../../../report/html/markup.ts';
import { Prose } from '../../../report/html/prose.tsx';
import { Scroller } from '../../../report/html/scroller.tsx';
import type { Comparison, OpenDifference } from '../comparison.ts';
import { wordOpen } from '../word-comparison.ts';
import { Values } from './value-table.tsx';

/** In what targets differ that the specification leaves to them. */
export function OpenList({
  comparison: { open, targets },
}: {
  readonly comparison: Comparison;
}): Markup | null {
  if (open.length === 0) return null;
  return (
    <section id="open" aria-labelledby="open-title">
      <h2 id="open-title">Differs where the specification allows it</h2>
      <p class="quiet">
        What was seen where the specification is silent, and how answers look that keep it. None of it is a
        fault.
      </p>
      <OpenTable items={open.slice(0, shownItems)} targets={targets} label="What the specification allows" />
      {open.length > shownItems && (
        <details class="more">
          <summary>{`and ${open.length - shownItems} more`}</summary>
          <OpenTable items={open.slice(shownItems)} targets={targets} label="More of what it allows" />
        </details>
      )}
    </section>
  );
}

function OpenTable({
  items,
  targets,
  label,
}: {
  readonly items: readonly OpenDifference[];
  readonly targets: Comparison['targets'];
  readonly label: string;
}): Markup {
  return (
    <Scroller label={label}>
      <table class="versus values">
        <thead>
          <tr>
            <th scope="col">What</th>
            {targets.map(({ name }) => (
              <th scope="col">{name}</th>
            ))}
            <th scope="col">Where</th>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr>
              <th scope="row">
                <Prose text={wordOpen(item)} />
              </th>
              <Values values={item.values} />
              <td class="where">
                <Where item={item} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroller>
  );
}

/** How many differences are shown before the rest is folded. */
const shownItems = 8;
/** The most places that are named before the rest is folded. */
const shown = 2;

function Where({ item: { where } }: { readonly item: OpenDifference }): Markup {
  const rest = where.slice(shown);
  return (
    <>
      {where.slice(0, shown).join(', ')}
      {rest.length > 0 && (
        <details class="more">
          <summary>{`and ${rest.length} more`}</summary>
          {rest.join(', ')}
        </details>
      )}
    </>
  );
}
