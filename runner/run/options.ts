import type { ChangeGateway } from '../execute/change-gateway.ts';
import type { RetryPolicy } from '../execute/retry-policy.ts';
import type { JudgedCase } from '../judge/judge-cases.ts';
import type { Selection } from '../plan/select.ts';
import { longestDuration } from '../profile/header.ts';
import { UsageError } from '../profile/profile.ts';
import { defaultLimits, type Limits } from '../transport/deadline.ts';
import type { Transport } from '../transport/http.ts';
import type { ConnectionOptions } from '../transport/pool.ts';
import type { EngineEvent } from './run-event.ts';

/**
 * Options of a run. Times are in milliseconds. If a value is out of range, the run rejects with UsageError and sends
 * nothing.
 */
export interface RunOptions {
  /** The cases to send. Default: all. */
  readonly selection?: Partial<Selection>;
  /**
   * Patterns of listed models to test in addition to the models of the profile. `['all']` selects all listed models.
   * Default: none.
   */
  readonly models?: readonly string[] | undefined;
  /** Number of times that each case is sent, from 1. Default: 1. */
  readonly repeat?: number | undefined;
  /** Whether every combination of a scenario is sent instead of a selection that covers all pairs. Default: false. */
  readonly thorough?: boolean;
  /**
   * Whether the run is safe for a gateway in production: slow, without a burst, with one wrong key for each operation,
   * without changes of keys or balances, and without billable calls except the controls. Default: false.
   */
  readonly safe?: boolean;
  /** Maximum number of concurrent requests, from 1. Default: 8, or 2 with `safe`. */
  readonly concurrency?: number | undefined;
  /**
   * Maximum number of requests per second, from 1/60. With this limit, no burst is sent. Default: no limit, or 5 with
   * `safe`.
   */
  readonly perSecond?: number | undefined;
  /** Limits of each exchange. Default of each member: its value in `defaultLimits`. */
  readonly limits?: Partial<Limits>;
  /** Connection options. Default: the certificates of Node.js, and no proxy. Environment variables are not read. */
  readonly reach?: ConnectionOptions | undefined;
  /** Maximum time to wait for a gateway that is still starting. Default: 0. */
  readonly waitMs?: number | undefined;
  /** Maximum duration of the run. The report then contains the results so far. Default: no limit. */
  readonly maxMs?: number | undefined;
  /**
   * Maximum number of calls that may be billed. Cases beyond this limit are not sent. The run rejects with UsageError if the
   * controls, or with `models` all planned cases, exceed the limit. Default: no limit.
   */
  readonly maxBillable?: number | undefined;
  /** Whether the commands of `setup` in the profile may run. The requests of `setup` need no permission. Default: false. */
  readonly allowSetup?: boolean;
  /** Whether to stop at the first violation. Default: false. */
  readonly bail?: boolean;
  /** Number of requests to generate, and the seed, which is random by default. Default: no requests are generated. */
  readonly fuzz?: { readonly count: number; readonly seed?: number | undefined } | undefined;
  /** Ends the run when aborted. The report then contains the results so far. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of a run, with additional options that only this package sets. */
export interface EngineOptions extends RunOptions {
  readonly onEvent?: (event: EngineEvent) => void;
  /** Returns whether to stop the run after a case. Default: with `bail`, the run stops at the first violation. */
  readonly stopAfter?: (item: JudgedCase) => boolean;
  readonly retryPolicy?: RetryPolicy;
  /** Sends the requests, such as directly to a gateway that this process runs. Closed at the end of the run. Default: HTTP. */
  readonly transport?: Transport;
  /** Changes keys and balances. Default: the changes that the profile states in `setup`. */
  readonly change?: ChangeGateway;
  /** The seed of the generated names of the run, such as the ID of the unlisted model. Default: random. */
  readonly seed?: string;
  /** Keys of other gateways, which the report must not contain. */
  readonly otherKeys?: readonly string[];
  /** Whether the report contains exchanges although no case failed or was inconclusive. Default: true. */
  readonly needsExchanges?: boolean;
}

type DefaultedOption =
  | 'selection'
  | 'thorough'
  | 'repeat'
  | 'safe'
  | 'concurrency'
  | 'limits'
  | 'waitMs'
  | 'bail';

/** Options with all defaults. */
export type CompleteOptions = Omit<EngineOptions, DefaultedOption | 'fuzz'> & {
  readonly [Name in DefaultedOption]: Exclude<EngineOptions[Name], undefined>;
} & {
  readonly selection: Selection;
  readonly limits: Limits;
  readonly fuzz: { readonly count: number; readonly seed: number } | undefined;
};

/** Adds the defaults to options. Throws UsageError if an option is invalid. Complete options stay the same. */
export function completeOptions(options: EngineOptions): CompleteOptions {
  const { selection, models, fuzz, limits, safe = false, repeat = 1, waitMs = 0 } = options;
  const { concurrency = safe ? 2 : 8, perSecond = safe ? 5 : undefined } = options;
  const { index, of } = selection?.shard ?? { index: 1, of: 1 };
  validateNumber('repeat', repeat, 1, { whole: true });
  validateNumber('concurrency', concurrency, 1, { whole: true });
  validateNumber('maxBillable', options.maxBillable, 0, { whole: true });
  validateNumber('perSecond', perSecond, 1 / 60);
  for (const [name, value] of Object.entries({ waitMs, maxMs: options.maxMs, ...limits }))
    validateNumber(name, value, 0);
  if (models?.length === 0 || models?.includes(''))
    throw new UsageError('A pattern in `models` is empty. Use "all" for every listed model.');
  validateNumber('shard.index', index, 1, { whole: true, most: of });
  validateNumber('fuzz.count', fuzz?.count, 1, { whole: true, most: maxGenerated });
  validateNumber('fuzz.seed', fuzz?.seed, 0, { whole: true, most: maxSeed });
  if (fuzz && fuzz.seed === undefined && selection?.shard)
    throw new UsageError(
      '--fuzz with --shard needs --seed, so that all shards generate the same requests. Give each shard the same seed.',
    );
  return {
    ...options,
    selection: { suites: [], only: [], ...selection },
    fuzz: fuzz && { count: fuzz.count, seed: fuzz.seed ?? randomSeed() },
    limits: { ...defaultLimits, ...limits },
    thorough: options.thorough ?? false,
    safe,
    repeat,
    waitMs,
    concurrency,
    perSecond,
    bail: options.bail ?? false,
  };
}

function validateNumber(
  name: string,
  value: number | undefined,
  least: number,
  { whole = false, most = longestDuration }: { readonly whole?: boolean; readonly most?: number } = {},
): void {
  if (value === undefined || (value >= least && value <= most && (!whole || Number.isInteger(value)))) return;
  const kind = whole ? 'an integer' : 'a number';
  throw new UsageError(`${name} is ${value}, but it must be ${kind} from ${least} to ${most}.`);
}

/** The maximum seed; the minimum is 0. */
export const maxSeed = 2 ** 31 - 1;

/** The maximum number of generated requests of a run. All of them are kept in memory before the first is sent. */
export const maxGenerated = 100_000;

/** Creates a random seed, for runs without `--seed`. */
export function randomSeed(): number {
  return Math.floor(Math.random() * maxSeed);
}
