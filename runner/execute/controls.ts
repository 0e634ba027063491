import { readMember } from '../../contract/pointer.ts';
import { billingCodes } from '../../contract/specification.ts';
import type { Facts } from '../catalog/condition.ts';
import { type AcceptedHeader, isOperationId, type OperationId, operationIds } from '../catalog/operations.ts';
import type { PlannedCase, PlannedStep } from '../plan/plan.ts';
import { afterEarlier, answerOf, type Exchange, mayHaveChanged, succeeded } from '../transport/exchange.ts';
import { type CaseRecord, deliver, type Sender } from './deliver.ts';

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
  return item.phase === 'controls' && item.facts.header !== 'any';
}

/** Whether the good key was taken in the header that a request names, or nothing could show it; other keys say nothing of it. */
export function takesHeader(
  controls: Controls,
  { operation = 'none', header, accepted, key }: Facts,
): boolean {
  const asks = (key === 'good' || key === 'depleted') && accepted === 'true' && header !== 'any';
  const isPresumed = isOperationId(operation) && controls.plain.get(operation)?.kind === 'presumed';
  return !asks || isPresumed || controls.headers.has(`${operation} ${header}`);
}

/** How often a control that fails alone is tried again beside a fresh one. */
const rounds = 2;

/** A header that fails while another succeeds is tried again beside fresh controls, where the failure may pass. */
export async function besideControl(
  item: PlannedCase,
  exchange: Exchange,
  control: PlannedStep,
  sender: Sender,
  record: CaseRecord,
): Promise<Exchange> {
  let current = exchange;
  for (let round = 0; round < rounds && mayHaveChanged(current); round += 1) {
    const fresh = await deliver(sender, { id: `${item.id}#control`, facts: control.facts, isExtra: true });
    record.ofNone(fresh);
    if (!succeeded(fresh.result)) return { ...current, controlAfter: 'failed' };
    const again = await sendFirst(item, sender);
    current = { ...afterEarlier(current, again), controlAfter: 'succeeded' };
  }
  return current;
}

/** Sends the one request of a control. */
export function sendFirst(item: PlannedCase, sender: Sender): Promise<Exchange> {
  return deliver(sender, { id: `${item.id}#1`, facts: firstStep(item).facts });
}

/** The first step of a case that sends something. */
export function firstStep(item: PlannedCase): PlannedStep {
  const [step] = item.steps;
  if (!step) throw new Error(`The case ${item.id} sends nothing.`);
  return step;
}

/** Why the good key was accepted in none of these exchanges of an operation. */
export function failure(tries: readonly SentControl[], guessed: boolean): Control {
  const exchanges = tries.map(({ exchange }) => exchange);
  const [first] = exchanges;
  if (!first || guessed) return { kind: 'not-offered' };
  const all = (...statuses: number[]): boolean =>
    exchanges.every((exchange) => statuses.includes(answerOf(exchange)?.status ?? 0));
  // What is not found there was looked for by an endpoint that exists.
  if (all(404, 405) && !exchanges.some(saysNotFound)) return { kind: 'absent', exchange: first };
  if (all(401, 403)) return { kind: 'refused', exchange: first };
  const page = tries.find(({ isPage }) => isPage);
  if (page) return { kind: 'web-page', exchange: page.exchange };
  return {
    kind: 'failed',
    exchange: exchanges.find((exchange) => ![401, 403].includes(answerOf(exchange)?.status ?? 0)) ?? first,
  };
}

function saysNotFound(exchange: Exchange): boolean {
  const content = answerOf(exchange)?.content;
  return content?.kind === 'json' && readMember(content.value, '/error/code') === billingCodes.notFound;
}

/** A control in one of the headers. */
export interface SentControl {
  readonly item: PlannedCase;
  readonly exchange: Exchange;
  /** Whether it got the page with which a web application answers every path. */
  readonly isPage: boolean;
}
