import { gather } from '../gather.ts';
import type { Report } from '../report.ts';
import { anchors, linkTo } from './anchor.ts';
import { ExchangeView } from './exchange-view.tsx';
import type { Markup } from './markup.ts';
import { Prose } from './prose.tsx';

/** What was seen where the specification is silent, and what was sent beside the cases; neither fails anything. */
export function ObservationList({ report }: { readonly report: Report }): Markup {
  const { observations, others, cases } = report;
  const known = new Set(cases.map(({ id }) => id));
  const byAbout = gather(observations, ({ clause, about }) => `${clause}: ${about}`);
  return (
    <section id="observations" aria-labelledby="observations-title">
      <h2 id="observations-title">Observed</h2>
      <p class="quiet">What was seen where the specification is silent. None of it fails anything.</p>
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
              {others.length} requests beside the cases: tries to find a model, and controls
            </span>
          </summary>
          {others.map((exchange) => (
            <ExchangeView exchange={exchange} obligations={[]} says={new Map()} title={exchange.id} />
          ))}
        </details>
      )}
    </section>
  );
}
