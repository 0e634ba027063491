import type { PlannedCase } from '../plan/plan.ts';
import { concurrently } from './concurrently.ts';
import { deliver, type Sender } from './deliver.ts';
import { answerOf, type Exchange } from './exchange.ts';

/** What a burst brought, and why it proves nothing where too few of its requests were answered. */
export interface Burst {
  readonly exchanges: readonly Exchange[];
  readonly incomplete: string | undefined;
}

/** How many requests of a burst are under way at once. */
const atOnce = 16;

/** Sends as many requests as the profile states, within its time, and stops at the first 429. */
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
  await concurrently(atOnce, [...Array(rateLimit.requests).keys()], one);
  const exchanges = sent.sort((a, b) => a.index - b.index).map(({ exchange }) => exchange);
  const answered = exchanges.filter((exchange) => answerOf(exchange)).length;
  const enough = limited || answered >= rateLimit.requests;
  const reason = `Only ${answered} of ${rateLimit.requests} requests were answered in the stated time.`;
  return { exchanges, incomplete: enough ? undefined : reason };
}
