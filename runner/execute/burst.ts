import type { PlannedCase } from '../plan/plan.ts';
import { answerOf, type Exchange, isTransient } from '../transport/exchange.ts';
import { concurrently } from './rate-limiter.ts';
import { deliver, type Sender } from './sender.ts';

/** How many requests of a burst are under way at the same time. */
const atOnce = 16;

/**
 * Sends as many requests as the profile states, within its time, and stops at the first 429. Requests that got a 5xx or no
 * response are replaced by others, up to twice the number, since the limit may not have counted them; if all of these
 * fail too, no more are sent. A burst with too few responses proves nothing, so its case is recorded as incomplete.
 */
export async function sendBurst(item: PlannedCase, sender: Sender): Promise<void> {
  const { record } = sender;
  const { rateLimit } = sender.context.profile;
  const [step] = item.steps;
  if (!rateLimit || !step) {
    record.ofCase(item, []);
    return record.incomplete(item, 'No frequency is stated.');
  }
  const sent: { readonly index: number; readonly exchange: Exchange }[] = [];
  const end = performance.now() + rateLimit.withinMs;
  let limited = false;
  const one = async (index: number): Promise<void> => {
    if (limited || performance.now() > end || sender.stop.stopped()) return;
    const exchange = await deliver(sender, {
      id: `${item.id}#${index + 1}`,
      facts: step.attributes,
      once: true,
      unlimited: true,
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
  record.ofCase(item, exchanges);
  const reason = `Only ${answered} of ${rateLimit.requests} requests were answered in the stated time.`;
  if (!enough) record.incomplete(item, reason);
}
