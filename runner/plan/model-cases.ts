import type { CatalogData } from '../catalog/catalog.ts';
import { evaluate } from '../catalog/condition.ts';
import { type AcceptedHeader, isOperationId, type OperationId } from '../catalog/operations.ts';
import { findModelOperation, type ModelOperation } from '../profile/profile.ts';
import { formatModelSegment } from './applicability.ts';
import { hasChecks, type Plan, type PlannedCase } from './plan.ts';
import type { SelectedPlan } from './select.ts';

/** The cases of a plan that are repeated for each listed model. */
export interface ModelTemplates {
  /** The judged cases, in the order of the plan. */
  readonly judged: readonly PlannedCase[];
  /** The controls of model calls: one for each operation and accepted header, and the controls of streamed calls. */
  readonly controls: readonly PlannedCase[];
  /**
   * Returns whether a case is selected. `id` is the case ID with the model, and `template` is the case ID without the
   * model. Default: all cases are selected.
   */
  readonly isChosen?: (id: string, template: string) => boolean;
}

/**
 * Selects the cases of a plan that are repeated for each listed model. `varies` in `fixtures/discovery.yaml` is the
 * condition for these cases.
 */
export function selectModelTemplates(
  { plan, sent }: Pick<SelectedPlan, 'plan' | 'sent'>,
  { fixtures }: Pick<CatalogData, 'fixtures'>,
): ModelTemplates {
  const { varies } = fixtures.discovery;
  const isVaried = (item: PlannedCase): boolean => {
    if (!hasChecks(item) || item.notApplicable) return false;
    // A pooled case has only the attributes that all of its exchanges have in common, so some attributes are unknown.
    if (item.pool) return evaluate(varies, item.attributes) !== false;
    return item.steps.every(
      ({ attributes }) =>
        evaluate(varies, isControl(item) ? { ...attributes, header: 'any' } : attributes) === true,
    );
  };
  return {
    judged: plan.cases.filter(isVaried),
    controls: sent.filter((item) => isControl(item) && isVaried(item)),
  };
}

/**
 * Returns a key that two models share if their cases differ only in the model. `--only` may select cases of a model by
 * its ID.
 */
export function groupModel(
  { judged, isChosen }: ModelTemplates,
  { id, operations }: { readonly id: string; readonly operations: readonly ModelOperation[] },
): string {
  const chosen = isChosen
    ? judged.map((item) => (isChosen(addModelToId(item, id).id, item.id) ? '1' : '0'))
    : [];
  return `${operations.join()} ${chosen.join('')}`;
}

function addModelToId(item: PlannedCase, model: string): PlannedCase {
  return { ...item, id: `${item.id}/${formatModelSegment(model)}` };
}

/** The cases to send (`sent`) and to judge (`cases`) for one model. */
export interface ModelPlan extends Plan {
  /**
   * The cases to send: first the controls, and then the judged cases in the order of the plan. Pooled cases send
   * nothing.
   */
  readonly sent: readonly PlannedCase[];
}

/**
 * Returns the cases of one model for these operations. For each operation, only one control with a single header is
 * sent: the control with the header that `headerOf` returns, or else with the first accepted header. Without a selected
 * case, no control is sent either.
 */
export function planModel(
  { judged, controls, isChosen = () => true }: ModelTemplates,
  model: string,
  operations: readonly ModelOperation[],
  headerOf?: (operation: OperationId) => AcceptedHeader | undefined,
): ModelPlan {
  const isOwn = (item: PlannedCase): boolean => {
    const { operation = 'none', header } = item.attributes;
    if (!isOperationId(operation)) return item.pool?.over === 'run' && operations.length > 0;
    const calls = findModelOperation(operation);
    if (calls === undefined || !operations.includes(calls)) return false;
    return !isControl(item) || header === 'any' || header === (headerOf?.(operation) ?? firstOf(operation));
  };
  const firstOf = (operation: OperationId): string | undefined =>
    controls.find(({ attributes }) => attributes.operation === operation && attributes.header !== 'any')
      ?.attributes.header;
  const withModel = (item: PlannedCase): PlannedCase => addModelToId(item, model);
  const own = judged.filter((item) => isOwn(item) && isChosen(withModel(item).id, item.id));
  if (own.length === 0) return { cases: [], sent: [] };
  const others = controls.filter((item) => isOwn(item) && !own.includes(item));
  const cases = own.map(withModel);
  return { cases, sent: [...others.map(withModel), ...cases.filter(({ pool }) => !pool)] };
}

function isControl({ phase }: PlannedCase): boolean {
  return phase === 'controls';
}
