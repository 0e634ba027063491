import { estimate } from '../plan/estimate.ts';
import { isJudged } from '../plan/plan.ts';
import type { Prepared } from '../run.ts';

/** What a run is about to send, in a sentence. */
export function tellPlan(
  about: string,
  { plan, estimate: { requests, billable, badKeys } }: Pick<Prepared, 'plan' | 'estimate'>,
): string {
  const judged = plan.cases.filter(isJudged).length;
  const seen = plan.cases.length - judged;
  return `${about}: ${judged} cases${seen > 0 ? ` and ${seen} observations` : ''}, about ${requests} requests; ${billable} may be billed, ${badKeys} carry a bad key.`;
}

/** What a run would send, by suite, as text; with what a gateway may bill for. */
export function dryRun(about: string, { plan, sent, size, estimate: total }: Prepared): string {
  const judged = plan.cases.filter(isJudged);
  const suites = [...new Set([...plan.cases, ...sent].map((item) => item.suite))];
  const rows = suites.map((suite) => {
    const own = judged.filter((item) => item.suite === suite);
    const { requests, billable, badKeys } = estimate(
      sent.filter((item) => item.suite === suite),
      size,
    );
    const skipped = own.filter((item) => item.notApplicable).length;
    return [suite, own.length, skipped, requests, billable, badKeys];
  });
  const skipped = judged.filter((item) => item.notApplicable).length;
  const table = [
    ['suite', 'cases', 'not applicable', 'requests', 'may be billed', 'bad keys'],
    ...rows,
    ['total', judged.length, skipped, total.requests, total.billable, total.badKeys],
  ].map((row) => row.map(String));
  const widths = (table[0] ?? []).map((_, column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0)),
  );
  const lines = table.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  '),
  );
  return `${[`${about}: nothing was sent.`, '', ...lines].join('\n')}\n`;
}
