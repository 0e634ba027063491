import { anySeed, greatestSeed, loadFuzz, mostDrawn } from '../fuzz/load-fuzz.ts';
import type { Selection } from '../plan/select.ts';
import { longestDuration } from '../profile/header.ts';
import { UsageError } from '../profile/profile.ts';
import { defaultLimits, type Limits } from '../transport/http.ts';
import type { Reach } from '../transport/pool.ts';
import type { EngineOptions } from './engine-options.ts';
import { usualConcurrency } from './session.ts';

/** Options of a run; times are in milliseconds. A value out of range is a UsageError, and nothing is sent. */
export interface RunOptions {
  /** The cases to send. Default: all. */
  readonly selection?: Partial<Selection>;
  /** Patterns of the listed models to test too, `['all']` for all of them. Default: none. */
  readonly models?: readonly string[] | undefined;
  /** How often every case is sent, from 1. Default: 1. */
  readonly repeat?: number;
  /**
   * Whether the run is one for production: slow, without a burst, with few bad keys, and without calls that may be billed
   * other than controls. Default: false.
   */
  readonly safe?: boolean;
  /** The most concurrent requests, from 1. Default: 8, with `safe` 2. */
  readonly concurrency?: number | undefined;
  /** The most requests per second, from 1/60; no burst is sent then. Default: no limit, with `safe` 5. */
  readonly perSecond?: number | undefined;
  /** Limits of each exchange. Default: `defaultLimits`, also for each member that is left out. */
  readonly limits?: Partial<Limits>;
  /** Connection options. Default: the certificates of Node, and no proxy, whatever the environment says. */
  readonly reach?: Reach;
  /** How long to wait for a gateway that is still starting. Default: 0. */
  readonly waitMs?: number;
  /** How long the run may take. The report then has what was judged so far. Default: no limit. */
  readonly maxMs?: number | undefined;
  /** The most calls that may be billed. A plan with more is a UsageError; calls beyond it are not sent. Default: no limit. */
  readonly maxBillable?: number | undefined;
  /** Whether to stop at the first violation. Default: false. */
  readonly bail?: boolean;
  /** How many requests to generate at random, and the seed, which is random if omitted. Default: none are generated. */
  readonly fuzz?: { readonly count: number; readonly seed?: number | undefined } | undefined;
  /** Ends the run when aborted. The report then has what was judged so far. */
  readonly signal?: AbortSignal | undefined;
}

/** What a run does by itself, and what a safe one does, where nothing else is said. */
const usual = { concurrency: usualConcurrency, perSecond: undefined };
const careful = { concurrency: 2, perSecond: 5 };

/** The options as the engine takes them, with their defaults; throws UsageError where a number makes no sense. */
export function engineOptions(
  options: RunOptions,
): EngineOptions & Required<Pick<EngineOptions, 'selection'>> {
  const {
    selection,
    models,
    safe = false,
    limits,
    bail = false,
    repeat,
    waitMs,
    maxMs,
    maxBillable,
    reach,
    fuzz,
    signal,
  } = options;
  const preset = safe ? careful : usual;
  const perSecond = options.perSecond ?? preset.perSecond;
  hold('repeat', repeat, 1, { whole: true });
  hold('concurrency', options.concurrency, 1, { whole: true });
  hold('maxBillable', maxBillable, 0, { whole: true });
  hold('perSecond', perSecond, 1 / 60);
  for (const [name, value] of Object.entries({ waitMs, maxMs, ...limits })) hold(name, value, 0);
  if (models?.length === 0 || models?.includes(''))
    throw new UsageError('A pattern of models is empty; "all" stands for every listed model.');
  const { index, of } = selection?.shard ?? { index: 1, of: 1 };
  hold('shard.index', index, 1, { whole: true, most: of });
  hold('fuzz.count', fuzz?.count, 1, { whole: true, most: mostDrawn });
  hold('fuzz.seed', fuzz?.seed, 0, { whole: true, most: greatestSeed });
  if (fuzz && fuzz.seed === undefined && selection?.shard)
    throw new UsageError('The parts of a divided run must draw the same: give each the same seed.');
  return {
    selection: { suites: [], only: [], ...selection },
    models,
    restraint: { safe, held: perSecond !== undefined },
    concurrency: options.concurrency ?? preset.concurrency,
    limits: { ...defaultLimits, ...limits },
    perSecond,
    maxMs,
    maxBillable,
    reach,
    signal,
    ...(repeat !== undefined && { repeat }),
    ...(waitMs !== undefined && { waitMs }),
    ...(bail && { stopAfter: ({ outcome }) => outcome === 'violates' }),
  };
}

/** The same, with what draws requests where some are to be drawn. */
export async function loadOptions(options: RunOptions): Promise<ReturnType<typeof engineOptions>> {
  const engine = engineOptions(options);
  const { fuzz } = options;
  if (!fuzz) return engine;
  return { ...engine, fuzz: await loadFuzz({ count: fuzz.count, seed: fuzz.seed ?? anySeed() }) };
}

function hold(
  name: string,
  value: number | undefined,
  least: number,
  { whole = false, most = longestDuration }: { readonly whole?: boolean; readonly most?: number } = {},
): void {
  if (value === undefined || (value >= least && value <= most && (!whole || Number.isInteger(value)))) return;
  const kind = whole ? 'a whole number' : 'a number';
  throw new UsageError(`${name} is ${value}, but it must be ${kind} from ${least} to ${most}.`);
}
