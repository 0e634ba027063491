import { groupBy } from '../text/lists.ts';
import type { CaseReport, Report } from './report.ts';

/** What a listed model broke of a requirement. */
export interface ModelBreach {
  readonly model: string;
  readonly requirement: string;
  readonly outcome: 'violates' | 'warns';
  /** In how many cases of that model. */
  readonly cases: number;
  /** How many of them the report does not show. */
  readonly unshown: number;
  /** Why the baseline expects it; undefined where it doesn't expect all of it. */
  readonly known: string | undefined;
}

/** What of a report tells of listed models. */
interface ModelCases extends Pick<Report, 'models'> {
  readonly cases: readonly Pick<CaseReport, 'model' | 'obligations'>[];
}

/** Everything that listed models broke, in the order of the list. */
export function modelBreaches({ models, cases }: ModelCases): ModelBreach[] {
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

/** Requirements that the same listed models broke. */
export interface ModelGroup {
  readonly outcome: ModelBreach['outcome'];
  /** Whether the baseline expects it of all of them. */
  readonly known: boolean;
  readonly requirements: readonly string[];
  /** In the order of the list. */
  readonly models: readonly string[];
  /** The other models that were judged by these requirements. */
  readonly others: readonly string[];
}

/** What listed models broke, once for all that the same models did; what most models broke comes first. */
export function groupModels(report: Pick<Report, 'models' | 'cases' | 'requirements'>): ModelGroup[] {
  const { models, requirements } = report;
  if (!models) return [];
  const order = new Map(requirements.map(({ id }, index) => [id, index]));
  const judged = new Map(
    models.requirements.map(({ id, models: { planned, notApplicable } }) => [id, planned - notApplicable]),
  );
  const byRequirement = groupBy(
    modelBreaches(report),
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

  /** Told where all models were judged by it; else nobody knows which were. */
  function othersThan(own: readonly string[], requirement: string): string[] {
    const all = models?.items.filter(isJudged) ?? [];
    const broke = new Set(own);
    return judged.get(requirement) === all.length
      ? all.map(({ id }) => id).filter((id) => !broke.has(id))
      : [];
  }
}

/** Whether anything could be said of a model. */
export function isJudged({ cases }: NonNullable<Report['models']>['items'][number]): boolean {
  return cases.conforms + cases.violates + cases.warns > 0;
}

function rank({ outcome, known }: ModelGroup): number {
  return (known ? 2 : 0) + (outcome === 'warns' ? 1 : 0);
}

/** How many models are named before the rest is counted. */
const named = 4;

/** Which models broke something, in words: all of them, all but a few, or the first with a count. */
export function formatModels({ models, others }: ModelGroup, show = asIs): string {
  const list = (ids: readonly string[]): string =>
    ids.slice(0, named).map(show).join(', ') + (ids.length > named ? ` and ${ids.length - named} more` : '');
  if (models.length <= named) return list(models);
  const all = models.length + others.length;
  if (others.length > 0 && others.length <= named)
    return `${models.length} of ${all} models, all but ${list(others)}`;
  return `${models.length}${others.length > 0 ? ` of ${all}` : ''} models: ${list(models)}`;
}

/** A text as it is. */
const asIs = (text: string): string => text;

/** How many models were judged, and how many of them keep everything, in words. */
export function formatModelCounts({ items, listed, unread }: NonNullable<Report['models']>): string {
  if (unread !== undefined) return `None was judged. ${unread}`;
  const judged = items.filter(isJudged);
  const broke = judged.filter(({ broken }) => broken.length > 0).length;
  const own = items.filter((item) => item.own.length > 0 && !isJudged(item)).length;
  const open = items.length - judged.length - own;
  return [
    `${items.length} of ${listed} listed models: ${judged.length - broke} keep everything`,
    ...(broke > 0 ? [`${broke} break something`] : []),
    ...(own > 0 ? [`${own} judged by the cases without a model's name`] : []),
    ...(open > 0 ? [`${open} not judged`] : []),
  ].join(', ');
}
