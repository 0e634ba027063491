import { defaultRetryPolicy } from '../exchange/retry-policy.ts';
import type { Estimate } from '../plan/estimate.ts';
import type { Profile } from '../profile/profile.ts';
import type { DescribeContext } from '../report/describe-exchange.ts';
import { createLiveRedact } from '../report/redaction/redact.ts';
import type { BuildContext } from '../request/build-request.ts';
import { createNameSource, deriveKeys } from '../request/keys.ts';
import { createBillingBudget } from '../send/budget.ts';
import { createChangeGateway } from '../send/change-gateway.ts';
import { openTransport } from '../send/http.ts';
import { createRateLimiter, type Wait } from '../send/rate-limiter.ts';
import { type Connection, createUnreadBodies } from '../send/sender.ts';
import { createStopSwitch } from '../send/stop-switch.ts';
import type { CompleteOptions } from './options.ts';

/**
 * The session of a run with its gateway: the connection, the keys, and the context for describing exchanges in reports.
 */
export interface Session {
  readonly connection: Connection;
  readonly keys: BuildContext['keys'];
  readonly describing: DescribeContext;
  /** Stops all timers and closes all connections. */
  readonly close: () => Promise<void>;
}

/**
 * Opens the session of a run. `planned` is the estimate of the run, which determines the calls that a billing budget
 * reserves. `onExchange` is called with each exchange, including exchanges whose request was not sent.
 */
export function openSession(
  profile: Profile,
  options: CompleteOptions,
  planned: Estimate,
  onExchange: Connection['onExchange'],
): Session {
  const { concurrency, reach, maxBillable, perSecond, retryPolicy = defaultRetryPolicy } = options;
  const { timeoutMs: total = profile.timeouts.total, timeoutMs: success = profile.timeouts.success } =
    options;
  const limits = { ...profile.timeouts, total, success, bodyBytes: options.maxBodyBytes };
  const keys = deriveKeys(profile.keys, {
    nameSource: createNameSource(options.nameSeed),
    others: options.otherKeys,
    secrets: profile.secrets,
  });
  const onWait = (wait: Wait): void => options.onEvent?.({ kind: 'wait', wait });
  const stop = createStopSwitch(options.signal, options.maxMs);
  const { signal } = stop;
  const transport =
    options.transport ?? openTransport(profile.baseUrl, { connections: concurrency, limits, reach, signal });
  const changesGateway = options.change === undefined && Object.keys(profile.setup.calls).length > 0;
  // A stop does not abort the requests of this transport, so that the run can delete the created keys and top up
  // drained accounts.
  const administration = changesGateway
    ? openTransport(profile.baseUrl, { connections: 1, limits, reach })
    : transport;
  return {
    connection: {
      transport,
      stop,
      concurrency,
      rateLimiter: createRateLimiter(retryPolicy, {
        perSecond,
        atOnce: concurrency,
        obeysStated: options.safe,
        signal,
        onWait,
      }),
      budget: maxBillable === undefined ? undefined : createBillingBudget(maxBillable, planned.billable),
      onExchange,
      onWait,
      latePausesMs: options.latePausesMs,
      change: options.change ?? createChangeGateway(profile, administration),
      unreadBodies: createUnreadBodies(),
    },
    keys,
    describing: {
      baseUrl: profile.baseUrl,
      redact: createLiveRedact(keys.secrets),
      keyVariables: profile.keyVariables,
    },
    close: async () => {
      stop.release();
      await Promise.all([...new Set([transport, administration])].map((open) => open.close()));
    },
  };
}
