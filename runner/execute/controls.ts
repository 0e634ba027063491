import type { Attributes } from '../catalog/condition.ts';
import { type AcceptedHeader, isOperationId, type OperationId, operationIds } from '../catalog/operations.ts';
import type { PlannedCase, PlannedStep } from '../plan/plan.ts';
import type { BuildContext } from '../request/build-request.ts';
import type { Stop, StopSwitch } from '../transport/deadline.ts';
import type { Exchange } from '../transport/exchange.ts';

/** What the good calls of one operation showed. */
export type Control =
  | { readonly kind: 'succeeded'; readonly header: AcceptedHeader; readonly step: PlannedStep }
  /** The profile has nothing to try it with; it is held to be there. */
  | { readonly kind: 'presumed' }
  | { readonly kind: 'not-offered' }
  | { readonly kind: 'no-model' }
  | {
      /**
       * Why no good call succeeded: the endpoint does not exist, the key was refused, the endpoint exists but not the
       * model, a web page answered, or something else.
       */
      readonly kind: 'absent' | 'refused' | 'unknown-model' | 'web-page' | 'failed';
      readonly exchange: Exchange;
    };

/** The controls of a run, which grow while it goes on. */
export interface Controls {
  readonly plain: Map<OperationId, Control>;
  readonly streamed: Map<OperationId, Control>;
  /** The models that calls ask for, by the operation that names them. */
  readonly models: Map<string, string>;
  /** Operations with each header in which their good key was taken: `chat bearer`. */
  readonly headers: Set<string>;
  /** Operations that stopped taking the good key after bad ones were sent, with the exchange that shows it. */
  readonly lockedOut: Map<OperationId, Exchange>;
}

/** Controls of a run that has not begun. */
export function makeControls(): Controls {
  return {
    plain: new Map(),
    streamed: new Map(),
    models: new Map(),
    headers: new Set(),
    lockedOut: new Map(),
  };
}

/** Whether the good key was taken anywhere. */
export function keyAccepted(controls: Controls): boolean {
  return [...controls.plain.values()].some((control) => control.kind === 'succeeded');
}

/** Whether calls of the operation can be judged, as its control succeeded or there was none to try. */
export function isUsable(control: Control | undefined): boolean {
  return control?.kind === 'succeeded' || control?.kind === 'presumed';
}

/** The control that stands behind a request: that of the streamed call where a stream is asked for. */
export function controlOf(
  controls: Controls,
  operation: OperationId,
  streamed: boolean,
): Control | undefined {
  const streamedControl = streamed ? controls.streamed.get(operation) : undefined;
  return streamedControl ?? controls.plain.get(operation);
}

/** The request that shows whether an operation still works: its own control, or that of another one for a presumed. */
export function controlStep(
  controls: Controls,
  operation: OperationId,
  streamed: boolean,
): PlannedStep | undefined {
  const own = controlOf(controls, operation, streamed);
  if (own?.kind === 'succeeded') return own.step;
  if (own?.kind !== 'presumed') return undefined;
  const others = operationIds
    .filter((id) => id !== operation)
    .reverse()
    .map((id) => controls.plain.get(id));
  return others.find((control) => control?.kind === 'succeeded')?.step;
}

/** Whether a case tries the good key in a header of its own, and so is the control of its operation. */
export function isHeaderControl(item: PlannedCase): boolean {
  return item.phase === 'controls' && item.attributes.header !== 'any';
}

/** Whether the good key was taken in the header that a request names, or nothing could show it; other keys say nothing of it. */
export function takesHeader(
  controls: Controls,
  { operation = 'none', header, accepted, key }: Attributes,
): boolean {
  const asks = (key === 'good' || key === 'depleted') && accepted === 'true' && header !== 'any';
  const isPresumed = isOperationId(operation) && controls.plain.get(operation)?.kind === 'presumed';
  return !asks || isPresumed || controls.headers.has(`${operation} ${header}`);
}

/** The first step of a case that sends something. */
export function firstStep(item: PlannedCase): PlannedStep {
  const [step] = item.steps;
  if (!step) throw new Error(`The case ${item.id} sends nothing.`);
  return step;
}

/** Whether the controls let the case be judged at all. */
export function isReady(item: PlannedCase, controls: Controls): boolean {
  return findUnready(item, controls) === undefined;
}

/** The first step of the case that the controls leave without meaning. */
export function findUnready(item: PlannedCase, controls: Controls): PlannedStep | undefined {
  return item.steps.find(({ attributes: facts }) => {
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
  return item.steps.every(({ attributes: { operation = 'none', model = 'none' } }) => {
    const named = model !== 'none' && model !== 'unlisted' && isOperationId(operation);
    return !named || context.model(operation, model) !== undefined;
  });
}

/** Everything that was sent for the cases of a plan. */
export interface Execution {
  /** The exchanges of each case, in the order of the cases and of their steps. */
  readonly exchanges: ReadonlyMap<string, readonly Exchange[]>;
  /** Retries and controls that belong to no case. */
  readonly others: readonly Exchange[];
  readonly controls: Controls;
  /** Cases of which not every step was sent, and why. */
  readonly incomplete: ReadonlyMap<string, string>;
  /** Why nothing more was sent, if the run was cut short. */
  readonly stopped: Stop | undefined;
}

/** Collects the exchanges of a round. */
export interface ExecutionRecord {
  readonly ofCase: (item: PlannedCase, exchanges: readonly Exchange[]) => void;
  /** A retry or a control that belongs to no case. */
  readonly ofNone: (exchange: Exchange) => void;
  /** Not every step of the case was sent. */
  readonly incomplete: (item: PlannedCase, reason: string) => void;
  /** Everything that was sent so far; it also shows what is sent later. */
  readonly soFar: () => Execution;
}

/** A record without any exchange. */
export function openRecord(controls: Controls, stop: StopSwitch): ExecutionRecord {
  const exchanges = new Map<string, readonly Exchange[]>();
  const others: Exchange[] = [];
  const incomplete = new Map<string, string>();
  return {
    ofCase: (item, own) => void exchanges.set(item.id, own),
    ofNone: (exchange) => void others.push(exchange),
    incomplete: (item, reason) => void incomplete.set(item.id, reason),
    soFar: () => ({ exchanges, others, controls, incomplete, stopped: stop.stopped() }),
  };
}
