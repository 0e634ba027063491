import type { Attributes } from '../catalog/condition.ts';
import { type AcceptedHeader, isOperationId, type OperationId, operationIds } from '../catalog/operations.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Stop, StopSwitch } from '../exchange/stop.ts';
import type { PlannedCase, PlannedStep } from '../plan/plan.ts';
import type { BuildContext } from '../request/build-request.ts';

/** The result of the controls of one operation. */
export type Control =
  | { readonly kind: 'succeeded'; readonly header: AcceptedHeader; readonly step: PlannedStep }
  /**
   * No control can be sent, for example because the profile lacks a value that the control needs. The operation is
   * assumed to work.
   */
  | { readonly kind: 'presumed' }
  | { readonly kind: 'not-offered' }
  /** `pattern` is an entry of the model list that stands for several models; undefined if the list has none. */
  | { readonly kind: 'no-model'; readonly pattern?: string | undefined }
  | {
      /**
       * The reason why no control succeeded: the endpoint does not exist, the key was rejected, the model does not
       * exist, the response was a web page, or another reason.
       */
      readonly kind: 'absent' | 'refused' | 'unknown-model' | 'web-page' | 'failed';
      readonly exchange: Exchange;
    };

export interface Controls {
  readonly plain: Map<OperationId, Control>;
  readonly streamed: Map<OperationId, Control>;
  /** The ID of the model that the last control of each operation called, by operation. */
  readonly models: Map<string, string>;
  /** Each operation and header with which the valid key was accepted: `chat bearer`. */
  readonly headers: Set<string>;
  /**
   * The operations that the gateway may have blocked for this address, with the exchange of the control that failed
   * after wrong keys were sent.
   */
  readonly lockedOut: Map<OperationId, Exchange>;
  /**
   * The operations whose control was rejected when the control was sent again, before any wrong key was sent, with
   * the exchange of the rejected control. The valid key may have been deleted during the round.
   */
  readonly rejected: Map<OperationId, Exchange>;
}

export function createControls(): Controls {
  return {
    plain: new Map(),
    streamed: new Map(),
    models: new Map(),
    headers: new Set(),
    lockedOut: new Map(),
    rejected: new Map(),
  };
}

/** Whether the plain control of any operation succeeded. */
export function isKeyAccepted(controls: Controls): boolean {
  return [...controls.plain.values()].some((control) => control.kind === 'succeeded');
}

/**
 * Whether calls to an operation can be judged: its control succeeded, or no control could be sent. Returns false for
 * undefined.
 */
export function isUsable(control: Control | undefined): boolean {
  return control?.kind === 'succeeded' || control?.kind === 'presumed';
}

/**
 * Returns the result of the control of an operation. If `streamed` is true and the streamed call has a control, returns
 * the result of this control. Returns undefined if no result is known.
 */
export function controlOf(
  controls: Controls,
  operation: OperationId,
  streamed: boolean,
): Control | undefined {
  const streamedControl = streamed ? controls.streamed.get(operation) : undefined;
  return streamedControl ?? controls.plain.get(operation);
}

/**
 * Returns the request that shows whether an operation still works: its successful control or, if no control could be
 * sent, the successful control of another operation. Returns undefined if no such control exists.
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

/**
 * Whether a case is a control that tests one header of an operation. Controls with the header `any`, which send
 * streamed calls, do not count.
 */
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
 * Whether the gateway accepted the valid key in the header of a request. Also returns true if no control of the
 * operation could be sent. Also returns true for a request with the header `any`, and for a request without a valid
 * or depleted key in an accepted header.
 */
export function acceptsHeader(
  controls: Controls,
  { operation = 'none', header, accepted, key }: Attributes,
): boolean {
  const asks = (key === 'good' || key === 'depleted') && accepted === 'true' && header !== 'any';
  const isPresumed = isOperationId(operation) && controls.plain.get(operation)?.kind === 'presumed';
  return !asks || isPresumed || controls.headers.has(`${operation} ${header}`);
}

/** Returns the first step of a case. Throws an `Error` if the case has no steps. */
export function getFirstStep(item: PlannedCase): PlannedStep {
  const [step] = item.steps;
  if (!step) throw new Error(`The case ${item.id} has no steps. Pass a case that has at least one step.`);
  return step;
}

/** Whether all steps of a case can be judged. See `findUnjudgeableStep`. */
export function canBeJudged(item: PlannedCase, controls: Controls): boolean {
  return findUnjudgeableStep(item, controls) === undefined;
}

/**
 * Returns the first step of a case that cannot be judged; undefined if all steps can be judged. A step cannot be
 * judged if its operation has no usable control, or if the gateway did not accept the valid key in the header of the
 * step. A step without a control of its operation cannot be judged if no control succeeded.
 */
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

/**
 * Whether the model of each step is known, from the profile or from the controls. A step without an operation,
 * without a model, or with an unlisted model needs no known model.
 */
export function areModelsKnown(item: PlannedCase, context: BuildContext): boolean {
  return item.steps.every(({ attributes: { operation = 'none', model = 'none' } }) => {
    const named = model !== 'none' && model !== 'unlisted' && isOperationId(operation);
    return !named || context.model(operation, model) !== undefined;
  });
}

/** The exchanges of a round, and the results of its controls. */
export interface Execution {
  /** The exchanges of each case, by case ID. The exchanges are in the order of the steps. */
  readonly exchanges: ReadonlyMap<string, readonly Exchange[]>;
  /** The exchanges that are recorded but not judged with a case, such as controls that were sent again. */
  readonly others: readonly Exchange[];
  readonly controls: Controls;
  /** The reasons why cases are incomplete, for example because not all steps were sent, by case ID. */
  readonly incomplete: ReadonlyMap<string, string>;
  readonly stopped: Stop | undefined;
  /** The changes of keys or balances that the round could not undo, each as a message. */
  readonly leftovers: readonly string[];
}

/** Returns all exchanges, in the order of the cases. */
export function listExchanges({ exchanges, others }: Pick<Execution, 'exchanges' | 'others'>): Exchange[] {
  return [...[...exchanges.values()].flat(), ...others];
}

export interface ExecutionRecord {
  readonly setCase: (item: PlannedCase, exchanges: readonly Exchange[]) => void;
  readonly addOther: (exchange: Exchange) => void;
  readonly markIncomplete: (item: PlannedCase, reason: string) => void;
  readonly addLeftover: (reason: string) => void;
  /**
   * Returns the exchanges and results so far. The maps and lists of the returned object change with later exchanges.
   */
  readonly soFar: () => Execution;
}

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
