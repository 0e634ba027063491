import { type Outcome, outcomes } from '../../judge/outcome.ts';
import type { Markup } from './markup.ts';
import { outcomeLooks } from './outcome-mark.tsx';

/** How many of some cases or requirements came to what, as signs and numbers. */
export function Tally({ items }: { readonly items: readonly { readonly outcome: Outcome }[] }): Markup {
  const counts = outcomes
    .map((outcome) => ({ outcome, count: items.filter((item) => item.outcome === outcome).length }))
    .filter(({ count }) => count > 0);
  return (
    <span class="tally">
      {counts.map(({ outcome, count }) => (
        <span class={outcome}>
          <span aria-hidden="true">{outcomeLooks[outcome].sign}</span> {count}
          <span class="unseen"> {outcomeLooks[outcome].word} </span>
        </span>
      ))}
    </span>
  );
}
