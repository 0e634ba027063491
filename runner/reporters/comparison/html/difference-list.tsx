import { pluralize } from '../../../../common/lists.ts';
import { type Markup, Prose } from '../../../../common/page/markup.tsx';
import type {
  ComparedRequirement,
  Comparison,
  ComparisonKind,
  Evidence,
} from '../../../compare/comparison.ts';
import { clausesOf } from '../../../view/clauses.ts';
import {
  comparisonWords,
  findViolatingExchange,
  keyOfDifference,
  layOutAnswers,
  layOutOpen,
  lookOfDifference,
  titleOfOpen,
} from '../../../view/format-comparison.ts';
import { anchors, ClauseList, Folded, OutcomeMark } from '../../html/elements.tsx';
import { CurlLine } from '../../html/exchange-view.tsx';
import { extents, HeaderPane, ResponsePane } from '../../html/message-pane.tsx';
import { TableView } from '../../html/table.tsx';
import { classesOf } from './target-filter.tsx';

/** Renders each requirement in which targets differ, with the responses of the targets next to each other. */
export function DifferenceList({
  comparison: { kind, differing },
}: {
  readonly comparison: Comparison;
}): Markup {
  return (
    <>
      {differing.map((item) => (
        <Difference kind={kind} item={item} />
      ))}
    </>
  );
}

function Difference({
  kind,
  item,
}: {
  readonly kind: ComparisonKind;
  readonly item: ComparedRequirement;
}): Markup {
  const { id, level, says, expects, cases, targets, evidence } = item;
  const anchor = anchors.requirement(keyOfDifference(item));
  const { words } = lookOfDifference(item);
  const curl = findViolatingExchange(item)?.curl;
  return (
    <section class={`difference ${classesOf(item)}`} aria-labelledby={`${anchor}/title`}>
      <details class="group">
        <summary>
          <strong class="group-name" id={`${anchor}/title`}>
            {id}
          </strong>
          <span class="outcomes">
            {words !== '' && <span class="outcome">{words}</span>}
            {targets.map(({ target, outcome, found }) => (
              <span class="outcome">
                {outcome !== null && <OutcomeMark outcome={outcome} />} {target}
                {found !== null && (
                  <span class="quiet">
                    : <Prose text={found} />
                  </span>
                )}
              </span>
            ))}
          </span>
        </summary>
        <div class="entry-body" id={anchor}>
          <p class="says">
            <Prose text={says} /> <span class="clause">{level}</span>
          </p>
          <ClauseList clauses={clausesOf(item)} />
          <p class="quiet">
            Expected: <Prose text={expects} />
          </p>
          <h4>{evidence.case}</h4>
          <div class="panes">
            {targets.map(({ target }, index) => (
              <TargetAnswer
                kind={kind}
                target={target}
                exchange={evidence.answers[index]?.exchange ?? null}
              />
            ))}
          </div>
          {evidence.differences.length > 0 && (
            <TableView table={layOutAnswers(item)} look="versus values" stacks />
          )}
          {curl !== undefined && <CurlLine line={curl} />}
          {cases.length > 1 && (
            <details class="more">
              <summary>{`${comparisonWords[kind].verb} in ${pluralize(cases.length, 'case')}`}</summary>
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

function TargetAnswer({
  kind,
  target,
  exchange,
}: {
  readonly kind: ComparisonKind;
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
            extent={extents.nextTo}
            title={comparisonWords[kind].answerOf(target)}
            hidesHeaders
          />
          {count > 0 && (
            <details class="more">
              <summary>{pluralize(count, 'header')}</summary>
              <HeaderPane exchange={exchange} title={`Headers of ${target}`} />
            </details>
          )}
        </>
      ) : (
        <p class="quiet">{`${target}: ${comparisonWords[kind].noResponse}`}</p>
      )}
    </div>
  );
}

/** The number of differences that are shown before the rest is folded. */
const shownItems = 8;

/** Renders the differences that are no violations; null if there are none. */
export function OpenList({ comparison }: { readonly comparison: Comparison }): Markup | null {
  if (comparison.open.length === 0) return null;
  return (
    <section id="open" aria-labelledby="open-title">
      <h2 id="open-title">{titleOfOpen(comparison)}</h2>
      <p class="quiet">
        Different observations, and different members, headers and statuses in responses that are as specified
        or as declared. These differences are not violations.
      </p>
      <Folded items={comparison.open} most={shownItems} noun="difference">
        {(shown, isRest) => {
          const table = layOutOpen(comparison, shown);
          return (
            <TableView
              table={isRest ? { ...table, title: `More: ${table.title}` } : table}
              look="versus values"
              stacks
            />
          );
        }}
      </Folded>
    </section>
  );
}
