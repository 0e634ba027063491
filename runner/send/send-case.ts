import { isOperationId } from '../catalog/operations.ts';
import type { PlannedCase, PlannedStep } from '../plan/plan.ts';
import type { BuiltRequest } from './build-request.ts';
import { sendBurst } from './burst.ts';
import { concurrently } from './concurrently.ts';
import { type Controls, controlStep } from './controls.ts';
import { deliver, type Sender } from './deliver.ts';
import { afterEarlier, answerOf, type Exchange, mayHaveChanged, type Result, succeeded } from './exchange.ts';

/** Where the exchanges of a run go. */
export interface CaseRecord {
  readonly ofCase: (item: PlannedCase, exchanges: readonly Exchange[]) => void;
  /** A try or a control that belongs to no case. */
  readonly ofNone: (exchange: Exchange) => void;
  /** Not every step of the case was sent. */
  readonly incomplete: (item: PlannedCase, reason: string) => void;
}

export interface SendCaseOptions {
  /** Why nothing more may be sent; undefined while it may. */
  readonly stopReason: () => string | undefined;
  /** How many requests that are the same may be under way at once. */
  readonly concurrency: number;
}

/** Sends the steps of a case, one after the other; the same request several times: once, then all others at once. */
export async function sendCase(
  item: PlannedCase,
  parts: SendStepParts,
  { concurrency, stopReason }: SendCaseOptions,
): Promise<void> {
  const { sender, record } = parts;
  if (item.facts.burst === 'true') {
    const burst = await sendBurst(item, sender, () => stopReason() === undefined);
    record.ofCase(item, burst.exchanges);
    if (burst.incomplete !== undefined) record.incomplete(item, burst.incomplete);
    return;
  }
  if (isRepeated(item)) {
    const { first, others } = repeatedSends(item, parts, stopReason);
    await first();
    await concurrently(concurrency, others, (send) => send());
    return;
  }
  const own: Exchange[] = [];
  record.ofCase(item, own);
  for (const [index, step] of item.steps.entries()) {
    const stopped = stopReason();
    if (stopped !== undefined) return record.incomplete(item, stopped);
    const exchange = await sendStep(item, index, parts);
    own.push(exchange);
    if (step.control && !succeeded(exchange.result)) {
      const told = `${describe(step.facts)} was answered ${statusOf(exchange)}`;
      return record.incomplete(item, `A call that must succeed first did not: ${told}.`);
    }
  }
}

/** Whether all steps of a case are the same request. */
export function isRepeated({ facts }: PlannedCase): boolean {
  return facts.repeated === 'true';
}

/** The sends of a case whose requests are all the same, which may be done among those of other cases. */
export interface RepeatedSends {
  readonly first: () => Promise<void>;
  /** Each waits for the first: a gateway that keeps its first answer has it by then. */
  readonly others: readonly (() => Promise<void>)[];
}

/** Makes the sends of a case whose requests are all the same; tells when all of it was sent. */
export function repeatedSends(
  item: PlannedCase,
  parts: SendStepParts,
  stopReason: SendCaseOptions['stopReason'],
  onSent: () => void = () => {},
): RepeatedSends {
  const { record } = parts;
  const sent: Exchange[] = [];
  let left = item.steps.length;
  const send = async (index: number): Promise<void> => {
    if (stopReason() === undefined) sent[index] = await sendStep(item, index, parts);
    left -= 1;
    if (left > 0) return;
    const stopped = stopReason();
    if (sent.length < item.steps.length && stopped !== undefined) record.incomplete(item, stopped);
    onSent();
  };
  let begun: Promise<void> | undefined;
  const first = (): Promise<void> => {
    if (!begun) record.ofCase(item, sent);
    begun ??= send(0);
    return begun;
  };
  return {
    first,
    others: [...item.steps.keys()].slice(1).map((index) => async () => {
      await first();
      await send(index);
    }),
  };
}

/** What the sending of one step of a case asks for. */
export interface SendStepParts {
  /** Whether the result of a step is what the case's requirements ask for, so that it need not be sent again. */
  readonly isDue: (
    item: PlannedCase,
    step: number,
    seen: Pick<Exchange, 'facts' | 'model' | 'request' | 'result'>,
  ) => boolean;
  readonly sender: Sender;
  readonly controls: Controls;
  readonly record: CaseRecord;
  /** Whether a result that may pass is taken as it is, as the same request met it before. */
  readonly isKnown?: (result: Result) => boolean;
}

/** Sends one step of a case, and a control after an answer that stays and may have nothing to do with it. */
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
  const stays = mayHaveChanged(exchange) && !due(exchange.result, exchange);
  if (!stays || control) return exchange;
  const judged = { ...exchange, controlAfter: await controlAfter(item, facts, { sender, controls, record }) };
  return judged.controlAfter === 'failed' || isKnown(judged.result)
    ? judged
    : sendOnceMore(judged, drawing, sender);
}

/** How often a request that may pass is sent once more, without a pause, while its control succeeds; a 429 asks for less. */
const timesMore = 4;

/**
 * Of a thousand requests to a gateway that answers one in ten 503, one meets it three times in a row, and of two thousand
 * calls of a model that is there two times in three, one misses it seven times.
 */
async function sendOnceMore(
  exchange: Exchange,
  drawing: PlannedStep['drawing'],
  sender: Sender,
): Promise<Exchange> {
  let current = exchange;
  const mayPass = (): boolean =>
    mayHaveChanged(current) && ![undefined, 429].includes(answerOf(current)?.status);
  for (let round = 0; round < timesMore && mayPass(); round += 1) {
    const { id, facts, drawn } = exchange;
    const again = await deliver(sender, { id, facts, drawing, drawn, isDue: () => true });
    current = { ...afterEarlier(current, again), controlAfter: exchange.controlAfter };
  }
  return current;
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
