import type { FuzzOptions } from '../../fuzz/fuzz.ts';
import { estimate } from '../../plan/estimate.ts';
import { planModel } from '../../plan/model-cases.ts';
import { hasChecks } from '../../plan/plan.ts';
import { modelOperation, modelOperations } from '../../profile/profile.ts';
import type { PreparedRun } from '../../run/prepare.ts';
import type { PlannedModels } from '../../run/run-event.ts';
import { pluralize } from '../../text/lists.ts';

/** What a run is about to send, in a sentence. */
export function describePlan(
  about: string,
  {
    plan,
    estimate: { requests, billable, badKeys },
    models,
  }: Pick<PreparedRun, 'plan' | 'estimate'> & { readonly models?: PlannedModels | undefined },
): string {
  const judged = plan.cases.filter(hasChecks).length;
  const seen = plan.cases.length - judged;
  const ofModels = models
    ? `, ${models.cases} more for ${models.chosen} of ${pluralize(models.listed, 'listed model')}`
    : '';
  return `${about}: ${pluralize(judged, 'case')}${seen > 0 ? ` and ${pluralize(seen, 'observation')}` : ''}${ofModels}, about ${pluralize(requests, 'request')}; ${billable} may be billed (more if the gateway accepts invalid requests), ${badKeys} carry a bad key.`;
}

/** How many requests are drawn, and how they are drawn again. */
export function describeFuzz({ count, seed }: FuzzOptions): string {
  return `${count} requests are drawn at random; --fuzz ${count} --seed ${seed} draws the same again.`;
}

/** What a run would send, by suite, as text; with what a gateway may bill for. */
export function dryRun(about: string, prepared: PreparedRun): string {
  const { plan, sent, size, estimate: total } = prepared;
  const judged = plan.cases.filter(hasChecks);
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
  return `${[`${about}: nothing was sent.`, '', ...lines, ...modelLines(prepared)].join('\n')}\n`;
}

/** What each listed model would add; how many there are, only the gateway tells. */
function modelLines({ templates, size: { rounds } }: PreparedRun): string[] {
  if (!templates) return [];
  const rows = modelOperations.flatMap((operation) => {
    const { cases, sent } = planModel(templates, '', [operation]);
    const { requests, billable } = estimate(sent, { burst: 0, rounds });
    const own = cases.filter(
      ({ attributes: facts }) => modelOperation(facts.operation ?? '') === operation,
    ).length;
    return own === 0
      ? []
      : [
          `  ${operation}: ${pluralize(own, 'case')}, ${pluralize(requests, 'request')}, ${billable} may be billed`,
        ];
  });
  return [
    '',
    'Beside these, for each model that the gateway lists and a pattern of --models matches, of each operation that fits it:',
    ...rows,
  ];
}
