import { evaluate } from '../catalog/condition.ts';
import { answerOf, type Exchange } from '../exchange/exchange.ts';
import { readAnswer } from '../exchange/reading.ts';
import { checkResponse, type JudgeContext } from './check-response.ts';
import { isSatisfied } from './finding.ts';

/**
 * Whether the gateway may limit the calls of an account, so that a 429 says nothing about the balance of the account:
 * the response is a 429 that does not name the balance, and another call of the account without a balance got its
 * required response. The account of a key that the run created is another account than that of the profile's key. If no
 * such call ever got this response, the 429 stands in its place. `sent` returns all exchanges.
 */
export function mayHaveLimitedAccount(
  exchange: Exchange,
  sent: () => readonly Exchange[],
  context: JudgeContext,
): boolean {
  const { about } = readAnswer(exchange, context.promise.errors);
  if (answerOf(exchange)?.status !== 429 || about === 'account') return false;
  const { key, lifecycle = 'none' } = exchange.attributes;
  const own = context.promise.requirements.filter(({ transient }) => transient === 'judged');
  return sent().some((other) => {
    const answer = answerOf(other);
    return (
      answer !== undefined &&
      other.attributes.key === key &&
      (other.attributes.lifecycle ?? 'none') === lifecycle &&
      own.some(
        ({ when, then }) =>
          evaluate(when, other.attributes) === true &&
          isSatisfied(checkResponse(then, other, answer, context)),
      )
    );
  });
}

/** The reason why a 429 from a gateway that may limit the calls of an account proves nothing. */
export const accountLimitReason =
  'The last response was 429. Other calls of this account got the required response, so the gateway may limit the calls of the account.';
