import type { Outcome } from '../../judge/outcome.ts';
import { counted } from '../counted.ts';
import { groupFindings } from '../group-findings.ts';
import type { Report, RequirementReport } from '../report.ts';
import { anchors, linkTo } from './anchor.ts';
import { CaseLinks } from './case-links.tsx';
import { CurlLine } from './exchange-view.tsx';
import type { Markup } from './markup.ts';
import { OutcomeMark } from './outcome-mark.tsx';
import { Prose } from './prose.tsx';

/** A requirement as one line that opens to what it expects, what was found and in which cases. */
export function RequirementEntry({
  report,
  item,
  outcomeOf,
}: {
  readonly report: Report;
  readonly item: RequirementReport;
  /** The outcome of this requirement in each of its cases. */
  readonly outcomeOf: ReadonlyMap<string, Outcome>;
}): Markup {
  const { id, clause, level, says, expects, outcome, cases } = item;
  const anchor = anchors.requirement(id);
  return (
    <details class="entry requirement" data-outcome={outcome}>
      <summary>
        <OutcomeMark outcome={outcome} />
        <span class="says">
          <Prose text={says} />
        </span>
        <span class="requirement-id">
          {id} · {level}
        </span>
      </summary>
      <div class="entry-body" id={anchor}>
        <p class="permalink">
          <a href={linkTo(anchor)}>{id}</a>
        </p>
        <dl>
          <dt>Clause</dt>
          <dd>{clause}</dd>
          <dt>Expects</dt>
          <dd>{expects}</dd>
        </dl>
        {outcome !== 'conforms' && <Found report={report} item={item} />}
        <h4>Judged by {counted(cases.length, 'case')}</h4>
        <CaseLinks cases={cases} outcomeOf={outcomeOf} />
      </div>
    </details>
  );
}

/** What made the outcome, each thing once, with its cases and an example to send again. */
function Found({ report, item }: { readonly report: Report; readonly item: RequirementReport }): Markup {
  return (
    <>
      <h4>Found</h4>
      {groupFindings(report, item.id, item.outcome).map(({ message, cases, example }) => (
        <div class="finding">
          <p class="message">{message}</p>
          <CaseLinks cases={cases} />
          {example && <CurlLine line={example.curl} />}
        </div>
      ))}
    </>
  );
}
