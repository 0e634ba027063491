import { makeBudget } from '../execute/budget.ts';
import type { Sender } from '../execute/deliver.ts';
import { defaultPatience, makePace } from '../execute/rate-limiter.ts';
import type { Estimate } from '../plan/estimate.ts';
import type { Profile } from '../profile/profile.ts';
import type { DescribeContext } from '../report/describe-exchange.ts';
import { makeLiveRedact } from '../report/redaction/redact.ts';
import type { BuildContext } from '../request/build-request.ts';
import { makeKeys } from '../request/keys.ts';
import { makeDraw } from '../request/unique-name.ts';
import { makeStopSwitch, type StopSwitch } from '../transport/deadline.ts';
import { defaultLimits, openTransport } from '../transport/http.ts';
import type { EngineOptions } from './engine-options.ts';

/** Requests at once where nothing is said. */
export const usualConcurrency = 8;

/** The line of a run to its gateway: what is sent by, with which keys, and how that is told without them. */
export interface Line {
  readonly keys: BuildContext['keys'];
  readonly stop: StopSwitch;
  readonly sender: Omit<Sender, 'context'>;
  readonly describing: DescribeContext;
  /** Ends all time limits and connections. */
  readonly close: () => Promise<void>;
}

/** Opens the line to a gateway, for a run that plans so much; `onExchange` is called with every exchange when it is over. */
export function openLine(
  profile: Profile,
  options: EngineOptions,
  planned: Estimate,
  onExchange: Sender['onExchange'],
): Line {
  const { concurrency = usualConcurrency, limits = defaultLimits, maxBillable, perSecond } = options;
  const keys = makeKeys(profile.keys, {
    draw: makeDraw(options.seed),
    others: options.otherKeys,
    secrets: profile.secrets,
  });
  const stop = makeStopSwitch(options.signal, options.maxMs);
  const { signal } = stop;
  const transport =
    options.transport ??
    openTransport(profile.baseUrl, { connections: concurrency, limits, reach: options.reach, signal });
  return {
    keys,
    stop,
    sender: {
      transport,
      stop,
      pace: makePace(options.patience ?? defaultPatience, {
        perSecond,
        atOnce: concurrency,
        signal,
        onWait: (wait) => options.onEvent?.({ kind: 'wait', wait }),
      }),
      budget: maxBillable === undefined ? undefined : makeBudget(maxBillable, planned.billable),
      onExchange,
    },
    describing: {
      baseUrl: profile.baseUrl,
      redact: makeLiveRedact(keys.secrets),
      keyVariables: profile.keyVariables,
    },
    close: async () => {
      stop.release();
      await transport.close();
    },
  };
}
