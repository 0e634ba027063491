import type { RetryPolicy } from '../exchange/retry-policy.ts';
import type { JudgedCase } from '../judge/judge-cases.ts';
import type { Selection } from '../plan/select.ts';
import { longestDuration } from '../profile/header.ts';
import { UsageError } from '../profile/profile.ts';
import type { ChangeGateway } from '../send/change-gateway.ts';
import { defaultLimits, type Limits } from '../send/deadline.ts';
import type { Transport } from '../send/http.ts';
import type { ConnectionOptions } from '../send/pool.ts';
import type { Connection } from '../send/sender.ts';
import type { EngineEvent } from './run-event.ts';

/**
 * The options of a run. Times are in milliseconds. If a value is out of range, the run rejects with a `UsageError` and
 * sends nothing.
 */
export interface RunOptions {
  /** The cases to send. Default: all planned cases. */
  readonly selection?: Partial<Selection>;
  /**
   * Patterns of listed models to test in addition to the models of the profile. `['all']` selects all listed models.
   * Default: no listed models are tested.
   */
  readonly models?: readonly string[] | undefined;
  /**
   * The maximum number of listed models that `models` may select, from 1. If it selects more, the run rejects with a
   * `UsageError`. Default: 100.
   */
  readonly maxModels?: number | undefined;
  /**
   * The number of rounds, from 1. Each round sends every case once, but only the last round sends a burst. Default: 1.
   */
  readonly repeat?: number | undefined;
  /**
   * Whether all cases of each scenario are sent, instead of a selection in which every pair of values occurs.
   * Default: false.
   */
  readonly thorough?: boolean;
  /**
   * Whether the run is safe for a gateway in production. A safe run sends no burst and at most one wrong key to each
   * operation, does not use `setup`, and makes no billable calls except the controls. Default: false.
   */
  readonly safe?: boolean;
  /** The maximum number of concurrent requests, from 1. Default: 8, or 2 with `safe`. */
  readonly concurrency?: number | undefined;
  /**
   * The maximum number of requests per second, from 1/60. The limit does not apply to the requests of `setup`, nor to
   * the requests that are sent while a key is deleted. With this limit, no burst is sent. Default: no limit, or 5 with
   * `safe`.
   */
  readonly perSecond?: number | undefined;
  /** The limits of each exchange. Default of each property: its value in `defaultLimits`. */
  readonly limits?: Partial<Limits>;
  /**
   * The trusted certificates, and the proxy. Default: the certificates of Node.js, and no proxy. The environment
   * variables of proxies, such as `HTTPS_PROXY`, are not read.
   */
  readonly reach?: ConnectionOptions | undefined;
  /** The maximum time to wait for a gateway that is still starting. Default: 0. */
  readonly waitMs?: number | undefined;
  /**
   * The maximum duration of the run. After this time, the run stops, and its report contains the results so far.
   * Default: no limit.
   */
  readonly maxMs?: number | undefined;
  /**
   * The maximum number of calls that may be billed. Cases beyond this limit are not sent. The run rejects with a
   * `UsageError` if the controls exceed the limit, and, with `models`, if all planned cases together exceed the
   * limit. If the gateway accepts requests that must be rejected, the run can exceed the limit by up to three calls.
   * Default: no limit.
   */
  readonly maxBillable?: number | undefined;
  /**
   * Whether the commands of `setup` in the profile may run. The requests of `setup` need no permission. Default: false.
   */
  readonly allowSetup?: boolean;
  /** Whether the run stops at the first violation. Default: false. */
  readonly bail?: boolean;
  /**
   * The number of requests to generate, and the seed. The default seed is random. Default: no requests are generated.
   */
  readonly fuzz?: { readonly count: number; readonly seed?: number | undefined } | undefined;
  /** Stops the run when aborted. The report then contains the results so far. */
  readonly signal?: AbortSignal | undefined;
}

/** The options of a run, and additional options that only this package sets. */
export interface EngineOptions extends RunOptions {
  readonly onEvent?: (event: EngineEvent) => void;
  /** Returns whether to stop the run after a case. Default: with `bail`, the run stops at the first violation. */
  readonly stopAfter?: (item: JudgedCase) => boolean;
  readonly retryPolicy?: RetryPolicy;
  readonly latePausesMs?: Connection['latePausesMs'];
  /**
   * Sends the requests, for example to a gateway in the same process. The transport is closed at the end of the run. Default:
   * HTTP.
   */
  readonly transport?: Transport;
  /** Changes keys and balances. Default: the calls that `setup` in the profile states. */
  readonly change?: ChangeGateway;
  /** The seed of the generated names of the run, such as the ID of the unlisted model. Default: random. */
  readonly seed?: string;
  /** Keys of other gateways, which the report must not contain. */
  readonly otherKeys?: readonly string[];
  /** Whether the report contains exchanges even if no case failed or was inconclusive. Default: true. */
  readonly needsExchanges?: boolean;
}

