import { isKeyRejected, needsConfirmation } from '../evidence/attribution.ts';
import { answerOf, type Exchange, mergeTries, succeeded } from '../exchange/exchange.ts';
import type { PlannedStep } from '../plan/plan.ts';
import { forEachConcurrently } from './rate-limiter.ts';
import { type RoundSender, sendRequest } from './sender.ts';
import { createAcceptanceCheck, isKeyStillAccepted } from './watch-lockout.ts';

/** A wrong response that is not judged before the controls that its attribution names confirm the response. */
export interface SuspectResponse {
  readonly exchange: Exchange;
  readonly generated: PlannedStep['generated'];
  /**
   * The control to send again, which shows whether the operation still works; undefined if `findControlStep` finds no
   * control, or if the request belongs to no operation.
   */
  readonly control: PlannedStep | undefined;
  /**
   * Whether the controls are sufficient to confirm the response, so that its request is not sent again. Default: false.
   */
  readonly isKnown?: boolean;
}

/** Confirms suspect responses in groups with common controls, because each control may be billed. */
export interface Confirmation {
  /**
   * Adds a suspect response of a case. Does nothing if `suspect` is undefined. `confirm` later calls `replace` with
   * an exchange that has `controlAfter`.
   */
  readonly add: (
    caseId: string,
    suspect: SuspectResponse | undefined,
    replace: (confirmed: Exchange) => void,
  ) => void;
  /** Returns whether a case has a response that is not confirmed yet. */
  readonly isOpen: (caseId: string) => boolean;
  /** Confirms all responses that were added since the last call. */
  readonly confirm: () => Promise<void>;
}

interface Pending {
  readonly caseId: string;
  readonly suspect: SuspectResponse;
  readonly replace: (confirmed: Exchange) => void;
}

/** The maximum number of requests that are sent again between two controls. */
const betweenControls = 25;

export function createConfirmation(sender: RoundSender): Confirmation {
  const { errors } = sender.context.promise;
  let pending: Pending[] = [];
  return {
    add: (caseId, suspect, replace) => {
      if (suspect) pending.push({ caseId, suspect, replace });
    },
    isOpen: (id) => pending.some(({ caseId }) => caseId === id),
    async confirm() {
      const rejected = pending.filter(({ suspect }) => isKeyRejected(suspect.exchange, errors));
      const all = pending.filter((item) => !rejected.includes(item));
      pending = [];
      await confirmRejected(rejected, sender);
      for (const control of new Set(all.map(({ suspect }) => suspect.control))) {
        const own = all.filter(({ suspect }) => suspect.control === control);
        for (let start = 0; start < own.length; start += betweenControls) {
          const part = own.slice(start, start + betweenControls);
          const confirmed = await confirmTogether(
            part.map(({ suspect }) => suspect),
            control,
            sender,
          );
          for (const [index, { replace }] of part.entries()) {
            const exchange = confirmed[index];
            if (exchange) replace(exchange);
          }
        }
      }
    },
  };
}

/**
 * Sends the control of each operation that rejected the valid key or, if the limit of billable calls is reached, a
 * control that is not billed. If the control fails, only the rejections before the last successful valid request to
 * the same operation are judged, because the key may no longer be valid.
 */
async function confirmRejected(rejected: readonly Pending[], sender: RoundSender): Promise<void> {
  for (const control of new Set(rejected.map(({ suspect }) => suspect.control))) {
    const own = rejected.filter(({ suspect }) => suspect.control === control);
    const id = `${own[0]?.suspect.exchange.id}-control`;
    const isAccepted =
      control !== undefined && !sender.stop.stopped() && (await isKeyStillAccepted(control, id, sender));
    const wasAcceptedAfter = createAcceptanceCheck(sender);
    for (const { suspect, replace } of own) {
      const isProven = isAccepted || wasAcceptedAfter(suspect.exchange);
      replace({ ...suspect.exchange, controlAfter: isProven ? 'succeeded' : 'failed' });
    }
  }
}

/** Confirms one response immediately. Resolves to an exchange that has `controlAfter`. */
export async function confirmOne(suspect: SuspectResponse, sender: RoundSender): Promise<Exchange> {
  const [confirmed] = await confirmTogether([suspect], suspect.control, sender);
  return confirmed ?? suspect.exchange;
}

/**
 * Sends a control. If the control succeeds, sends the requests without `isKnown` again, and then the control a second
 * time if any response still needs confirmation. Sets `controlAfter` of all exchanges. If both controls succeed, an
 * outage is not the reason for a wrong response. If a control fails, the responses prove nothing.
 */
async function confirmTogether(
  suspect: readonly SuspectResponse[],
  control: PlannedStep | undefined,
  sender: RoundSender,
): Promise<readonly Exchange[]> {
  const exchanges = suspect.map(({ exchange }) => exchange);
  const sendControl = async (): Promise<boolean> => {
    const [first] = exchanges;
    if (!control || !first || sender.stop.stopped()) return false;
    const exchange = await sendRequest(sender, {
      id: `${first.id}-control`,
      attributes: control.attributes,
      isExtra: true,
    });
    sender.record.addOther(exchange);
    return succeeded(exchange.result);
  };
  const conclude = (controlAfter: 'succeeded' | 'failed'): Exchange[] =>
    exchanges.map((exchange) => ({ ...exchange, controlAfter }));
  if (!(await sendControl())) return conclude('failed');
  const open = [...suspect.entries()].filter(([, { isKnown }]) => !isKnown);
  await forEachConcurrently(sender.concurrency, open, async ([index, item]) => {
    exchanges[index] = await sendAgain(item, sender);
  });
  const mustConfirm = exchanges.some((exchange) =>
    needsConfirmation(exchange, sender.context.promise.errors),
  );
  return conclude(mustConfirm && !(await sendControl()) ? 'failed' : 'succeeded');
}

const maxResends = 4;

/**
 * Sends a suspect request again, up to four times, until its response is no longer suspect. Together with the usual
 * two retries, a request that gets neither a 429 nor a 503 with Retry-After is sent at most seven times. If a gateway
 * returns 503 to one request in ten, one of a thousand requests gets 503 three times in a row. If a model is
 * available two times out of three, one of two thousand calls fails seven times in a row. A request that got a 429
 * was already retried after pauses, so the request is not sent again. After a failure, the request is sent again only
 * if the connection was refused, or was closed before the end of the response.
 */
async function sendAgain({ exchange, generated }: SuspectResponse, sender: RoundSender): Promise<Exchange> {
  let current = exchange;
  const mayRecover = (): boolean => {
    const { result } = current;
    if (result.kind === 'failure')
      return (
        result.failure.isUnanswered === true ||
        result.failure.cutStatus !== undefined ||
        result.failure.reason === 'refused'
      );
    return needsConfirmation(current, sender.context.promise.errors) && result.answer.status !== 429;
  };
  for (let resends = 0; resends < maxResends && mayRecover(); resends += 1) {
    const { id, attributes, generatedRequest } = exchange;
    const again = await sendRequest(sender, {
      id,
      attributes,
      generated,
      generatedRequest,
      retries: 'limited',
    });
    // The retries themselves may exceed a rate limit of the gateway. The response before these retries still
    // counts.
    if (answerOf(again)?.status === 429 && answerOf(current))
      return { ...current, earlier: [...current.earlier, again.result] };
    current = mergeTries(current, again);
  }
  return current;
}
