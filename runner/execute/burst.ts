import type { PlannedCase } from '../plan/plan.ts';
import { concurrently } from '../transport/concurrently.ts';
import { answerOf, type Exchange, isTransient } from '../transport/exchange.ts';
import { deliver, type Sender } from './deliver.ts';

/** What a burst brought, and why it proves nothing where too few of its requests were answered. */
export interface Burst {
  readonly exchanges: readonly Exchange[];
  readonly incomplete: string | undefined;
}

/** How many requests of a burst are under way at once. */
const atOnce = 16;

/**
 * Sends as many requests as the profile states, within its time, and stops at the first 429. For those that met 5xx or
 * no answer others are sent in their place, twice as many requests at most, since what never came to the limit isn't
 * counted by it; where all of these fare the same, no more are sent.
 */
export async function sendBurst(item: PlannedCase, sender: Sender, goesOn: () => boolean): Promise<Burst> {
  const { rateLimit } = sender.context.profile;
  const [step] = item.steps;
  if (!rateLimit || !step) return { exchanges: [], incomplete: 'No frequency is stated.' };
  const sent: { readonly index: number; readonly exchange: Exchange }[] = [];
  const end = performance.now() + rateLimit.withinMs;
  let limited = false;
  const one = async (index: number): Promise<void> => {
    if (limited || performance.now() > end || !goesOn()) return;
    const exchange = await deliver(sender, {
      id: `${item.id}#${index + 1}`,
      facts: step.facts,
      atOnce: true,
    });
    sent.push({ index, exchange });
    limited ||= answerOf(exchange)?.status === 429;
  };
  for (let round = rateLimit.requests; ; ) {
    const before = sent.length;
    await concurrently(atOnce, [...Array(round).keys()], (index) => one(before + index));
    const failed = sent.slice(before).filter(({ exchange }) => isTransient(exchange.result)).length;
    const room = 2 * rateLimit.requests - sent.length;
    if (limited || failed === 0 || failed >= round || room <= 0) break;
    round = Math.min(failed, room);
  }
  const exchanges = sent.sort((a, b) => a.index - b.index).map(({ exchange }) => exchange);
  const answered = exchanges.filter((exchange) => answerOf(exchange)).length;
  const enough = limited || answered >= rateLimit.requests;
  const reason = `Only ${answered} of ${rateLimit.requests} requests were answered in the stated time.`;
  return { exchanges, incomplete: enough ? undefined : reason };
}
