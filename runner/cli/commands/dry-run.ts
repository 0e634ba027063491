import { pluralize } from '../../../common/lists.ts';
import { addEstimates, type Estimate, estimate } from '../../plan/estimate.ts';
import type { FuzzOptions } from '../../plan/generated/fuzz.ts';
import { planModel } from '../../plan/model-cases.ts';
import { hasChecks } from '../../plan/plan.ts';
import { findModelOperation, modelOperations } from '../../profile/profile.ts';
import type { PreparedRun } from '../../run/prepare.ts';
import type { PlannedModels } from '../../run/run-event.ts';

/**
 * Formats the plan of a run as one sentence: the numbers of cases, observations, cases of listed models, requests,
 * billable calls, and requests with a wrong key.
 */
export function describePlan(
  about: string,
  {
    plan,
    sent,
    estimate: { requests, billable, badKeys },
    models,
  }: Pick<PreparedRun, 'plan' | 'sent' | 'estimate'> & { readonly models?: PlannedModels | undefined },
): string {
  const judged = plan.cases.filter(hasChecks).length;
  const seen = plan.cases.length - judged;
  const chosen = new Set(plan.cases);
  const others = sent.filter((item) => !chosen.has(item)).length;
  const why =
    others === 0
      ? ''
      : ` ${pluralize(others, 'case')} outside the selection ${others === 1 ? 'is' : 'are'} sent too, since the selected ones also judge their responses.`;
  const ofModels = models
    ? `, ${models.cases} more for ${models.chosen} of ${pluralize(models.listed, 'listed model')}`
    : '';
  return `${about}: ${pluralize(judged, 'case')}${seen > 0 ? ` and ${pluralize(seen, 'observation')}` : ''}${ofModels}, about ${pluralize(requests, 'request')}; ${billable} may be billed (more if the gateway accepts invalid requests) and ${badKeys} will have a wrong key.${why}`;
}

/** Formats the number of generated requests, and the flags that generate the same requests again. */
export function describeFuzz({ count, seed }: FuzzOptions): string {
  return `Generating ${pluralize(count, 'request')}. To repeat these requests: --fuzz ${count} --seed ${seed}.`;
}

/** Formats the plan of a run as a table by suite, and the plan for a listed model if the run tests listed models. */
export function formatDryRun(about: string, prepared: PreparedRun): string {
  const { plan, sent, size, estimate: total } = prepared;
  const judged = plan.cases.filter(hasChecks);
  const suites = [...new Set([...plan.cases, ...sent].map((item) => item.suite))];
  const parts = suites.map((suite) => ({
    suite,
    planned: estimate(
      sent.filter((item) => item.suite === suite),
      size,
    ),
  }));
  const inSuites = parts.reduce<Estimate | undefined>(
    (sum, { planned }) => addEstimates(planned, sum),
    undefined,
  );
  const rows = parts.map(({ suite, planned }) => {
    const own = judged.filter((item) => item.suite === suite);
    const skipped = own.filter((item) => item.notApplicable).length;
    return [suite, own.length, skipped, planned.requests, planned.billable, planned.badKeys];
  });
  const repeated = total.requests - (inSuites?.requests ?? 0);
  const skipped = judged.filter((item) => item.notApplicable).length;
  const table = [
    ['suite', 'cases', 'not applicable', 'requests', 'may be billed', 'wrong keys'],
    ...rows,
    // After the wrong keys of one suite, the controls of other suites are repeated.
    ...(repeated > 0
      ? [['repeated controls', 0, 0, repeated, total.billable - (inSuites?.billable ?? 0), 0]]
      : []),
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

/**
 * Formats the plan for one listed model, by operation; empty if the run tests no listed models. The number of models is
 * unknown before the model list is read.
 */
function modelLines({ templates, size: { rounds } }: PreparedRun): string[] {
  if (!templates) return [];
  const rows = modelOperations.flatMap((operation) => {
    const { cases, sent } = planModel(templates, '', [operation]);
    const { requests, billable } = estimate(sent, { burst: 0, rounds });
    const own = cases.filter(
      ({ attributes }) => findModelOperation(attributes.operation ?? '') === operation,
    ).length;
    return own === 0
      ? []
      : [
          `  ${operation}: ${pluralize(own, 'case')}, ${pluralize(requests, 'request')}, ${billable} may be billed`,
        ];
  });
  return [
    '',
    'In addition, for each listed model that matches --models, and each operation that fits the model:',
    ...rows,
  ];
}
