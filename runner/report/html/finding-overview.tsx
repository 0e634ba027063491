import { collectBreaches } from '../collect-breaches.ts';
import { counted } from '../counted.ts';
import { groupFindings } from '../group-findings.ts';
import type { Report, RequirementReport } from '../report.ts';
import { anchors, linkTo } from './anchor.ts';
import type { Markup } from './markup.ts';
import { OutcomeMark } from './outcome-mark.tsx';
import { Prose } from './prose.tsx';
import { Unjudged } from './unjudged.tsx';

/** The most requirements that are told of before the rest is folded, and findings of each. */
const shownRequirements = 10;
const shownFindings = 2;

/** What is broken, then what is not kept though it should be, then what could not be judged. */
export function FindingOverview({ report }: { readonly report: Report }): Markup {
  const of = (outcome: RequirementReport['outcome']): RequirementReport[] =>
    report.requirements.filter((item) => item.outcome === outcome);
  const broken = [...of('violates'), ...of('warns')];
  return (
    <section id="findings" aria-labelledby="findings-title">
      <h2 id="findings-title">Findings</h2>
      {broken.length === 0 && (
        <p class="quiet">
          {of('conforms').length === 0
            ? 'Nothing could be judged.'
            : 'Nothing that was judged breaks a requirement.'}
        </p>
      )}
      <Broken report={report} items={broken.slice(0, shownRequirements)} />
      {broken.length > shownRequirements && (
        <details class="more">
          <summary>and {broken.length - shownRequirements} more requirements</summary>
          <Broken report={report} items={broken.slice(shownRequirements)} />
        </details>
      )}
      <Unjudged report={report} />
    </section>
  );
}

function Broken({
  report,
  items,
}: {
  readonly report: Report;
  readonly items: readonly RequirementReport[];
}): Markup {
  const breaches = collectBreaches(report);
  return (
    <ul class="broken-list">
      {items.map(({ id, clause, says, outcome }) => {
        const groups = groupFindings(report, id, outcome);
        const rest = groups.length - shownFindings;
        const known = breaches
          .filter(({ requirement }) => requirement.id === id)
          .map((breach) => breach.known);
        const reasons = new Set(known.filter((reason) => reason !== undefined));
        return (
          <li class={outcome}>
            <p>
              <OutcomeMark outcome={outcome} /> <a href={linkTo(anchors.requirement(id))}>{id}</a>{' '}
              <span class="clause">{clause}</span>
            </p>
            <p class="says">
              <Prose text={says} />
            </p>
            <ul class="found">
              {groups.slice(0, shownFindings).map(({ message, cases }) => (
                <li>
                  {message}{' '}
                  <a class="count" href={linkTo(anchors.case(cases[0] ?? ''))}>
                    {counted(cases.length, 'case')}
                  </a>
                </li>
              ))}
              {rest > 0 && <li class="quiet">and {counted(rest, 'more finding')}</li>}
              {[...reasons].map((reason) => (
                <li class="quiet">
                  {known.includes(undefined) ? 'In part known' : 'Known'}, says the baseline: {reason}
                </li>
              ))}
            </ul>
          </li>
        );
      })}
    </ul>
  );
}
