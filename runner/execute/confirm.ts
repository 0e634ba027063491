import type { PlannedStep } from '../plan/plan.ts';
import { afterEarlier, answerOf, type Exchange, mayHaveChanged, succeeded } from '../transport/exchange.ts';
import { concurrently } from './rate-limiter.ts';
import { deliver, type Sender } from './sender.ts';

/** A wrong response that may be transient: a 5xx, a 429, no response, or a model or balance that is gone. */
export interface SuspectResponse {
  readonly exchange: Exchange;
  readonly drawing: PlannedStep['drawing'];
  /** The good call that shows whether the gateway works; undefined if there is none. */
  readonly control: PlannedStep | undefined;
  /** The same request got the same response before, so it is not sent again. */
  readonly isKnown?: boolean;
}

/** Confirms suspect responses together, since each good call may be billed. */
export interface Confirmation {
  /** Adds a response of a case, if there is doubt; `replace` is called with the exchange as the confirmation leaves it. */
  readonly add: (
    caseId: string,
    suspect: SuspectResponse | undefined,
    replace: (confirmed: Exchange) => void,
  ) => void;
  /** Whether a case has a response that is still to be confirmed. */
  readonly isOpen: (caseId: string) => boolean;
  /** Confirms all that were added since the last call. */
  readonly confirm: () => Promise<void>;
}

/** So many requests are sent again between two good calls. */
const betweenControls = 25;

/** Starts with nothing to confirm. */
export function makeConfirmation(sender: Sender): Confirmation {
  let pending: {
    readonly caseId: string;
    readonly suspect: SuspectResponse;
    readonly replace: (confirmed: Exchange) => void;
  }[] = [];
  return {
    add: (caseId, suspect, replace) => {
      if (suspect) pending.push({ caseId, suspect, replace });
    },
    isOpen: (id) => pending.some(({ caseId }) => caseId === id),
    async confirm() {
      const all = pending;
      pending = [];
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

/** Confirms one response right away. */
export async function confirmOne(suspect: SuspectResponse, sender: Sender): Promise<Exchange> {
  const [confirmed] = await confirmTogether([suspect], suspect.control, sender);
  return confirmed ?? suspect.exchange;
}

/**
 * Sends requests again between two good calls. What stays wrong while both succeed is no outage; if one of them fails,
 * nothing is known.
 */
async function confirmTogether(
  suspect: readonly SuspectResponse[],
  control: PlannedStep | undefined,
  sender: Sender,
): Promise<readonly Exchange[]> {
  const exchanges = suspect.map(({ exchange }) => exchange);
  const call = async (): Promise<boolean> => {
    const [first] = exchanges;
    if (!control || !first || sender.stop.stopped()) return false;
    const exchange = await deliver(sender, {
      id: `${first.id}-control`,
      facts: control.attributes,
      isExtra: true,
    });
    sender.record.ofNone(exchange);
    return succeeded(exchange.result);
  };
  const concluded = (controlAfter: 'succeeded' | 'failed'): Exchange[] =>
    exchanges.map((exchange) => ({ ...exchange, controlAfter }));
  if (!(await call())) return concluded('failed');
  const open = [...suspect.entries()].filter(([, { isKnown }]) => !isKnown);
  await concurrently(sender.concurrency, open, async ([index, item]) => {
    exchanges[index] = await sendAgain(item, sender);
  });
  const mustConfirm = exchanges.some(mayHaveChanged);
  return concluded(mustConfirm && !(await call()) ? 'failed' : 'succeeded');
}

/** How often a request is sent again, without a pause, while its result may be transient. */
const mostAgain = 4;

/**
 * Of a thousand requests to a gateway that answers one in ten 503, one meets it three times in a row, and of two thousand
 * calls of a model that is there two times in three, one misses it seven times. A 429 asks for fewer requests, not more.
 */
async function sendAgain({ exchange, drawing }: SuspectResponse, sender: Sender): Promise<Exchange> {
  let current = exchange;
  const mayPass = (): boolean =>
    mayHaveChanged(current) && ![undefined, 429].includes(answerOf(current)?.status);
  for (let round = 0; round < mostAgain && mayPass(); round += 1) {
    const { id, attributes: facts, drawn } = exchange;
    const again = await deliver(sender, { id, facts, drawing, drawn, once: true });
    current = afterEarlier(current, again);
  }
  return current;
}
