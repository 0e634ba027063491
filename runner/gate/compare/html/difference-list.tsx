import { counted } from '../../../report/counted.ts';
import { anchors } from '../../../report/html/anchor.ts';
import { CurlLine } from '../../../report/html/exchange-view.tsx';
import type { Markup } from '../../../report/html/markup.ts';
import { extents, ResponsePane } from '../../../report/html/message-pane.tsx';
import { OutcomeMark } from '../../../report/html/outcome-mark.tsx';
import { Prose } from '../../../report/html/prose.tsx';
import type { ComparedRequirement, Comparison, Evidence, RequirementOfTarget } from '../comparison.ts';
import { exchangeAtFault } from '../word-comparison.ts';
import { ValueTable } from './value-table.tsx';

/** Each requirement in which targets differ, with what they answered side by side. */
export function DifferenceList({ comparison }: { readonly comparison: Comparison }): Markup {
  return (
    <>
      {comparison.differing.map((item) => (
        <Difference item={item} />
      ))}
    </>
  );
}

function Difference({ item }: { readonly item: ComparedRequirement }): Markup {
  const { id, clause, level, says, expects, cases, targets, evidence } = item;
  const anchor = anchors.requirement(id);
  const curl = exchangeAtFault(item)?.curl;
  return (
    <section class="difference" id={anchor} aria-labelledby={`${anchor}/title`}>
      <h3 id={`${anchor}/title`}>{id}</h3>
      <p class="clause">{`${level} · ${clause}`}</p>
      <p class="says">
        <Prose text={says} />
      </p>
      <p class="quiet">{`Expects: ${expects}`}</p>
      <h4>{evidence.case}</h4>
      <div class="panes">
        {targets.map((own, index) => (
          <TargetAnswer own={own} exchange={evidence.answers[index]?.exchange ?? null} />
        ))}
      </div>
      {evidence.differences.length > 0 && (
        <ValueTable
          label={`Where the answers differ, ${id}`}
          targets={targets.map(({ target }) => target)}
          rows={evidence.differences}
        />
      )}
      {curl !== undefined && <CurlLine line={curl} />}
      {cases.length > 1 && (
        <details class="more">
          <summary>{`differs in ${counted(cases.length, 'case')}`}</summary>
          <ul class="links">
            {cases.map((text) => (
              <li>{text}</li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

function TargetAnswer({
  own: { target, outcome, found },
  exchange,
}: {
  readonly own: RequirementOfTarget;
  readonly exchange: Evidence['answers'][number]['exchange'];
}): Markup {
  return (
    <div class="target-answer">
      <p>
        <strong>{target}</strong> {outcome !== null && <OutcomeMark outcome={outcome} />}
      </p>
      <p class="quiet">{found ?? 'As it should be.'}</p>
      {exchange ? (
        <ResponsePane
          exchange={exchange}
          notes={new Map()}
          extent={extents.beside}
          title={`Response of ${target}`}
        />
      ) : (
        <p class="quiet">Nothing was sent.</p>
      )}
    </div>
  );
}
