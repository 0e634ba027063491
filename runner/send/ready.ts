import { isOperationId } from '../catalog/operations.ts';
import type { PlannedCase, PlannedStep } from '../plan/plan.ts';
import type { BuildContext } from './build-request.ts';
import { type Controls, controlOf, isUsable, keyAccepted, takesHeader } from './controls.ts';

/** Whether the controls let the case be judged at all. */
export function isReady(item: PlannedCase, controls: Controls): boolean {
  return findUnready(item, controls) === undefined;
}

/** The first step of the case that the controls leave without meaning. */
export function findUnready(item: PlannedCase, controls: Controls): PlannedStep | undefined {
  return item.steps.find(({ facts }) => {
    const { operation = 'none' } = facts;
    if (!isOperationId(operation)) return !keyAccepted(controls);
    const control = controlOf(controls, operation, facts.streamed === 'true');
    const usable = isUsable(control) && isUsable(controls.plain.get(operation));
    return (
      !usable || !takesHeader(controls, facts) || (control?.kind === 'presumed' && !keyAccepted(controls))
    );
  });
}

/** Whether there is a model for each call; where the profile names none, the controls may have found one. */
export function knowsModels(item: PlannedCase, context: BuildContext): boolean {
  return item.steps.every(({ facts: { operation = 'none', model = 'none' } }) => {
    const named = model !== 'none' && model !== 'unlisted' && isOperationId(operation);
    return !named || context.model(operation, model) !== undefined;
  });
}
