import type { Outcome } from '../../judge/outcome.ts';
import { anchors, linkTo } from './anchor.ts';
import type { Markup } from './markup.ts';
import { outcomeLooks } from './outcome-mark.tsx';

/** The most cases that are named before the rest is folded. */
const shownCases = 4;

/** Links to cases; a long list is folded behind its beginning. */
export function CaseLinks({
  cases,
  outcomeOf,
}: {
  readonly cases: readonly string[];
  readonly outcomeOf?: ReadonlyMap<string, Outcome>;
}): Markup {
  const rest = cases.slice(shownCases + 1).length > 0 ? cases.slice(shownCases) : [];
  return (
    <>
      <Links cases={cases.slice(0, cases.length - rest.length)} outcomeOf={outcomeOf} />
      {rest.length > 0 && (
        <details class="more">
          <summary>and {rest.length} more cases</summary>
          <Links cases={rest} outcomeOf={outcomeOf} />
        </details>
      )}
    </>
  );
}

function Links({
  cases,
  outcomeOf,
}: {
  readonly cases: readonly string[];
  readonly outcomeOf: ReadonlyMap<string, Outcome> | undefined;
}): Markup {
  return (
    <ul class="links">
      {cases.map((id) => {
        const outcome = outcomeOf?.get(id);
        return (
          <li>
            {outcome && (
              <span class={`sign ${outcome}`} role="img" aria-label={outcomeLooks[outcome].word}>
                {outcomeLooks[outcome].sign}
              </span>
            )}
            <a href={linkTo(anchors.case(id))}>{id}</a>
          </li>
        );
      })}
    </ul>
  );
}
