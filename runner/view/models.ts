import { formatFirst, groupBy } from '../../common/lists.ts';
import { isJudgedModel, type ModelFailure } from '../report/model-failures.ts';
import type { ModelsReport, Report } from '../report/report.ts';
import { cellsOf, countWords } from './counts.ts';
import { outcomeLooks } from './signs.ts';
import type { Table } from './table.ts';

/** Requirements that the same models violate. */
export interface ModelGroup {
  readonly outcome: ModelFailure['outcome'];
  /** Whether the baseline expects these violations. */
  readonly known: boolean;
  readonly requirements: readonly string[];
  /** The models that violate the requirements, in the order of the list. */
  readonly models: readonly string[];
  /** The number of judged models; undefined if the requirements did not apply to all judged models. */
  readonly judged: number | undefined;
  /** The judged models that do not violate the requirements; empty if `judged` is undefined. */
  readonly others: readonly string[];
}

/**
 * Groups requirements by the models that violate the requirements. Groups that the baseline does not expect come
 * first, then violations before warnings, then groups with more models before groups with fewer models. Returns an
 * empty list if no listed models were tested.
 */
export function groupModels(
  { models, requirements }: Pick<Report, 'models' | 'requirements'>,
  failures: readonly ModelFailure[],
): ModelGroup[] {
  if (!models) return [];
  const order = new Map(requirements.map(({ id }, index) => [id, index]));
  const applicable = new Map(
    models.requirements.map(({ id, models: { planned, notApplicable } }) => [id, planned - notApplicable]),
  );
  const judged = models.items.filter(isJudgedModel).map(({ id }) => id);
  // The baseline may expect only some models to violate a requirement that several models violate.
  const violating = new Map(
    groupBy(failures, ({ requirement }) => requirement).map(([id, own]) => [
      id,
      new Set(own.map(({ model }) => model)),
    ]),
  );
  const byRequirement = groupBy(
    failures,
    ({ requirement, outcome, known }) => `${outcome} ${known !== undefined} ${requirement}`,
  );
  const groups = groupBy(
    byRequirement.flatMap(([, own]) => {
      const [first] = own;
      if (!first) return [];
      const { outcome, known, requirement } = first;
      const isGeneral = applicable.get(requirement) === judged.length;
      const others = isGeneral ? judged.filter((id) => !violating.get(requirement)?.has(id)) : [];
      return [
        {
          outcome,
          known: known !== undefined,
          requirement,
          models: own.map(({ model }) => model),
          judged: isGeneral ? judged.length : undefined,
          others,
        },
      ];
    }),
    ({ outcome, known, models: own, requirement, others }) =>
      JSON.stringify([outcome, known, applicable.get(requirement), own, others]),
  );
  return groups
    .flatMap(([, [first, ...rest]]) => {
      if (!first) return [];
      const { requirement, ...group } = first;
      const ids = [requirement, ...rest.map((item) => item.requirement)];
      return [{ ...group, requirements: ids.sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0)) }];
    })
    .sort((a, b) => rank(a) - rank(b) || b.models.length - a.models.length);
}

function rank({ outcome, known }: ModelGroup): number {
  return (known ? 2 : 0) + (outcome === 'warns' ? 1 : 0);
}

/** The maximum number of models that a text names. */
const maxNamed = 4;

/**
 * Formats the models of a group: all names, all models except a few, or the first names and the number of the other
 * models. `show` formats an ID.
 */
export function formatModels({ models, judged = models.length, others }: ModelGroup, show = asIs): string {
  const list = (ids: readonly string[]): string => formatFirst(ids.map(show), maxNamed);
  if (models.length <= maxNamed) return list(models);
  const rest = judged - models.length;
  if (rest > 0 && rest <= maxNamed && rest === others.length)
    return `${models.length} of ${judged} models, all but ${list(others)}`;
  return `${models.length}${rest > 0 ? ` of ${judged}` : ''} models: ${list(models)}`;
}

const asIs = (text: string): string => text;

/**
 * Formats the number of models, and how many models conform, are as declared, fail, have only warnings, have inconclusive cases, are
 * tested only in the cases of the suites, or were not judged. If the list could not be read, formats the reason.
 */
export function formatModelCounts({ items, listed, unread }: NonNullable<Report['models']>): string {
  if (unread !== undefined) return `No model was judged. ${unread}`;
  const judged = items.filter(isJudgedModel);
  const broke = judged.filter(({ broken }) => broken.some(({ outcome }) => outcome === 'violates')).length;
  const warned = judged.filter(({ broken }) => broken.length > 0).length - broke;
  const incomplete = judged.filter(
    ({ broken, cases }) => broken.length === 0 && cases.inconclusive > 0,
  ).length;
  const declared = judged.filter(
    ({ broken, cases }) => broken.length === 0 && cases.inconclusive === 0 && cases.deviates > 0,
  ).length;
  const conforming = judged.length - broke - warned - incomplete - declared;
  const own = items.filter((item) => item.own.length > 0 && !isJudgedModel(item)).length;
  const open = items.length - judged.length - own;
  return [
    `${items.length} of ${listed} listed models: ${conforming} conforming`,
    ...(declared > 0 ? [`${declared} ${outcomeLooks.deviates.word}`] : []),
    ...(broke > 0 ? [`${broke} failing`] : []),
    ...(warned > 0 ? [`${warned} with warnings`] : []),
    ...(incomplete > 0 ? [`${incomplete} with inconclusive cases`] : []),
    ...(own > 0 ? [`${own} tested in the cases of the suites`] : []),
    ...(open > 0 ? [`${open} not judged`] : []),
  ].join(', ');
}

/** Lays out the results of each listed model that was tested. */
export function layOutModels({ items }: ModelsReport): Table {
  return {
    title: 'Listed models',
    corner: 'Model',
    columns: [
      { name: 'Operations', kind: 'word' },
      ...countWords.map(([member, word]) => ({
        name: member === 'planned' ? 'cases' : word,
        kind: 'word' as const,
        align: 'right' as const,
      })),
    ],
    rows: items.map(({ id, operations, own, cases }) => ({
      label: id,
      kind: 'code',
      cells: [
        {
          text:
            [...operations, ...own.map((operation) => `${operation} (in the cases of the suites)`)].join(
              ', ',
            ) || 'none',
        },
        ...cellsOf(cases),
      ],
    })),
  };
}
