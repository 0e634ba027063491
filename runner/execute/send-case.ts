import { isOperationId } from '../catalog/operations.ts';
import type { PlannedCase } from '../plan/plan.ts';
import type { BuiltRequest } from '../request/build-request.ts';
import { concurrently } from '../transport/concurrently.ts';
import { type Exchange, isHeldBack, mayHaveChanged, type Result, succeeded } from '../transport/exchange.ts';
import { sendBurst } from './burst.ts';
import type { Confirmation, Doubtful } from './confirm.ts';
import { type Controls, controlStep } from './controls.ts';
import { deliver, type Sender } from './deliver.ts';
import type { CaseRecord } from './execution.ts';

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
    const exchange = await sendAndKeep(item, index, parts, (sent) => {
      own[index] = sent;
    });
    if (isHeldBack(exchange) && exchange.result.kind === 'failure')
      return record.incomplete(item, `Not all of it was sent: ${exchange.result.failure.detail}.`);
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
  const keepAt = (index: number) => (exchange: Exchange) => {
    sent[index] = exchange;
  };
  const send = async (index: number): Promise<void> => {
    // A request that succeeds although it must be refused is a violation already, and each time may be billed.
    const isNeeded = index === 0 || (sent[0] !== undefined && !succeeded(sent[0].result));
    if (stopReason() === undefined && isNeeded) await sendAndKeep(item, index, parts, keepAt(index));
    left -= 1;
    if (left > 0) return;
    const stopped = stopReason();
    if (sent.length < item.steps.length)
      record.incomplete(item, stopped ?? 'The first request succeeded, so it was not sent again.');
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
  readonly confirmation: Confirmation;
  /** Whether a result that may pass is taken as it is, as the same request met it before. */
  readonly isKnown?: (result: Result) => boolean;
}

/** One step of a case that was sent; `doubtful` if its result is wrong and may be transient. */
export interface SentStep {
  readonly exchange: Exchange;
  readonly doubtful: Doubtful | undefined;
}

/** Sends one step of a case. */
export async function sendStep(
  item: PlannedCase,
  index: number,
  { sender, controls, isDue, isKnown = () => false }: Omit<SendStepParts, 'confirmation'>,
): Promise<SentStep> {
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
  const isDoubtful =
    !control && !isHeldBack(exchange) && mayHaveChanged(exchange) && !due(exchange.result, exchange);
  const { operation = 'none', streamed } = facts;
  const doubtful: Doubtful = {
    exchange,
    drawing,
    control: isOperationId(operation) ? controlStep(controls, operation, streamed === 'true') : undefined,
    isKnown: isKnown(exchange.result),
  };
  return { exchange, doubtful: isDoubtful ? doubtful : undefined };
}

/** Sends one step of a case and keeps its exchange, as it stands now and after it is confirmed. */
async function sendAndKeep(
  item: PlannedCase,
  index: number,
  parts: SendStepParts,
  keep: (exchange: Exchange) => void,
): Promise<Exchange> {
  const { exchange, doubtful } = await sendStep(item, index, parts);
  keep(exchange);
  if (doubtful) parts.confirmation.add(item.id, doubtful, keep);
  return exchange;
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
