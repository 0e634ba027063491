import { isOperationId } from '../catalog/operations.ts';
import type { PlannedCase } from '../plan/plan.ts';
import type { BuiltRequest } from './build-request.ts';
import { sendBurst } from './burst.ts';
import { concurrently } from './concurrently.ts';
import { type Controls, controlStep } from './controls.ts';
import { deliver, type Sender } from './deliver.ts';
import { type Exchange, isTransient, type Result, succeeded } from './exchange.ts';

/** Where the exchanges of a run go. */
export interface CaseRecord {
  readonly ofCase: (item: PlannedCase, exchanges: readonly Exchange[]) => void;
  /** A try or a control that belongs to no case. */
  readonly ofNone: (exchange: Exchange) => void;
  /** Not every step of the case was sent. */
  readonly incomplete: (item: PlannedCase, reason: string) => void;
}

export interface SendCaseOptions {
  /** Whether the result of a step is what the case's requirements ask for, so that it need not be sent again. */
  readonly isDue: (
    item: PlannedCase,
    step: number,
    seen: Pick<Exchange, 'facts' | 'model' | 'request' | 'result'>,
  ) => boolean;
  /** Why nothing more may be sent; undefined while it may. */
  readonly stopReason: () => string | undefined;
  /** How many requests that are the same may be under way at once. */
  readonly concurrency: number;
}

/** Sends the steps of a case, one after the other; the same request several times: once, then all others at once. */
export async function sendCase(
  item: PlannedCase,
  sender: Sender,
  controls: Controls,
  record: CaseRecord,
  options: SendCaseOptions,
): Promise<void> {
  if (item.facts.burst === 'true') {
    const burst = await sendBurst(item, sender, () => options.stopReason() === undefined);
    record.ofCase(item, burst.exchanges);
    if (burst.incomplete !== undefined) record.incomplete(item, burst.incomplete);
    return;
  }
  const parts: SendStepParts = { sender, controls, record, isDue: options.isDue };
  if (item.facts.repeated === 'true') {
    const sent: Exchange[] = [];
    const sendOne = async (index: number): Promise<void> => {
      if (options.stopReason() === undefined) sent[index] = await sendStep(item, index, parts);
    };
    const [first, ...others] = item.steps.keys();
    // A gateway that keeps the first answer has it by the time of the others.
    if (first !== undefined) await sendOne(first);
    await concurrently(options.concurrency, others, sendOne);
    record.ofCase(item, sent);
    const stopped = options.stopReason();
    if (sent.length < item.steps.length && stopped !== undefined) record.incomplete(item, stopped);
    return;
  }
  const own: Exchange[] = [];
  record.ofCase(item, own);
  for (const [index, step] of item.steps.entries()) {
    const stopped = options.stopReason();
    if (stopped !== undefined) return record.incomplete(item, stopped);
    const exchange = await sendStep(item, index, parts);
    own.push(exchange);
    if (step.control && !succeeded(exchange.result)) {
      const told = `${describe(step.facts)} was answered ${statusOf(exchange)}`;
      return record.incomplete(item, `A call that must succeed first did not: ${told}.`);
    }
  }
}

/** What the sending of one step of a case asks for. */
export interface SendStepParts extends Pick<SendCaseOptions, 'isDue'> {
  readonly sender: Sender;
  readonly controls: Controls;
  readonly record: Pick<CaseRecord, 'ofNone'>;
  /** Whether a result that may pass is taken as it is, as the same request met it before. */
  readonly isKnown?: (result: Result) => boolean;
}

/** Sends one step of a case, and a control after a 429 or 5xx that stays. */
export async function sendStep(
  item: PlannedCase,
  index: number,
  { sender, controls, record, isDue, isKnown = () => false }: SendStepParts,
): Promise<Exchange> {
  const step = item.steps[index];
  if (!step) throw new Error(`The case ${item.id} has no step ${index + 1}.`);
  const { facts, control, drawing } = step;
  const due = (result: Result, { request, model }: BuiltRequest): boolean =>
    isDue(item, index, { facts, model, request, result });
  const exchange = await deliver(sender, {
    id: `${item.id}#${index + 1}`,
    facts,
    drawing,
    drawn: item.drawn,
    isDue: (result, built) => isKnown(result) || due(result, built),
  });
  const stays = isTransient(exchange.result) && !due(exchange.result, exchange);
  if (!stays || control) return exchange;
  return { ...exchange, controlAfter: await controlAfter(item, facts, { sender, controls, record }) };
}

async function controlAfter(
  item: PlannedCase,
  facts: Exchange['facts'],
  { sender, controls, record }: Pick<SendStepParts, 'sender' | 'controls' | 'record'>,
): Promise<'succeeded' | 'failed'> {
  const { operation = 'none' } = facts;
  const step = isOperationId(operation)
    ? controlStep(controls, operation, facts.streamed === 'true')
    : undefined;
  if (!step) return 'failed';
  const exchange = await deliver(sender, { id: `${item.id}#control`, facts: step.facts });
  record.ofNone(exchange);
  return succeeded(exchange.result) ? 'succeeded' : 'failed';
}

function describe({ operation, key, record, model }: Exchange['facts']): string {
  const parts = [
    key !== 'good' && `the ${key} key`,
    record !== 'none' && `the ${record} record`,
    model !== 'none' && `the ${model} model`,
  ];
  return [operation, ...parts.filter(Boolean)].join(', ');
}

function statusOf({ result }: Exchange): string {
  return result.kind === 'answer' ? String(result.answer.status) : `by no answer (${result.failure.detail})`;
}
