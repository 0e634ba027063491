import { groupBy } from '../text/lists.ts';
import type { CaseReport, Report } from './report.ts';

/** A requirement that a listed model violates. */
export interface ModelFailure {
  readonly model: string;
  readonly requirement: string;
  readonly outcome: 'violates' | 'warns';
  /** The number of cases of the model that violate the requirement. */
  readonly cases: number;
  /** The number of those cases that the report does not show. */
  readonly unshown: number;
  /** The reason of the baseline entry; undefined if the baseline does not expect all of these violations. */
  readonly known: string | undefined;
}

interface ModelCases extends Pick<Report, 'models'> {
  readonly cases: readonly Pick<CaseReport, 'model' | 'obligations'>[];
}

/** Collects the violations of listed models, in the order of the list. */
export function collectModelFailures({ models, cases }: ModelCases): ModelFailure[] {
  if (!models) return [];
  const shown = new Map(
    groupBy(
      cases.flatMap(({ model = '', obligations }) =>
        model === '' ? [] : obligations.map((obligation) => ({ model, obligation })),
      ),
      ({ model, obligation }) => keyOf(model, obligation.requirement, obligation.outcome),
    ),
  );
  return models.items.flatMap(({ id: model, broken }) =>
    broken.map(({ requirement, outcome, cases: count, expected }) => {
      const own = (shown.get(keyOf(model, requirement, outcome)) ?? []).map(({ obligation }) => obligation);
      const allKnown = own.length === count && own.every((one) => one.expected !== undefined);
      return {
        model,
        requirement,
        outcome,
        cases: count,
        unshown: count - own.length,
        known: expected ?? (allKnown ? own[0]?.expected : undefined),
      };
    }),
  );
}

function keyOf(model: string, requirement: string, outcome: string): string {
  return `${outcome} ${requirement} ${model}`;
}

/** Requirements that the same listed models violate. */
export interface ModelGroup {
  readonly outcome: ModelFailure['outcome'];
  /** Whether the baseline expects the violations of all models in the group. */
  readonly known: boolean;
  readonly requirements: readonly string[];
  /** The models in the order of the list. */
  readonly models: readonly string[];
  /** The judged models that do not violate these requirements; empty if not all were judged by them. */
  readonly others: readonly string[];
}

/**
 * Groups the violations of listed models by the set of models. Groups that the baseline does not expect come first, then
 * violations before warnings, then larger groups before smaller ones.
 */
export function groupModels(report: Pick<Report, 'models' | 'cases' | 'requirements'>): ModelGroup[] {
  const { models, requirements } = report;
  if (!models) return [];
  const order = new Map(requirements.map(({ id }, index) => [id, index]));
  const judged = new Map(
    models.requirements.map(({ id, models: { planned, notApplicable } }) => [id, planned - notApplicable]),
  );
  const byRequirement = groupBy(
    collectModelFailures(report),
    ({ requirement, outcome, known }) => `${outcome} ${known !== undefined} ${requirement}`,
  );
  const groups = groupBy(
    byRequirement.flatMap(([, own]) => {
      const [first] = own;
      if (!first) return [];
      const { outcome, known, requirement } = first;
      return [{ outcome, known: known !== undefined, requirement, models: own.map(({ model }) => model) }];
    }),
    ({ outcome, known, models: own, requirement }) =>
      JSON.stringify([outcome, known, judged.get(requirement), own]),
  );
  return groups
    .flatMap(([, [first, ...rest]]) => {
      if (!first) return [];
      const { outcome, known, models: own } = first;
      const ids = [first, ...rest]
        .map(({ requirement }) => requirement)
        .sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
      return [{ outcome, known, requirements: ids, models: own, others: othersThan(own, first.requirement) }];
    })
    .sort((a, b) => rank(a) - rank(b) || b.models.length - a.models.length);

  /** Returns the judged models that are not in `own`; empty if the requirement was not judged for all of these. */
  function othersThan(own: readonly string[], requirement: string): string[] {
    const all = models?.items.filter(isJudgedModel) ?? [];
    const broke = new Set(own);
    return judged.get(requirement) === all.length
      ? all.map(({ id }) => id).filter((id) => !broke.has(id))
      : [];
  }
}

/** Whether any case of a model was judged. */
export function isJudgedModel({ cases }: NonNullable<Report['models']>['items'][number]): boolean {
  return cases.conforms + cases.violates + cases.warns > 0;
}

function rank({ outcome, known }: ModelGroup): number {
  return (known ? 2 : 0) + (outcome === 'warns' ? 1 : 0);
}

/** The maximum number of models that are named. */
const named = 4;

/** Formats the models of a group: all names, all models but a few, or the first names and the number of the others. */
export function formatModels({ models, others }: ModelGroup, show = asIs): string {
  const list = (ids: readonly string[]): string =>
    ids.slice(0, named).map(show).join(', ') + (ids.length > named ? ` and ${ids.length - named} more` : '');
  if (models.length <= named) return list(models);
  const all = models.length + others.length;
  if (others.length > 0 && others.length <= named)
    return `${models.length} of ${all} models, all but ${list(others)}`;
  return `${models.length}${others.length > 0 ? ` of ${all}` : ''} models: ${list(models)}`;
}

const asIs = (text: string): string => text;

/** Formats the number of tested models, and how many of them conform, fail, or were not judged. */
export function formatModelCounts({ items, listed, unread }: NonNullable<Report['models']>): string {
  if (unread !== undefined) return `No model was judged. ${unread}`;
  const judged = items.filter(isJudgedModel);
  const broke = judged.filter(({ broken }) => broken.length > 0).length;
  const own = items.filter((item) => item.own.length > 0 && !isJudgedModel(item)).length;
  const open = items.length - judged.length - own;
  return [
    `${items.length} of ${listed} listed models: ${judged.length - broke} conforming`,
    ...(broke > 0 ? [`${broke} failing`] : []),
    ...(own > 0 ? [`${own} tested in the cases of the suites`] : []),
    ...(open > 0 ? [`${open} not judged`] : []),
  ].join(', ');
}
