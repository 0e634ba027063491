import type { Catalog } from '../catalog/catalog.ts';
import { evaluate } from '../catalog/condition.ts';
import { type AcceptedHeader, isOperationId, type OperationId } from '../catalog/operations.ts';
import { type ModelOperation, modelOperation } from '../profile/profile.ts';
import { hasChecks, type Plan, type PlannedCase } from './plan.ts';
import type { SelectedPlan } from './select.ts';

/** The cases that are sent for each model, as a plan has them for its own. */
export interface ModelTemplates {
  /** In the order of the plan. */
  readonly judged: readonly PlannedCase[];
  /** The good calls that these rest on, in each header that their operation accepts. */
  readonly controls: readonly PlannedCase[];
  /** Whether a case of a model is asked for, by its id and by that which it has without the model; all where absent. */
  readonly isChosen?: (id: string, template: string) => boolean;
}

/** What in a selected plan a model can vary, as `fixtures/discovery.yaml` says. */
export function selectModelTemplates(
  { plan, sent }: Pick<SelectedPlan, 'plan' | 'sent'>,
  { fixtures }: Pick<Catalog, 'fixtures'>,
): ModelTemplates {
  const { varies } = fixtures.discovery;
  const isVaried = (item: PlannedCase): boolean => {
    if (!hasChecks(item) || item.notApplicable) return false;
    // A pooled case judges what the others bring about.
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

/** What is sent and judged for one model. */
export interface ModelPlan extends Plan {
  /** In the order of the plan; the good calls are among them, judged or not. */
  readonly sent: readonly PlannedCase[];
}

/** The templates as they are for one model, each operation called in one header: that which `headerOf` tells, or any. */
export function planModel(
  { judged, controls, isChosen = () => true }: ModelTemplates,
  model: string,
  operations: readonly ModelOperation[],
  headerOf?: (operation: OperationId) => AcceptedHeader | undefined,
): ModelPlan {
  const isOwn = (item: PlannedCase): boolean => {
    const { operation = 'none', header } = item.attributes;
    if (!isOperationId(operation)) return item.pool?.over === 'run' && operations.length > 0;
    const calls = modelOperation(operation);
    if (calls === undefined || !operations.includes(calls)) return false;
    return !isControl(item) || header === 'any' || header === (headerOf?.(operation) ?? firstOf(operation));
  };
  /** Without a header that was seen to work, the first that is tried. */
  const firstOf = (operation: OperationId): string | undefined =>
    controls.find(({ attributes }) => attributes.operation === operation && attributes.header !== 'any')
      ?.attributes.header;
  const named = (item: PlannedCase): PlannedCase => ({
    ...item,
    id: `${item.id}/${formatModelSegment(model)}`,
  });
  const own = judged.filter((item) => isOwn(item) && isChosen(named(item).id, item.id));
  const others = controls.filter((item) => isOwn(item) && !own.includes(item));
  const cases = own.map(named);
  return { cases, sent: [...others.map(named), ...cases.filter(({ pool }) => !pool)] };
}

/** The part of a case id that names a model; what could be taken for another part, or a pattern, is percent-encoded. */
export function formatModelSegment(model: string): string {
  const encoded = encodeURIComponent(model.toWellFormed()).replaceAll('%3A', ':');
  return `model-id=${encoded.replace(/[!'()*~]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)}`;
}

function isControl({ phase }: PlannedCase): boolean {
  return phase === 'controls';
}
