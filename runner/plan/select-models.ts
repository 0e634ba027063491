import { compileGlob, compileNamePattern } from '../../common/glob.ts';
import { pluralize } from '../../common/lists.ts';
import { formatSuggestion } from '../../common/nearest.ts';
import { formatOneLine } from '../../common/printable.ts';
import type { CatalogData } from '../catalog/catalog.ts';
import { matchesModel } from '../catalog/fixtures.ts';
import { type ModelOperation, type ModelRole, modelOperations, UsageError } from '../profile/profile.ts';
import type { GatewayPromise } from '../profile/promise.ts';
import { type ModelTemplates, selectModelTemplates } from './model-cases.ts';
import type { Plan } from './plan.ts';
import { type SelectedPlan, type Selection, select } from './select.ts';

const segment = '/model-id=';

/**
 * Limits a plan to a selection. With `asksForModels`, also limits the cases that are repeated for each listed model
 * (`templates`). A pattern that contains `/model-id=` selects only cases of listed models, and cases of models that
 * the profile lists for a role. Any other pattern selects the matching cases and their copies for listed models.
 * Throws a `UsageError` if a suite or a pattern matches nothing, or if a pattern selects only cases of listed models
 * although `asksForModels` is false.
 */
export function selectWithModels(
  plan: Plan,
  selection: Selection,
  { asksForModels, fixtures }: { readonly asksForModels: boolean } & Pick<CatalogData, 'fixtures'>,
): SelectedPlan & { readonly templates: ModelTemplates | undefined } {
  const naming = selection.only.filter((pattern) => pattern.includes(segment));
  // A profile can list several models for a role. The IDs of their cases contain the model without `--models`, too.
  const plain = selection.only.filter((pattern) => !naming.includes(pattern) || matchesCase(plan, pattern));
  const [first] = naming;
  if (!asksForModels) {
    const unplanned = naming.find((pattern) => !plain.includes(pattern));
    if (unplanned !== undefined)
      throw new UsageError(
        `"${unplanned}" selects cases of a listed model, which are sent only with --models. Add --models PATTERN.`,
      );
    return { ...select(plan, selection), templates: undefined };
  }
  // The parts of a divided run divide the listed models, not their cases: one part tests a model with all cases.
  const { shard: _, ...undivided } = selection;
  const bare = naming.map((pattern) => pattern.slice(0, pattern.indexOf(segment)));
  const templates = selectModelTemplates(select(plan, { ...undivided, only: [...plain, ...bare] }), {
    fixtures,
  });
  if (first === undefined) return { ...select(plan, selection), templates };
  const own = plain.length > 0 ? select(plan, { ...selection, only: plain }) : selectNothing(plan, selection);
  const ofBoth = new Set(
    plain.length > 0 ? select(plan, { ...undivided, only: plain }).plan.cases.map(({ id }) => id) : [],
  );
  const tests = naming.map(compileGlob);
  return {
    ...own,
    shard: own.shard && { ...own.shard, only: selection.only },
    templates: {
      ...templates,
      isChosen: (id, template) => ofBoth.has(template) || tests.some((test) => test(id)),
    },
  };
}

function matchesCase({ cases }: Plan, pattern: string): boolean {
  const test = compileGlob(pattern);
  return cases.some(({ id }) => test(id));
}

/** Selects no cases, so that only the controls are sent. */
function selectNothing(plan: Plan, { shard, suites, only }: Selection): SelectedPlan {
  const sent = plan.cases.filter(({ phase }) => phase === 'controls');
  return { plan: { cases: [] }, sent, shard: shard && { ...shard, suites, only, plan: [], judged: 0 } };
}

export interface ChosenModel {
  readonly id: string;
  /** The operations that may support the model, according to the profile or to the model ID. */
  readonly operations: readonly ModelOperation[];
  /** The operations for which the profile states the model in a role that the gateway must accept. */
  readonly stated: readonly ModelOperation[];
}

/** Whether an operation must accept a model with this role. */
const acceptsRole: Readonly<Record<ModelRole, boolean>> = {
  good: true,
  textOnly: true,
  unsupported: false,
  unavailable: false,
  mismatched: false,
};

export interface ModelChoice {
  readonly patterns: readonly string[];
  /** The number of models above which the choice is refused, since each model adds calls that may be billed. */
  readonly most: number;
  /** Whether a report can show the ID of a model, which a key in it prevents. Other models are left out. */
  readonly canShow: (id: string) => boolean;
}

/**
 * Returns the IDs of the listed models that match any of the patterns, in the order of the list. Throws a `UsageError`
 * if there are more than `most`, or if a pattern matches none. The list may have a million entries: `canShow`, which is
 * slow, is called with at most `most` matching IDs, and a few more for the message of an error.
 */
export function chooseModels(
  listed: readonly string[],
  { patterns, most, canShow }: ModelChoice,
): readonly string[] {
  const tests = patterns.map((pattern) => (pattern === 'all' ? () => true : compileNamePattern(pattern)));
  const matching = listed.filter((id) => tests.some((test) => test(id)));
  if (matching.length > most)
    throw new UsageError(
      `--models selects ${matching.length} of ${pluralize(listed.length, 'listed model')}, and the limit is ${most}. Select fewer models, or raise the limit (--max-models, or maxModels in the library).`,
    );
  const chosen = matching.filter(canShow);
  for (const [index, test] of tests.entries()) {
    if (chosen.some(test)) continue;
    const pattern = patterns[index] ?? '';
    const shown = listed
      .slice(0, mostSuggested)
      .filter(canShow)
      .map((id) => formatOneLine(id, longestName));
    const hint = formatSuggestion(pattern, shown) || describeListStart(shown);
    throw new UsageError(`No model of the model list matches "${pattern}".${hint}`);
  }
  return chosen;
}

/** The number of listed models, from the start of the list, that an error message may suggest. */
const mostSuggested = 1_000;
const longestName = 100;

/** Returns a listed model with the operations to try it with. */
export function fitModel(
  id: string,
  { fixtures, profile }: Pick<GatewayPromise, 'fixtures' | 'profile'>,
): ChosenModel {
  const roles = modelOperations.flatMap((operation) => {
    const [models, lists] = [profile.models[operation], profile.modelLists[operation]];
    const stated = (Object.keys(acceptsRole) as ModelRole[]).filter(
      (role) => models[role] === id || lists[role]?.includes(id),
    );
    return stated.length === 0 ? [] : [{ operation, fits: stated.some((role) => acceptsRole[role]) }];
  });
  const stated = roles.filter(({ fits }) => fits).map(({ operation }) => operation);
  const refused = roles.filter(({ fits }) => !fits).map(({ operation }) => operation);
  const guessed = guessOperations(id, fixtures.discovery).filter((operation) => !refused.includes(operation));
  return {
    id,
    operations: modelOperations.filter((operation) => [...stated, ...guessed].includes(operation)),
    stated,
  };
}

function describeListStart(listed: readonly string[]): string {
  return listed.length === 0
    ? ' The list is empty or was not read. Check the response to GET /v1/models.'
    : ` Use a pattern that matches a model of the list, which begins with ${listed.slice(0, 5).join(', ')}.`;
}

function guessOperations(
  id: string,
  { avoid, fits }: CatalogData['fixtures']['discovery'],
): readonly ModelOperation[] {
  if (matchesModel(avoid, id)) return [];
  const names = fits.find((entry) => matchesModel(entry.id, id))?.operations ?? [];
  return modelOperations.filter((operation) => names.includes(operation));
}
