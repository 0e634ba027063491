import { counted } from '../../../report/counted.ts';
import type { Markup } from '../../../report/html/markup.ts';
import { OutcomeMark } from '../../../report/html/outcome-mark.tsx';
import { Prose } from '../../../report/html/prose.tsx';
import type { ComparedRequirement, Comparison } from '../comparison.ts';
import { wordAll, wordNotJudgedOn } from '../word-comparison.ts';

/** How many requirements are shown that fail on all targets, before the rest is folded. */
const shownBroken = 5;

/** What fails on all targets, and what was tested on some of them only. */
export function Agreement({ comparison }: { readonly comparison: Comparison }): Markup {
  const { brokenByAll, notJudged } = comparison;
  return (
    <>
      {brokenByAll.length > 0 && (
        <section id="broken" aria-labelledby="broken-title">
          <h2 id="broken-title">{`Failed on ${wordAll(comparison)}`}</h2>
          <BrokenList items={brokenByAll.slice(0, shownBroken)} />
          {brokenByAll.length > shownBroken && (
            <details class="more">
              <summary>{`and ${counted(brokenByAll.length - shownBroken, 'more requirement')}`}</summary>
              <BrokenList items={brokenByAll.slice(shownBroken)} />
            </details>
          )}
        </section>
      )}
      {notJudged.length > 0 && (
        <section id="not-judged" aria-labelledby="not-judged-title">
          <h2 id="not-judged-title">Tested on others only</h2>
          <p class="quiet">No difference in behavior: one target was tested, and another was not.</p>
          <ul class="reasons">
            {notJudged.map((item) => (
              <li>
                <strong>{item.target}</strong> <Prose text={wordNotJudgedOn(item, (text) => text)} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function BrokenList({ items }: { readonly items: readonly ComparedRequirement[] }): Markup {
  return (
    <ul class="broken-list">
      {items.map((item) => (
        <Broken item={item} />
      ))}
    </ul>
  );
}

function Broken({
  item: { id, clause, says, cases, targets },
}: {
  readonly item: ComparedRequirement;
}): Markup {
  const worst = targets.find(({ broken }) => broken > 0)?.outcome ?? 'violates';
  const found = new Set(targets.flatMap((own) => own.found ?? []));
  return (
    <li class={worst}>
      <p>
        <OutcomeMark outcome={worst} /> <strong>{id}</strong> <span class="clause">{clause}</span>
      </p>
      <p class="says">
        <Prose text={says} />
      </p>
      <ul class="found">
        {found.size === 1
          ? [...found].map((text) => (
              <li>
                <p>{`${text} (${counted(cases.length, 'case')})`}</p>
              </li>
            ))
          : targets.map(
              (own) =>
                own.found !== null && (
                  <li>
                    <p>{`${own.target}: ${own.found}`}</p>
                  </li>
                ),
            )}
      </ul>
    </li>
  );
}
