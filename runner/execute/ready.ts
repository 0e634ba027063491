import { isOperationId } from '../catalog/operations.ts';
import type { PlannedCase, PlannedStep } from '../plan/plan.ts';
import type { BuildContext } from '../request/build-request.ts';
import type { Stop, StopSwitch } from '../transport/deadline.ts';
import type { Exchange } from '../transport/exchange.ts';
import { type Controls, controlOf, isUsable, keyAccepted, takesHeader } from './controls.ts';
import type { CaseRecord } from './deliver.ts';

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

/** What is sent for cases, while it is being sent. */
export interface OpenExecution {
  readonly record: CaseRecord;
  /** All of it until now; what comes later is in it too. */
  readonly soFar: () => Execution;
}

/** An execution of which nothing is sent. */
export function openExecution(controls: Controls, stop: StopSwitch): OpenExecution {
  const exchanges = new Map<string, readonly Exchange[]>();
  const others: Exchange[] = [];
  const incomplete = new Map<string, string>();
  return {
    record: {
      ofCase: (item, own) => void exchanges.set(item.id, own),
      ofNone: (exchange) => void others.push(exchange),
      incomplete: (item, reason) => void incomplete.set(item.id, reason),
    },
    soFar: () => ({ exchanges, others, controls, incomplete, stopped: stop.stopped() }),
  };
}

/** Everything that was sent for the cases of a plan. */
export interface Execution {
  /** The exchanges of each case, in the order of the cases and of their steps. */
  readonly exchanges: ReadonlyMap<string, readonly Exchange[]>;
  /** Tries and controls that belong to no case. */
  readonly others: readonly Exchange[];
  readonly controls: Controls;
  /** Cases of which not every step was sent, and why. */
  readonly incomplete: ReadonlyMap<string, string>;
  /** Why nothing more was sent, where the run was cut short. */
  readonly stopped: Stop | undefined;
}
