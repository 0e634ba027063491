import { anySeed, greatestSeed, loadFuzz, mostDrawn } from '../fuzz/load-fuzz.ts';
import type { Selection } from '../plan/select.ts';
import { longestDuration } from '../profile/header.ts';
import { UsageError } from '../profile/profile.ts';
import { defaultLimits, type Limits } from '../transport/http.ts';
import type { Reach } from '../transport/pool.ts';
import type { EngineOptions } from './engine-options.ts';
import { usualConcurrency } from './session.ts';

/** What is judged of a gateway, and how; everything has a default that suits most. */
export interface RunOptions {
  /** Everything where it isn't given. */
  readonly selection?: Partial<Selection>;
  /** Patterns of the listed models for each of which what a model can vary is sent; `all` for all of them. */
  readonly models?: readonly string[] | undefined;
  /** How often every case is sent; once where it isn't given. */
  readonly repeat?: number;
  /** For production: slow, no burst, few bad keys, no calls that may be billed beyond the controls. */
  readonly safe?: boolean;
  /** Requests at once; 8 where it isn't given, and 2 of a safe run. */
  readonly concurrency?: number | undefined;
  /** The most requests a second, and then no burst; 5 of a safe run where it isn't given. */
  readonly perSecond?: number | undefined;
  readonly limits?: Partial<Limits>;
  /** Who is trusted, and which proxies stand between; nobody else, and none, where it isn't given. */
  readonly reach?: Reach;
  /** How long to wait for a gateway that is still starting, in milliseconds. */
  readonly waitMs?: number;
  /** How long the run may take, in milliseconds; what was judged until then is reported. */
  readonly maxMs?: number | undefined;
  /** The most calls that may be billed; a plan with more is refused, and calls beyond it are held back. */
  readonly maxBillable?: number | undefined;
  /** Stops at the first violation. */
  readonly bail?: boolean;
  /** How many requests are drawn at random beside the cases; a seed is drawn too where none is given. */
  readonly fuzz?: { readonly count: number; readonly seed?: number | undefined } | undefined;
  /** Aborted to end the run; what was judged is reported. */
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
