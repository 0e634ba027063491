import { isSuspectedOfGuard } from '../evidence/attribution.ts';
import type { Result } from '../exchange/exchange.ts';
import { isBadKey } from '../plan/estimate.ts';
import { onNewConnection, type RequestToSend, type RoundSender, sendRequest } from './sender.ts';

/** The number of times that a new connection must show the same, with or without a guard. */
const confirmations = 3;

/**
 * Returns a sender that detects a guard in front of the gateway that blocks a connection after a wrong key. The
 * responses of a guard say nothing about the gateway. Therefore, a request with the first such responses is sent twice
 * over one new connection. If each time only the second response is the suspicious one, these responses are not used:
 * their requests are sent again over a new connection. Another order shows a gateway, or one of its nodes, that differs.
 */
export function watchForBlockedConnections(sender: RoundSender): RoundSender {
  if (!sender.transport.openConnection) return sender;
  const { isMisread: _watched, ...alone } = sender;
  let isBlocking = false;
  let isRuledOut = false;
  const examine = async (result: Result, delivery: RequestToSend): Promise<void> => {
    const isSame = (again: Result): boolean =>
      again.kind === 'answer' && statusOf(again) === statusOf(result);
    const extra: RequestToSend = { ...delivery, isExtra: true, retries: 'none' };
    for (let time = 0; time < confirmations; time += 1) {
      const [first, second] = await onNewConnection(alone, async (own) => [
        (await sendRequest(own, extra)).result,
        (await sendRequest(own, extra)).result,
      ]);
      if (!first || !second || first.kind === 'failure' || isSame(first) || !isSame(second)) {
        isRuledOut = true;
        return;
      }
    }
    isBlocking = true;
  };
  let examined: Promise<void> | undefined;
  return {
    ...sender,
    async isMisread(result, delivery) {
      if (await sender.isMisread?.(result, delivery)) return true;
      const { attributes, unlimited } = delivery;
      if (!isSuspectedOfGuard(result)) return false;
      if (!isBlocking && !isRuledOut && !unlimited && isBadKey(attributes)) {
        examined ??= examine(result, delivery);
        await examined;
      }
      return isBlocking;
    },
  };
}

function statusOf(result: Result): number | undefined {
  return result.kind === 'answer' ? result.answer.status : undefined;
}
