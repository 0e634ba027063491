import { counted } from '../../../report/counted.ts';
import { anchors } from '../../../report/html/anchor.ts';
import { CurlLine } from '../../../report/html/exchange-view.tsx';
import type { Markup } from '../../../report/html/markup.ts';
import { extents, HeaderPane, ResponsePane } from '../../../report/html/message-pane.tsx';
import { OutcomeMark } from '../../../report/html/outcome-mark.tsx';
import { Prose } from '../../../report/html/prose.tsx';
import type { ComparedRequirement, Comparison, Evidence } from '../comparison.ts';
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

/** A line with the outcome on each target, which opens to what each of them answered. */
function Difference({ item }: { readonly item: ComparedRequirement }): Markup {
  const { id, clause, level, says, expects, cases, targets, evidence } = item;
  const anchor = anchors.requirement(id);
  const curl = exchangeAtFault(item)?.curl;
  return (
    <section class="difference" aria-labelledby={`${anchor}/title`}>
      <details class="group">
        <summary>
          <strong class="group-name" id={`${anchor}/title`}>
            {id}
          </strong>
          <span class="outcomes">
            {targets.map(({ target, outcome, found }) => (
              <span class="outcome">
                {outcome !== null && <OutcomeMark outcome={outcome} />} {target}
                {found !== null && <span class="quiet">: {found}</span>}
              </span>
            ))}
          </span>
        </summary>
        <div class="entry-body" id={anchor}>
          <p class="clause">{`${level} · ${clause}`}</p>
          <p class="says">
            <Prose text={says} />
          </p>
          <p class="quiet">
            Expected: <Prose text={expects} />
          </p>
          <h4>{evidence.case}</h4>
          <div class="panes">
            {targets.map(({ target }, index) => (
              <TargetAnswer target={target} exchange={evidence.answers[index]?.exchange ?? null} />
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
        </div>
      </details>
    </section>
  );
}

/** The status and the body of an answer; its headers unfold. */
function TargetAnswer({
  target,
  exchange,
}: {
  readonly target: string;
  readonly exchange: Evidence['answers'][number]['exchange'];
}): Markup {
  const count = Object.keys(exchange?.response?.headers ?? {}).length;
  return (
    <div class="target-answer">
      {exchange ? (
        <>
          <ResponsePane
            exchange={exchange}
            notes={new Map()}
            extent={extents.beside}
            title={`Response of ${target}`}
            hidesHeaders
          />
          {count > 0 && (
            <details class="more">
              <summary>{counted(count, 'header')}</summary>
              <HeaderPane exchange={exchange} title={`Headers of ${target}`} />
            </details>
          )}
        </>
      ) : (
        <p class="quiet">{`Nothing was sent to ${target}.`}</p>
      )}
    </div>
  );
}
