import { groupBy, pluralize } from '../../../common/lists.ts';
import { linkTo, type Markup, Prose } from '../../../common/page/markup.tsx';
import type { Report } from '../../report/report.ts';
import type { Counts } from '../../report/report-sections.ts';
import { countsByOutcome } from '../../view/counts.ts';
import { outcomeLooks } from '../../view/signs.ts';
import { anchors } from './elements.tsx';
import { ExchangeView } from './exchange-view.tsx';

/** Renders the numbers of planned requirements and cases, by outcome. */
export function CoverageSection({ summary, suite, recording }: Report): Markup {
  const { planned } = summary.requirements;
  const of = suite && suite.requirements > planned ? ` of ${suite.requirements}` : '';
  const rest = recording ? '' : ' planned';
  return (
    <section class="coverage" aria-label="Coverage">
      <Bar title={`${of} requirements${rest}`} counts={summary.requirements} />
      <Bar title={` cases${rest}`} counts={summary.cases} />
    </section>
  );
}

function Bar({ title, counts }: { readonly title: string; readonly counts: Counts }): Markup {
  const parts = countsByOutcome(counts);
  const share = (count: number): number => (counts.planned === 0 ? 0 : (100 * count) / counts.planned);
  const before = (index: number): number =>
    share(parts.slice(0, index).reduce((sum, [, count]) => sum + count, 0));
  return (
    <div class="bar">
      <h2>
        <strong>{counts.planned}</strong>
        {title}
      </h2>
      <svg width="100%" height="10" aria-hidden="true">
        {parts.map(([outcome, count], index) => (
          <rect class={outcome} x={`${before(index)}%`} width={`${share(count)}%`} height="10" />
        ))}
      </svg>
      <ul>
        {parts.map(([outcome, count]) => (
          <li class={outcome}>
            <span class="sign" aria-hidden="true">
              {outcomeLooks[outcome].sign}
            </span>
            <strong>{count}</strong> {outcomeLooks[outcome].word}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Renders the observations, and the exchanges that belong to no case. */
export function ObservationList({ report }: { readonly report: Report }): Markup {
  const { observations, others, cases } = report;
  const known = new Set(cases.map(({ id }) => id));
  const byAbout = groupBy(observations, ({ clause, about }) => `${clause}: ${about}`);
  return (
    <section id="observations" aria-labelledby="observations-title">
      <h2 id="observations-title">Observations</h2>
      <p class="quiet">
        Behaviour that the specification leaves open, and requests whose attempts had different results: a 5xx
        or no response, and a response other than 5xx and 429. An observation never fails a run.
      </p>
      {byAbout.map(([about, own]) => (
        <details class="group">
          <summary>
            <span class="about">
              <Prose text={about} />
            </span>
          </summary>
          <ul class="links">
            {own.map((item) => (
              <li>
                {known.has(item.case) ? <a href={linkTo(anchors.case(item.case))}>{item.case}</a> : item.case}
                {': '}
                {item.seen}
              </li>
            ))}
          </ul>
        </details>
      ))}
      {others.length > 0 && (
        <details class="group">
          <summary>
            <span class="about">
              {pluralize(others.length, 'request')} outside of the cases: controls, and attempts to find a
              model
            </span>
          </summary>
          {others.map((exchange) => (
            <ExchangeView exchange={exchange} checks={[]} says={new Map()} title={exchange.id} />
          ))}
        </details>
      )}
    </section>
  );
}
