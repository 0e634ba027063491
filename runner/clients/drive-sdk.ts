import type { ConnectionOptions } from '../send/connection-options.ts';
import type { CapturedExchange } from '../traffic/proxy/capture.ts';
import { openProxy } from '../traffic/proxy/open-proxy.ts';
import type { Access, LoadedSdk, MissingPart, SdkError } from './sdk.ts';

/** The outcome of an SDK call: the SDK returned a result or raised an error, or the call was stopped before its end. */
export type DriveOutcome =
  | { readonly kind: 'returned'; readonly missing: MissingPart }
  | { readonly kind: 'raised'; readonly error: SdkError }
  | { readonly kind: 'unfinished'; readonly reason: string };

/** The outcome of an SDK call, with the exchanges of the SDK in order. */
export interface DriveResult {
  readonly outcome: DriveOutcome;
  readonly exchanges: readonly CapturedExchange[];
}

/** The time limit of an SDK call, including its retries and their pauses, in milliseconds. */
const timeoutMs = 120_000;
/** The maximum time to wait for the end of the exchanges after the end of the SDK call, in milliseconds. */
const settleMs = 1_000;

/**
 * Makes a call with an SDK through a new proxy, which captures every exchange. An error that the SDK throws is an
 * outcome, not a rejection.
 */
export async function driveSdk(
  sdk: LoadedSdk,
  target: { readonly baseUrl: string; readonly connection: ConnectionOptions } & Pick<
    Access,
    'key' | 'headers' | 'signal'
  >,
  act: (access: Access) => Promise<MissingPart>,
): Promise<DriveResult> {
  const exchanges: CapturedExchange[] = [];
  const proxy = await openProxy({
    baseUrl: target.baseUrl,
    connection: target.connection,
    port: 0,
    onExchange: (exchange) => void exchanges.push(exchange),
  });
  const signal = AbortSignal.any([target.signal, AbortSignal.timeout(timeoutMs)]);
  const { key, headers } = target;
  const outcome = await Promise.race([
    waitForAbort(signal, target.signal),
    act({ url: proxy.url, key, headers, signal }).then(
      (missing): DriveOutcome => ({ kind: 'returned', missing }),
      (error: unknown): DriveOutcome => ({ kind: 'raised', error: sdk.describe(error) }),
    ),
  ]);
  const until = performance.now() + settleMs;
  while (proxy.countActive() > 0 && outcome.kind !== 'unfinished' && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await proxy.close();
  return { outcome, exchanges };
}

function waitForAbort(signal: AbortSignal, outer: AbortSignal): Promise<DriveOutcome> {
  const createOutcome = (): DriveOutcome => ({
    kind: 'unfinished',
    reason: outer.aborted
      ? 'The run was interrupted.'
      : `The SDK call did not end within ${timeoutMs / 1000} s.`,
  });
  return new Promise((resolve) => {
    if (signal.aborted) resolve(createOutcome());
    else signal.addEventListener('abort', () => resolve(createOutcome()), { once: true });
  });
}
