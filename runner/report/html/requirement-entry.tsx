import type { Outcome } from '../../judge/outcome.ts';
import type { Failure } from '../causes/failures.ts';
import { groupBySymptom } from '../causes/symptom-groups.ts';
import { counted } from '../counted.ts';
import { gather } from '../gather.ts';
import type { Report, RequirementReport } from '../report.ts';
import { anchors, linkTo } from './anchor.ts';
import { CaseLinks } from './case-links.tsx';
import { ExampleView } from './cause-entry.tsx';
import type { Markup } from './markup.ts';
import { OutcomeMark } from './outcome-mark.tsx';
import { Prose } from './prose.tsx';

/** A requirement as one line that opens to what it expects, what was found and in which cases. */
export function RequirementEntry({
  report,
  item,
  outcomeOf,
  failures,
}: {
  readonly report: Report;
  readonly item: RequirementReport;
  /** The outcome of this requirement in each of its cases. */
  readonly outcomeOf: ReadonlyMap<string, Outcome>;
  /** Its failures that no baseline expects. */
  readonly failures: readonly Failure[];
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
          <dd>
            <Prose text={expects} />
          </dd>
        </dl>
        {outcome !== 'conforms' && <Found report={report} item={item} failures={failures} />}
        <h4>Judged by {counted(cases.length, 'case')}</h4>
        <CaseLinks cases={cases} outcomeOf={outcomeOf} />
      </div>
    </details>
  );
}

/** What made the outcome, each thing once, with its cases and an example to look at and to send again. */
function Found({
  report,
  item,
  failures,
}: {
  readonly report: Report;
  readonly item: RequirementReport;
  readonly failures: readonly Failure[];
}): Markup {
  const groups = groupBySymptom(failures);
  const reasons = gather(
    report.cases.flatMap(({ id, obligations }) =>
      obligations
        .filter(
          (own) => own.requirement === item.id && own.outcome === item.outcome && own.findings.length === 0,
        )
        .map((own) => ({ id, reason: own.reason ?? '' })),
    ),
    ({ reason }) => reason,
  );
  return (
    <>
      <h4>Found</h4>
      {groups.map(({ message, cases, example }) => (
        <div class="finding">
          <p class="message">{message}</p>
          <CaseLinks cases={cases} />
          {example && <ExampleView example={example} />}
        </div>
      ))}
      {groups.length === 0 &&
        reasons.map(([reason, cases]) => (
          <div class="finding">
            <p class="message">{reason}</p>
            <CaseLinks cases={cases.map(({ id }) => id)} />
          </div>
        ))}
    </>
  );
}
