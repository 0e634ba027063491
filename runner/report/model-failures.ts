import { groupBy } from '../../common/lists.ts';
import { type Severity, severityOfCheck } from '../judge/severity.ts';
import type { CaseReport, Report } from './report.ts';
import { countJudged } from './summarize.ts';

/** A requirement that a tested model violates, or for which the model causes a warning. */
export interface ModelFailure {
  readonly model: string;
  readonly requirement: string;
  readonly outcome: 'violates' | 'warns';
  /** The number of cases of the model with this outcome. */
  readonly cases: number;
  /** The number of cases counted in `cases` that the report does not contain. */
  readonly unshown: number;
  /** The reason of the baseline entry; undefined if the baseline does not expect all of these violations. */
  readonly known: string | undefined;
  /** The highest severity of these cases. */
  readonly severity: Severity;
}

/** The cases of a report with their checks, and the results of listed models. */
export interface ModelCases extends Pick<Report, 'models'> {
  readonly cases: readonly Pick<CaseReport, 'model' | 'checks'>[];
}

/** Returns the violations of all tested models, in the order of the models. */
export function collectModelFailures({ models, cases }: ModelCases): ModelFailure[] {
  if (!models) return [];
  const shown = new Map(
    groupBy(
      cases.flatMap(({ model = '', checks }) =>
        model === '' ? [] : checks.map((check) => ({ model, check })),
      ),
      ({ model, check }) => keyOf(model, check.requirement, check.outcome),
    ),
  );
  return models.items.flatMap(({ id: model, broken }) =>
    broken.map(({ requirement, outcome, cases: count, expected, severity }) => {
      const own = (shown.get(keyOf(model, requirement, outcome)) ?? []).map(({ check }) => check);
      const allKnown = own.length === count && own.every((one) => one.expected !== undefined);
      return {
        model,
        requirement,
        outcome,
        cases: count,
        unshown: count - own.length,
        known: expected ?? (allKnown ? own[0]?.expected : undefined),
        severity: severityOfCheck({ severity }),
      };
    }),
  );
}

function keyOf(model: string, requirement: string, outcome: string): string {
  return `${outcome} ${requirement} ${model}`;
}

/** Whether any case of a model was judged. */
export function isJudgedModel({ cases }: NonNullable<Report['models']>['items'][number]): boolean {
  return countJudged(cases) > 0;
}