type DefaultedOption =
  | 'selection'
  | 'maxModels'
  | 'thorough'
  | 'repeat'
  | 'safe'
  | 'concurrency'
  | 'limits'
  | 'waitMs'
  | 'bail';

export type CompleteOptions = Omit<EngineOptions, DefaultedOption | 'fuzz'> & {
  readonly [Name in DefaultedOption]: Exclude<EngineOptions[Name], undefined>;
} & {
  readonly selection: Selection;
  readonly limits: Limits;
  readonly fuzz: { readonly count: number; readonly seed: number } | undefined;
};

/**
 * Returns options with the defaults added. Returns complete options unchanged. Throws a `UsageError` if an option is
 * invalid.
 */
export function completeOptions(options: EngineOptions): CompleteOptions {
  const { selection, models, fuzz, limits, safe = false, repeat = 1, waitMs = 0 } = options;
  const { maxModels = defaultMaxModels } = options;
  const { concurrency = safe ? 2 : 8, perSecond = safe ? 5 : undefined } = options;
  const { index, of } = selection?.shard ?? { index: 1, of: 1 };
  validateNumber('repeat', repeat, 1, { whole: true });
  validateNumber('concurrency', concurrency, 1, { whole: true });
  validateNumber('maxModels', maxModels, 1, { whole: true });
  validateNumber('maxBillable', options.maxBillable, 0, { whole: true });
  validateNumber('perSecond (--rate)', perSecond, perMinute);
  for (const [name, value] of Object.entries({ waitMs, maxMs: options.maxMs, ...limits }))
    validateNumber(name, value, 0);
  if (models?.length === 0)
    throw new UsageError(
      '`models` is an empty list. Use ["all"] for every listed model, or omit the option.',
    );
  if (models?.includes(''))
    throw new UsageError('A pattern in `models` (--models) is empty. Use "all" for every listed model.');
  validateNumber('shard.index', index, 1, { whole: true, most: of });
  validateNumber('fuzz.count', fuzz?.count, 1, { whole: true, most: maxGeneratedRequests });
  validateNumber('fuzz.seed', fuzz?.seed, 0, { whole: true, most: maxSeed });
  if (fuzz && fuzz.seed === undefined && selection?.shard)
    throw new UsageError(
      'A divided run (--shard) with generated requests (--fuzz) needs a seed (--seed). Use the same seed for each shard.',
    );
  return {
    ...options,
    selection: { suites: [], only: [], ...selection },
    fuzz: fuzz && { count: fuzz.count, seed: fuzz.seed ?? createRandomSeed() },
    limits: { ...defaultLimits, ...limits },
    maxModels,
    thorough: options.thorough ?? false,
    safe,
    repeat,
    waitMs,
    concurrency,
    perSecond,
    bail: options.bail ?? false,
  };
}

/** The number of listed models that a run tests at most, unless the user raises it: each can add dozens of billed calls. */
export const defaultMaxModels = 100;

/** The minimum rate, one request a minute, in requests a second. */
const perMinute = 1 / 60;

function validateNumber(
  name: string,
  value: number | undefined,
  least: number,
  { whole = false, most = longestDuration }: { readonly whole?: boolean; readonly most?: number } = {},
): void {
  if (value === undefined || (value >= least && value <= most && (!whole || Number.isInteger(value)))) return;
  const kind = whole ? 'an integer' : 'a number';
  const from = least === perMinute ? '1/60' : least;
  throw new UsageError(`Invalid value for ${name}: ${value}. Expected ${kind} from ${from} to ${most}.`);
}

/** The maximum seed. The minimum is 0. */
export const maxSeed = 2 ** 31 - 1;

/**
 * The maximum number of generated requests of a run. All generated requests are kept in memory before the first
 * request is sent.
 */
export const maxGeneratedRequests = 100_000;

/** Returns a random seed, which is less than `maxSeed`. */
export function createRandomSeed(): number {
  return Math.floor(Math.random() * maxSeed);
}
