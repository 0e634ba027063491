import { isFailed } from '../../judge/outcome.ts';
import { gather } from '../gather.ts';
import type { CaseReport, Report } from '../report.ts';
import { CaseEntry } from './case-entry.tsx';
import type { Markup } from './markup.ts';
import { Prose } from './prose.tsx';
import { Tally } from './tally.tsx';

/** Every case, by suite and scenario; scenarios in which all conforms, or nothing applies, are folded. */
export function CaseList({ report }: { readonly report: Report }): Markup {
  const says = new Map(report.requirements.map((item) => [item.id, item.says]));
  const suites = gather(report.cases, ({ suite }) => suite);
  return (
    <section id="cases" aria-labelledby="cases-title">
      <h2 id="cases-title">Cases</h2>
      {suites.map(([suite, cases]) => (
        <section class="part">
          <h3>
            {suite} <Tally items={cases} />
          </h3>
          {gather(cases, ({ id }) => scenarioOf(id)).map(([scenario, own]) => (
            <Scenario scenario={scenario} cases={own} says={says} />
          ))}
        </section>
      ))}
    </section>
  );
}

function Scenario({
  scenario,
  cases,
  says,
}: {
  readonly scenario: string;
  readonly cases: readonly CaseReport[];
  /** What each requirement says. */
  readonly says: ReadonlyMap<string, string>;
}): Markup {
  return (
    <details class="group" open={cases.some(({ outcome }) => isFailed(outcome))}>
      <summary>
        <span class="group-name">{scenario}</span> <Tally items={cases} />
        <span class="about">
          <Prose text={cases[0]?.about ?? ''} />
        </span>
      </summary>
      {cases.map((item) => (
        <CaseEntry item={item} scenario={scenario} says={says} />
      ))}
    </details>
  );
}

/** The part of a case's id before its axes. */
function scenarioOf(id: string): string {
  const parts = id.split('/');
  const end = parts.findIndex((part) => part.includes('='));
  return end < 1 ? id : parts.slice(0, end).join('/');
}
