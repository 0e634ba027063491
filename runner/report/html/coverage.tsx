import type { Outcome } from '../../judge/outcome.ts';
import type { Counts, Report } from '../report.ts';
import type { Markup } from './markup.ts';
import { outcomeLooks } from './outcome-mark.tsx';

/** How much was planned, and what it came to, of requirements and of cases. */
export function Coverage({ summary }: Report): Markup {
  return (
    <section class="coverage" aria-label="Coverage">
      <Bar title="Requirements" counts={summary.requirements} />
      <Bar title="Cases" counts={summary.cases} />
    </section>
  );
}

const countWords: Readonly<Record<Outcome, string>> = {
  violates: 'failed',
  warns: 'warned',
  inconclusive: 'inconclusive',
  conforms: 'passed',
  'not-applicable': 'not applicable',
};

function Bar({ title, counts }: { readonly title: string; readonly counts: Counts }): Markup {
  const all: readonly (readonly [Outcome, number])[] = [
    ['violates', counts.violates],
    ['warns', counts.warns],
    ['inconclusive', counts.inconclusive],
    ['conforms', counts.conforms],
    ['not-applicable', counts.notApplicable],
  ];
  const parts = all.filter(([, count]) => count > 0);
  const share = (count: number): number => (counts.planned === 0 ? 0 : (100 * count) / counts.planned);
  const before = (index: number): number =>
    share(parts.slice(0, index).reduce((sum, [, count]) => sum + count, 0));
  return (
    <div class="bar">
      <h2>
        <strong>{counts.planned}</strong> {title.toLowerCase()} planned
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
            <strong>{count}</strong> {countWords[outcome]}
          </li>
        ))}
      </ul>
    </div>
  );
}
