import type { Attributes } from '../catalog/condition.ts';
import { type AcceptedHeader, isOperationId, type OperationId, operationIds } from '../catalog/operations.ts';
import type { PlannedCase, PlannedStep } from '../plan/plan.ts';
import type { BuildContext } from '../request/build-request.ts';
import type { Exchange } from '../transport/exchange.ts';
import type { Stop, StopSwitch } from '../transport/stop-switch.ts';

/** The result of the controls of one operation. */
export type Control =
  | { readonly kind: 'succeeded'; readonly header: AcceptedHeader; readonly step: PlannedStep }
  /** The profile does not state the values that a control of the operation needs, so the operation is assumed to exist. */
  | { readonly kind: 'presumed' }
  | { readonly kind: 'not-offered' }
  | { readonly kind: 'no-model' }
  | {
      /**
       * Why no control succeeded: the endpoint does not exist, the key was refused, the model does not exist, the response
       * was a web page, or something else.
       */
      readonly kind: 'absent' | 'refused' | 'unknown-model' | 'web-page' | 'failed';
      readonly exchange: Exchange;
    };

/** The results of the controls so far. */
export interface Controls {
  readonly plain: Map<OperationId, Control>;
  readonly streamed: Map<OperationId, Control>;
  /** The IDs of the models that calls use, by operation. */
  readonly models: Map<string, string>;
  /** Each operation and header with which the valid key was accepted: `chat bearer`. */
  readonly headers: Set<string>;
  /** Operations that refused the valid key after wrong keys were sent, with the exchange that shows it. */
  readonly lockedOut: Map<OperationId, Exchange>;
}

/** Creates empty results for a round. */
export function createControls(): Controls {
  return {
    plain: new Map(),
    streamed: new Map(),
    models: new Map(),
    headers: new Set(),
    lockedOut: new Map(),
  };
}

/** Whether any operation accepted the valid key. */
export function isKeyAccepted(controls: Controls): boolean {
  return [...controls.plain.values()].some((control) => control.kind === 'succeeded');
}

/** Whether calls to an operation can be judged: the control of the operation succeeded, or could not be tried. */
export function isUsable(control: Control | undefined): boolean {
  return control?.kind === 'succeeded' || control?.kind === 'presumed';
}

/** Returns the control of an operation, or of its streamed call if `streamed` is true and one exists. */
export function controlOf(
  controls: Controls,
  operation: OperationId,
  streamed: boolean,
): Control | undefined {
  const streamedControl = streamed ? controls.streamed.get(operation) : undefined;
  return streamedControl ?? controls.plain.get(operation);
}

/**
 * Finds the request that shows whether an operation still works: the control of the operation if it succeeded.
 * If the control could not be tried, finds a control of another operation that succeeded.
 */
export function findControlStep(
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

/** Whether a case is the control of an operation for one header. */
export function isHeaderControl(item: PlannedCase): boolean {
  return item.phase === 'controls' && item.attributes.header !== 'any';
}

/** Whether a case sends only valid calls with the valid key in a header that the operation accepts. */
export function isValidCall({ steps }: PlannedCase): boolean {
  return (
    steps.length > 0 &&
    steps.every(
      ({ attributes: { key, accepted, request } }) =>
        key === 'good' && accepted === 'true' && request === 'valid',
    )
  );
}

/**
 * Whether the gateway accepted the valid key in the header of a request. Also true if the request does not depend on this,
 * such as a request with a wrong key, and if no control of the operation could be tried.
 */
export function acceptsHeader(
  controls: Controls,
  { operation = 'none', header, accepted, key }: Attributes,
): boolean {
  const asks = (key === 'good' || key === 'depleted') && accepted === 'true' && header !== 'any';
  const isPresumed = isOperationId(operation) && controls.plain.get(operation)?.kind === 'presumed';
  return !asks || isPresumed || controls.headers.has(`${operation} ${header}`);
}

/** Returns the first step of a case. Throws Error if the case has no steps. */
export function firstStep(item: PlannedCase): PlannedStep {
  const [step] = item.steps;
  if (!step) throw new Error(`The case ${item.id} sends nothing.`);
  return step;
}

/** Whether the controls of all steps of a case succeeded, or could not be tried. */
export function canBeJudged(item: PlannedCase, controls: Controls): boolean {
  return findUnjudgeableStep(item, controls) === undefined;
}

/** Finds the first step of a case whose control did not succeed; undefined if the case can be judged. */
export function findUnjudgeableStep(item: PlannedCase, controls: Controls): PlannedStep | undefined {
  return item.steps.find(({ attributes }) => {
    const { operation = 'none' } = attributes;
    if (!isOperationId(operation)) return !isKeyAccepted(controls);
    const control = controlOf(controls, operation, attributes.streamed === 'true');
    const usable = isUsable(control) && isUsable(controls.plain.get(operation));
    return (
      !usable ||
      !acceptsHeader(controls, attributes) ||
      (control?.kind === 'presumed' && !isKeyAccepted(controls))
    );
  });
}

/** Whether a model is known for each call of a case, from the profile or from the controls. */
export function knowsModels(item: PlannedCase, context: BuildContext): boolean {
  return item.steps.every(({ attributes: { operation = 'none', model = 'none' } }) => {
    const named = model !== 'none' && model !== 'unlisted' && isOperationId(operation);
    return !named || context.model(operation, model) !== undefined;
  });
}

/** All exchanges of a round. */
export interface Execution {
  /** The exchanges of each case, in the order of the cases and of their steps. */
  readonly exchanges: ReadonlyMap<string, readonly Exchange[]>;
  /** Retries and controls that belong to no case. */
  readonly others: readonly Exchange[];
  readonly controls: Controls;
  /** The IDs of the cases with steps that were not sent, and the reason. */
  readonly incomplete: ReadonlyMap<string, string>;
  readonly stopped: Stop | undefined;
  /** Descriptions of changes of keys or balances that the round could not undo. */
  readonly leftovers: readonly string[];
}

/** Collects the exchanges of a round. */
export interface ExecutionRecord {
  readonly setCase: (item: PlannedCase, exchanges: readonly Exchange[]) => void;
  readonly addOther: (exchange: Exchange) => void;
  readonly markIncomplete: (item: PlannedCase, reason: string) => void;
  readonly addLeftover: (reason: string) => void;
  /** Returns a live view of all exchanges. */
  readonly soFar: () => Execution;
}

/** Creates an empty record of a round. */
export function openRecord(controls: Controls, stop: StopSwitch): ExecutionRecord {
  const exchanges = new Map<string, readonly Exchange[]>();
  const others: Exchange[] = [];
  const incomplete = new Map<string, string>();
  const leftovers: string[] = [];
  return {
    setCase: (item, own) => void exchanges.set(item.id, own),
    addOther: (exchange) => void others.push(exchange),
    markIncomplete: (item, reason) => void incomplete.set(item.id, reason),
    addLeftover: (reason) => void leftovers.push(reason),
    soFar: () => ({ exchanges, others, controls, incomplete, leftovers, stopped: stop.stopped() }),
  };
}
