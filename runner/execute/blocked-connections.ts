import { isBadKey } from '../plan/estimate.ts';
import type { Result } from '../transport/exchange.ts';
import { isSuspectedOfGuard } from './lockout.ts';
import { onNewConnection, type RequestToSend, type RoundSender, sendRequest } from './sender.ts';

/** The number of responses that a new connection must confirm before the gateway counts as their author. */
const confirmations = 3;

/**
 * Returns a sender that detects a guard in front of the gateway that blocks a connection after a wrong key. Its
 * responses say nothing about the gateway. Therefore, the first such responses are compared with the response to the
 * same request over a new connection. If a response differs, this response and all similar ones are not used: their
 * requests are sent again over a new connection.
 */
export function watchForBlockedConnections(sender: RoundSender): RoundSender {
  if (!sender.transport.openConnection) return sender;
  const { isMisread: _watched, ...alone } = sender;
  let isBlocking = false;
  let confirmed = 0;
  const compare = async (result: Result, delivery: RequestToSend): Promise<void> => {
    const again = await onNewConnection(alone, (own) =>
      sendRequest(own, { ...delivery, isExtra: true, retries: 'none' }),
    );
    if (statusOf(again.result) === statusOf(result)) confirmed += 1;
    else isBlocking = true;
  };
  return {
    ...sender,
    async isMisread(result, delivery) {
      if (await sender.isMisread?.(result, delivery)) return true;
      const { attributes, unlimited } = delivery;
      if (!isSuspectedOfGuard(result)) return false;
      const isOpen = !isBlocking && !unlimited && confirmed < confirmations;
      if (isOpen && isBadKey(attributes)) await compare(result, delivery);
      return isBlocking;
    },
  };
}

function statusOf(result: Result): number | undefined {
  return result.kind === 'answer' ? result.answer.status : undefined;
}
