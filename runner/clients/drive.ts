import { openProxy } from '../proxy/open-proxy.ts';
import type { Passed } from '../proxy/passed.ts';
import type { Reach } from '../send/reach.ts';
import type { Access, Missing, OpenSdk, SeenError } from './sdk.ts';

/** What came of something that a user did with an SDK. */
export type Came =
  | { readonly kind: 'given'; readonly missing: Missing }
  | { readonly kind: 'raised'; readonly error: SeenError }
  | { readonly kind: 'unfinished'; readonly reason: string };

/** That, and the requests that the SDK made for it, in their order. */
export interface Driven {
  readonly came: Came;
  readonly passed: readonly Passed[];
}

/** The most that an act of an SDK may take, its retries and their pauses included, in milliseconds. */
const longestMs = 120_000;
/** How long the end of an exchange is waited for after the SDK is done with it. */
const settleMs = 1_000;

/** Lets an SDK act through a proxy of its own, so that every request it makes is seen; never rejects for what an SDK does. */
export async function drive(
  sdk: OpenSdk,
  target: { readonly baseUrl: string; readonly reach: Reach } & Pick<Access, 'key' | 'headers' | 'signal'>,
  act: (access: Access) => Promise<Missing>,
): Promise<Driven> {
  const passed: Passed[] = [];
  const proxy = await openProxy({
    baseUrl: target.baseUrl,
    reach: target.reach,
    port: 0,
    onExchange: (item) => void passed.push(item),
  });
  const signal = AbortSignal.any([target.signal, AbortSignal.timeout(longestMs)]);
  const { key, headers } = target;
  const came = await Promise.race([
    unfinished(signal, target.signal),
    act({ url: proxy.url, key, headers, signal }).then(
      (missing): Came => ({ kind: 'given', missing }),
      (error: unknown): Came => ({ kind: 'raised', error: sdk.describe(error) }),
    ),
  ]);
  const until = performance.now() + settleMs;
  while (proxy.underWay() > 0 && came.kind !== 'unfinished' && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await proxy.close();
  return { came, passed };
}

function unfinished(signal: AbortSignal, outer: AbortSignal): Promise<Came> {
  const came = (): Came => ({
    kind: 'unfinished',
    reason: outer.aborted ? 'The run was interrupted.' : `The SDK was not done after ${longestMs / 1000} s.`,
  });
  return new Promise((resolve) => {
    if (signal.aborted) resolve(came());
    else signal.addEventListener('abort', () => resolve(came()), { once: true });
  });
}
