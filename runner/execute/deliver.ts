import type { Facts } from '../catalog/condition.ts';
import type { Drawing } from '../plan/generation.ts';
import { type BuildContext, type BuiltRequest, buildRequest } from '../request/build-request.ts';
import type { StopSwitch } from '../transport/deadline.ts';
import {
  type DrawnRequest,
  type Exchange,
  isTransient,
  lastResponse,
  type Result,
  saysUnavailable,
} from '../transport/exchange.ts';
import type { Transport } from '../transport/http.ts';
import type { Budget } from './budget.ts';
import type { Pace } from './rate-limiter.ts';

/** What sending needs; shared by all cases of a run. */
export interface Sender {
  readonly transport: Transport;
  readonly pace: Pace;
  readonly budget: Budget | undefined;
  readonly stop: StopSwitch;
  readonly context: BuildContext;
  /** Told of every exchange when it is over. */
  readonly onExchange: (exchange: Exchange) => void;
}

/** One request to be sent. */
export interface Delivery {
  readonly id: string;
  readonly facts: Facts;
  readonly drawing?: Drawing | undefined;
  readonly drawn?: DrawnRequest | undefined;
  /** Whether the result is what is due, so that even a 5xx is not sent again. */
  readonly isDue?: (result: Result, built: BuiltRequest) => boolean;
  /** Not in the plan, as a good call that confirms a failure: it must leave enough of a budget for those that are. */
  readonly isExtra?: boolean;
  /** Part of a burst: neither held back nor sent again. */
  readonly atOnce?: boolean;
}

/** Sends a request, again after a pause while it meets 429, 5xx or no answer, and says what came of it. */
export async function deliver(sender: Sender, delivery: Delivery): Promise<Exchange> {
  const { facts } = delivery;
  const built = buildRequest(facts, sender.context, delivery);
  const patient = facts.request === 'valid' && facts.accepted === 'true' && facts.key === 'good';
  const tries: Result[] = [];
  const startedAt = Date.now();
  const start = performance.now();
  for (;;) {
    const leave = delivery.atOnce ? undefined : await sender.pace.enter();
    const result = await sendOnce(sender, delivery, () => sender.transport.send(built.request, { patient }));
    leave?.();
    tries.push(result);
    if (delivery.atOnce || !mayPass(result, facts) || delivery.isDue?.(result, built)) break;
    if (!(await sender.pace.beforeRetry(result, tries.length - 1))) break;
  }
  const exchange: Exchange = {
    id: delivery.id,
    facts,
    model: built.model,
    request: built.request,
    ...lastResponse(tries),
    startedAt,
    durationMs: performance.now() - start,
    controlAfter: undefined,
    ...(delivery.drawn && { drawn: delivery.drawn }),
  };
  sender.onExchange(exchange);
  return exchange;
}

/** Sends a request if the budget allows it. */
async function sendOnce(
  { budget }: Sender,
  { facts, isExtra = false }: Delivery,
  send: () => Promise<Result>,
): Promise<Result> {
  if ((await budget?.take(facts, isExtra)) === false) {
    const detail = 'it was not sent, because the calls that may be billed are used up';
    return { kind: 'failure', failure: { reason: 'held-back', detail } };
  }
  const result = await send();
  budget?.settle(facts, isExtra, result);
  return result;
}

/** Whether the same request may be answered otherwise later; a model that exists may be unavailable for a while. */
function mayPass(result: Result, { model }: Facts): boolean {
  return isTransient(result) || (model !== 'unlisted' && model !== 'none' && saysUnavailable(result));
}
