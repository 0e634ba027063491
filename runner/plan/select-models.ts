import type { Catalog } from '../catalog/catalog.ts';
import { globTest } from '../catalog/glob.ts';
import { UsageError } from '../profile/profile.ts';
import { type ModelTemplates, modelTemplates } from './model-cases.ts';
import type { Plan } from './plan.ts';
import { type SelectedPlan, type Selection, select } from './select.ts';

const segment = '/model-id=';

/**
 * Limits a plan, and what is sent for each listed model where models are asked for: a pattern that names a model
 * chooses cases of models alone, any other both. Throws UsageError where one matches nothing.
 */
export function selectWithModels(
  plan: Plan,
  selection: Selection,
  { asksForModels, catalog }: { readonly asksForModels: boolean; readonly catalog: Catalog },
): SelectedPlan & { readonly templates: ModelTemplates | undefined } {
  const naming = selection.only.filter((pattern) => pattern.includes(segment));
  const plain = selection.only.filter((pattern) => !naming.includes(pattern));
  const [first] = naming;
  if (!asksForModels) {
    if (first !== undefined)
      throw new UsageError(`"${first}" is about a listed model. Say which are judged: --models PATTERN.`);
    return { ...select(plan, selection), templates: undefined };
  }
  // A divided run divides the models, each with all of its cases.
  const { shard: _, ...undivided } = selection;
  const bare = naming.map((pattern) => pattern.slice(0, pattern.indexOf(segment)));
  const templates = modelTemplates(select(plan, { ...undivided, only: [...plain, ...bare] }), catalog);
  if (first === undefined) return { ...select(plan, selection), templates };
  const own = plain.length > 0 ? select(plan, { ...selection, only: plain }) : nothingOf(plan, selection);
  const ofBoth = new Set(
    plain.length > 0 ? select(plan, { ...undivided, only: plain }).plan.cases.map(({ id }) => id) : [],
  );
  const tests = naming.map(globTest);
  return {
    ...own,
    shard: own.shard && { ...own.shard, only: selection.only },
    templates: {
      ...templates,
      isChosen: (id, template) => ofBoth.has(template) || tests.some((test) => test(id)),
    },
  };
}

/** No cases, and the controls that are always sent. */
function nothingOf(plan: Plan, { shard, suites, only }: Selection): SelectedPlan {
  const sent = plan.cases.filter(({ phase }) => phase === 'controls');
  return { plan: { cases: [] }, sent, shard: shard && { ...shard, suites, only, plan: [] } };
}
