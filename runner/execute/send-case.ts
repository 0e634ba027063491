import { isOperationId } from '../catalog/operations.ts';
import type { PlannedCase, PlannedStep } from '../plan/plan.ts';
import {
  type Exchange,
  isExpectedResponse,
  isHeldBack,
  mayHaveChanged,
  succeeded,
} from '../transport/exchange.ts';
import { sendBurst } from './burst.ts';
import type { Confirmation, SuspectResponse } from './confirm.ts';
import { type Controls, controlStep } from './controls.ts';
import { concurrently } from './rate-limiter.ts';
import { type Delivery, deliver, type Sender } from './sender.ts';

/**
 * Sends the steps of a case, one after the other; the same request several times: once, then all others concurrently.
 * `onSent` is called when all of them are over.
 */
export async function sendCase(
  item: PlannedCase,
  sender: Sender,
  confirmation: Confirmation,
  onSent: () => void,
): Promise<void> {
  const { record, stop } = sender;
  if (item.attributes.burst === 'true') {
    await sendBurst(item, sender);
    return onSent();
  }
  if (isRepeated(item)) {
    const { first, others } = repeatedSends(item, sender, confirmation, onSent);
    await first();
    await concurrently(sender.concurrency, others, (send) => send());
    return;
  }
  const own: Exchange[] = [];
  record.ofCase(item, own);
  for (const [index, step] of item.steps.entries()) {
    let hindrance = stop.stopped()?.reason;
    if (hindrance === undefined) {
      const exchange = await deliver(sender, deliveryOf(item, index, step));
      own[index] = exchange;
      confirmation.add(item.id, suspectOf(step, exchange, sender.controls), (confirmed) => {
        own[index] = confirmed;
      });
      hindrance = hindranceOf(step, exchange);
    }
    if (hindrance === undefined) continue;
    record.incomplete(item, hindrance);
    break;
  }
  onSent();
}

/** Why the later steps of a case can't be sent after the exchange of a step. */
function hindranceOf({ control, attributes: facts }: PlannedStep, exchange: Exchange): string | undefined {
  if (isHeldBack(exchange) && exchange.result.kind === 'failure')
    return `Not all of it was sent: ${exchange.result.failure.detail}.`;
  if (control && !succeeded(exchange.result))
    return `A call that must succeed first did not: ${describe(facts)} was answered ${statusOf(exchange)}.`;
  return undefined;
}

/** The request of a step; a retry after one of the expected responses would show nothing new. */
export function deliveryOf(
  item: PlannedCase,
  index: number,
  { attributes: facts, drawing, expects }: PlannedStep,
): Delivery {
  return { id: `${item.id}#${index + 1}`, facts, drawing, drawn: item.drawn, expects };
}

/** What has to be confirmed if a step got a wrong response that may be transient. */
export function suspectOf(
  { attributes: facts, control, drawing, expects }: PlannedStep,
  exchange: Exchange,
  controls: Controls,
): SuspectResponse | undefined {
  const isSuspect =
    !control &&
    !isHeldBack(exchange) &&
    mayHaveChanged(exchange) &&
    !isExpectedResponse(exchange.result, expects);
  if (!isSuspect) return undefined;
  const { operation = 'none', streamed } = facts;
  return {
    exchange,
    drawing,
    control: isOperationId(operation) ? controlStep(controls, operation, streamed === 'true') : undefined,
  };
}

/** Whether all steps of a case are the same request. */
export function isRepeated({ attributes: facts }: PlannedCase): boolean {
  return facts.repeated === 'true';
}

/** The sends of a case whose requests are all the same, which may be done among those of other cases. */
export interface RepeatedSends {
  readonly first: () => Promise<void>;
  /** Each waits for the first: a gateway that keeps its first answer has it by then. */
  readonly others: readonly (() => Promise<void>)[];
}

/** Makes the sends of a case whose requests are all the same; `onSent` is called when all of them are over. */
export function repeatedSends(
  item: PlannedCase,
  sender: Sender,
  confirmation: Confirmation,
  onSent: () => void = () => {},
): RepeatedSends {
  const { record, stop } = sender;
  const sent: Exchange[] = [];
  let left = item.steps.length;
  const send = async (index: number, step: PlannedStep): Promise<void> => {
    // A request that succeeds although it must be refused is a violation already, and each time may be billed.
    const isNeeded = index === 0 || (sent[0] !== undefined && !succeeded(sent[0].result));
    if (!stop.stopped() && isNeeded) {
      const exchange = await deliver(sender, deliveryOf(item, index, step));
      sent[index] = exchange;
      confirmation.add(item.id, suspectOf(step, exchange, sender.controls), (confirmed) => {
        sent[index] = confirmed;
      });
    }
    left -= 1;
    if (left > 0) return;
    if (sent.length < item.steps.length)
      record.incomplete(
        item,
        stop.stopped()?.reason ?? 'The first request succeeded, so it was not sent again.',
      );
    onSent();
  };
  const [sendFirst, ...others] = item.steps.map((step, index) => () => send(index, step));
  let begun: Promise<void> | undefined;
  const first = async (): Promise<void> => {
    if (!begun) record.ofCase(item, sent);
    begun ??= sendFirst?.();
    await begun;
  };
  return {
    first,
    others: others.map((sendOther) => async () => {
      await first();
      await sendOther();
    }),
  };
}

function describe({ operation, key, record, model }: Exchange['attributes']): string {
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
