import { pluralize } from '../../../../common/lists.ts';
import { type Markup, Prose, Scroller } from '../../../../common/page/markup.tsx';
import type {
  ComparedRequirement,
  Comparison,
  Evidence,
  OpenDifference,
} from '../../../compare/comparison.ts';
import { clausesOf } from '../../../view/clauses.ts';
import { findViolatingExchange, formatOpen } from '../../../view/format-comparison.ts';
import { anchors, ClauseList, EntryBody, Folded, OutcomeMark } from '../../html/elements.tsx';
import { CurlLine } from '../../html/exchange-view.tsx';
import { extents, HeaderPane, ResponsePane } from '../../html/message-pane.tsx';
import { Values, ValueTable } from './difference-table.tsx';

/** Renders each requirement in which targets differ, with the responses of the targets next to each other. */
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
  const { id, level, says, expects, cases, targets, evidence } = item;
  const anchor = anchors.requirement(id);
  const curl = findViolatingExchange(item)?.curl;
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
        <EntryBody id={anchor}>
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
              <TargetAnswer target={target} exchange={evidence.answers[index]?.exchange ?? null} />
            ))}
          </div>
          {evidence.differences.length > 0 && (
            <ValueTable
              label={`Differences between the responses, ${id}`}
              targets={targets.map(({ target }) => target)}
              rows={evidence.differences}
            />
          )}
          {curl !== undefined && <CurlLine line={curl} />}
          {cases.length > 1 && (
            <details class="more">
              <summary>{`differs in ${pluralize(cases.length, 'case')}`}</summary>
              <ul class="links">
                {cases.map((text) => (
                  <li>{text}</li>
                ))}
              </ul>
            </details>
          )}
        </EntryBody>
      </details>
    </section>
  );
}

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
            extent={extents.nextTo}
            title={`Response of ${target}`}
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
        <p class="quiet">{`Nothing was sent to ${target}.`}</p>
      )}
    </div>
  );
}

/** Renders the differences that the specification allows; null if no such difference exists. */
export function OpenList({
  comparison: { open, targets },
}: {
  readonly comparison: Comparison;
}): Markup | null {
  if (open.length === 0) return null;
  return (
    <section id="open" aria-labelledby="open-title">
      <h2 id="open-title">Differences that the specification allows</h2>
      <p class="quiet">
        Different observations, and different members, headers and statuses in conforming responses. These
        differences are not violations.
      </p>
      <Folded items={open} most={shownItems} noun="difference">
        {(shown, isRest) => (
          <OpenTable
            items={shown}
            targets={targets}
            label={`${isRest ? 'More differences' : 'Differences'} that the specification allows`}
          />
        )}
      </Folded>
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
            <th scope="col">Difference</th>
            {targets.map(({ name }) => (
              <th scope="col">{name}</th>
            ))}
            <th scope="col">Place</th>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr>
              <th scope="row">
                <Prose text={formatOpen(item)} />
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

/** The maximum number of differences that are shown before the rest is collapsed. */
const shownItems = 8;
/** The maximum number of places that are shown before the rest is collapsed. */
const shownPlaces = 2;

function Where({ item: { where } }: { readonly item: OpenDifference }): Markup {
  const rest = where.slice(shownPlaces);
  return (
    <>
      {where.slice(0, shownPlaces).join(', ')}
      {rest.length > 0 && (
        <details class="more">
          <summary>{`and ${rest.length} more`}</summary>
          {rest.join(', ')}
        </details>
      )}
    </>
  );
}
