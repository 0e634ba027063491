import type { PlannedCase } from '../plan/plan.ts';
import { answerOf, type Exchange, isTransientResult } from '../transport/exchange.ts';
import { forEachConcurrently } from './rate-limiter.ts';
import { type RoundSender, sendRequest } from './sender.ts';

/** The number of concurrent requests of a burst. */
const concurrency = 16;

/**
 * Sends the requests of the profile's rate limit within its time, and stops at the first 429. Requests with a 5xx or without
 * a response may not count for the limit, so others replace them, up to twice the number; if all of a round fail, no more
 * are sent. A burst with too few responses proves nothing, so its case is incomplete.
 */
export async function sendBurst(item: PlannedCase, sender: RoundSender): Promise<void> {
  const { record } = sender;
  const { rateLimit } = sender.context.profile;
  const [step] = item.steps;
  if (!rateLimit || !step) {
    record.setCase(item, []);
    return record.markIncomplete(item, 'The profile has no `rateLimit`.');
  }
  const sent: { readonly index: number; readonly exchange: Exchange }[] = [];
  const end = performance.now() + rateLimit.withinMs;
  let limited = false;
  const one = async (index: number): Promise<void> => {
    if (limited || performance.now() > end || sender.stop.stopped()) return;
    const exchange = await sendRequest(sender, {
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
    await forEachConcurrently(concurrency, [...Array(round).keys()], (index) => one(before + index));
    const failed = sent.slice(before).filter(({ exchange }) => isTransientResult(exchange.result)).length;
    const room = 2 * rateLimit.requests - sent.length;
    if (limited || failed === 0 || failed >= round || room <= 0) break;
    round = Math.min(failed, room);
  }
  const exchanges = sent.sort((a, b) => a.index - b.index).map(({ exchange }) => exchange);
  const answered = exchanges.filter((exchange) => answerOf(exchange)).length;
  const enough = limited || answered >= rateLimit.requests;
  record.setCase(item, exchanges);
  const reason = `Only ${answered} of ${rateLimit.requests} requests got a response within the time of \`rateLimit\`.`;
  if (!enough) record.markIncomplete(item, reason);
}
