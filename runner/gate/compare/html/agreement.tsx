import { counted } from '../../../report/counted.ts';
import type { Markup } from '../../../report/html/markup.ts';
import { OutcomeMark } from '../../../report/html/outcome-mark.tsx';
import { Prose } from '../../../report/html/prose.tsx';
import type { ComparedRequirement, Comparison } from '../comparison.ts';
import { wordAll, wordNotJudgedOn } from '../word-comparison.ts';

/** What all targets break, and what could be judged on some of them only. */
export function Agreement({ comparison }: { readonly comparison: Comparison }): Markup {
  const { brokenByAll, notJudged } = comparison;
  return (
    <>
      {brokenByAll.length > 0 && (
        <section id="broken" aria-labelledby="broken-title">
          <h2 id="broken-title">{`Broken by ${wordAll(comparison)}`}</h2>
          <ul class="broken-list">
            {brokenByAll.map((item) => (
              <Broken item={item} />
            ))}
          </ul>
        </section>
      )}
      {notJudged.length > 0 && (
        <section id="not-judged" aria-labelledby="not-judged-title">
          <h2 id="not-judged-title">Judged on others only</h2>
          <p class="quiet">No difference of conduct: of this, one target was asked and another not.</p>
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
          ? [...found].map((text) => <li>{`${text} (${counted(cases.length, 'case')})`}</li>)
          : targets.map((own) => own.found !== null && <li>{`${own.target}: ${own.found}`}</li>)}
      </ul>
    </li>
  );
}
