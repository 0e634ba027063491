import { formatSuggestionOrList } from '../../common/nearest.ts';
import type { RetryPolicy } from '../exchange/retry-policy.ts';
import type { JudgedCase } from '../judge/judge-cases.ts';
import type { Selection, Shard } from '../plan/select.ts';
import { UsageError } from '../profile/profile.ts';
import type { ChangeGateway } from '../send/change-gateway.ts';
import type { ConnectionOptions } from '../send/connection-options.ts';
import { defaultLimits } from '../send/deadline.ts';
import type { Transport } from '../send/http.ts';
import type { Connection } from '../send/sender.ts';
import {
  fillIn,
  integer,
  list,
  type Option,
  type Options,
  rate,
  time,
  toggle,
  type ValueKind,
  type ValuesOf,
  value,
} from './define-option.ts';
import type { EngineEvent } from './run-event.ts';

/** The maximum seed. The minimum is 0. */
export const maxSeed = 2 ** 31 - 1;

/**
 * The maximum number of generated requests of a run. All generated requests are kept in memory before the first
 * request is sent.
 */
const maxGeneratedRequests = 100_000;

const count = integer({ least: 1 });

/** A shard of a divided run, such as `2/5`. */
export const shard: ValueKind<Shard> = {
  parse: (text) => {
    const [, index, of] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number);
    return index === undefined || of === undefined || !isShard({ index, of }) ? undefined : { index, of };
  },
  expected: 'a shard such as 2/5, the second of five',
  inCode: { accepts: isShard, expected: 'a shard such as { index: 2, of: 5 }, the second of five' },
};

function isShard({ index, of }: Shard): boolean {
  return Number.isInteger(index) && Number.isInteger(of) && index >= 1 && index <= of;
}

const arePatterns = (patterns: readonly string[]): boolean => patterns.length > 0 && !patterns.includes('');

/** Patterns of the IDs of listed models, such as `gpt-*,claude-*`. */
const modelPatterns: ValueKind<readonly string[]> = {
  parse: (text) => {
    const patterns = text.split(',').map((pattern) => pattern.trim());
    return arePatterns(patterns) ? patterns : undefined;
  },
  expected: 'patterns such as gpt-*,claude-*, or all for every listed model',
  inCode: {
    accepts: arePatterns,
    expected: 'patterns such as ["gpt-*"], or ["all"] for every listed model',
  },
};

/** The options of a run, which are also flags of `run`. Names that end with `Ms` are times in milliseconds. */
export const runOptions = {
  allowSetup: toggle({
    flag: '--allow-setup',
    group: 'Target and keys',
    description:
      'Let the commands of `setup` in the profile run. The commands create and delete keys and change balances.',
    docs: 'The requests of `setup` go to the gateway itself and need no permission. See [Keys and balances that change](profile.md#keys-and-balances-that-change).',
  }),
  suites: list({
    flag: '--suite <NAME>',
    group: 'What to send',
    description: 'Send only the cases of this suite, and all controls. Repeatable.',
    completes: { ids: ['suites'] },
    docs: 'If a pooled case is selected, the run also sends the cases whose responses the pooled case judges.',
  }),
  only: list({
    flag: '--only <PATTERN>',
    group: 'What to send',
    description:
      'Send only the cases whose ID matches, the cases with a requirement whose ID matches, and all controls. * stands for any text. Repeatable.',
    docs: 'A pattern without `*` also matches every longer ID that begins with the pattern and a slash. If a pooled case is selected, the run also sends the cases whose responses the pooled case judges.',
    completes: { ids: ['requirements', 'cases'] },
    isMain: true,
  }),
  models: value(modelPatterns, {
    flag: '--models <PATTERN[,PATTERN...]>',
    group: 'What to send',
    description: 'Also test models of the model list that match PATTERN; `all` selects all models.',
    docs: 'See [Many models](models.md).',
  }),
  maxModels: value(count, {
    flag: '--max-models <N>',
    group: 'What to send',
    description: 'Refuse a run if `--models` selects more than N models.',
    docs: 'Each model can add dozens of calls that may be billed, and the gateway decides how many models it lists.',
    initial: 100,
  }),
  repeat: value(count, {
    flag: '--repeat <N>',
    group: 'What to send',
    description: 'Send every case N times to detect intermittent failures.',
    docs: 'The burst that tests the rate limit is sent only once.',
    initial: 1,
  }),
  fuzz: value(integer({ least: 1, most: maxGeneratedRequests }), {
    flag: '--fuzz <N>',
    group: 'What to send',
    description: `Also send N generated requests, at most ${maxGeneratedRequests}.`,
    docs: 'See [Generated requests](fuzzing.md).',
  }),
  seed: value(integer({ least: 0, most: maxSeed }), {
    flag: '--seed <N>',
    group: 'What to send',
    description: `Generate the same requests as an earlier run with this seed, from 0 to ${maxSeed}.`,
    docs: 'The earlier run must have the same profile, version and `--thorough`. A seed needs `--fuzz`. With `--fuzz` and `--shard`, the seed is required.',
    default: 'random, and printed',
  }),
  thorough: toggle({
    flag: '--thorough',
    group: 'What to send',
    description:
      'Send every combination of the attributes of each scenario, such as operation, header and key, instead of a selection that covers all pairs.',
  }),
  safe: toggle({
    flag: '--safe',
    group: 'What to send',
    description:
      'For production: by default 2 concurrent requests and 5 a second; no burst, few wrong keys, and no billed calls except the controls.',
    docs: 'The run does not use `setup`, which creates and deletes keys and changes balances. See [In production](production.md).',
    isMain: true,
  }),
  maxBillable: value(integer({ least: 0 }), {
    flag: '--max-billable <N>',
    group: 'What to send',
    description:
      'Plan at most N calls that may be billed: the controls, and the calls that cover the most requirements and combinations.',
    docs: 'If the controls alone exceed the limit, the command exits with 2. With `--models`, the command refuses a plan with more than N calls that may be billed. A part of the limit is reserved for the planned calls that may be billed. Other billed calls, such as accepted invalid requests, use up the rest of the limit. After the rest of the limit is used up, the run repeats no controls that may be billed. The run then sends an invalid model call only if the gateway has accepted no earlier call with the same kind of invalid part (credential, model or body). If the gateway accepts invalid requests, the run can exceed N by up to three calls. See [In production](production.md).',
  }),
  bail: toggle({
    flag: '--bail',
    group: 'Judging and baseline',
    description: 'Stop at the first violation that is not in the baseline.',
  }),
  waitMs: value(time, {
    flag: '--wait <TIME>',
    group: 'CI and watch mode',
    description: 'Wait up to this time for a gateway that is still starting.',
    initial: 0,
  }),
  maxMs: value(time, {
    flag: '--max-time <TIME>',
    group: 'CI and watch mode',
    description: 'Stop after this time and report the results so far.',
  }),
  shard: value(shard, {
    flag: '--shard <I/N>',
    group: 'CI and watch mode',
    description:
      'Send only the cases of shard I of N, and all controls. `conformance merge` merges the reports.',
    docs: 'See [Divide a run](ci.md#divide-a-run).',
  }),
  concurrency: value(count, {
    flag: '--concurrency <N>',
    group: 'Network',
    description: 'Maximum number of concurrent requests.',
    default: '8, with `--safe` 2',
  }),
  perSecond: value(rate, {
    flag: '--rate <N/s>',
    group: 'Network',
    description:
      'Start at most N requests per second (N/s) or per minute (N/m). With this limit, the rate limit of the gateway is not tested.',
    docs: 'The limit does not apply to the requests of `setup`, nor to the requests that are sent while a key is deleted.',
    default: 'no limit, with `--safe` 5/s',
  }),
  timeoutMs: value(time, {
    flag: '--timeout <TIME>',
    group: 'Network',
    description: 'Time limit for a request with its response.',
    docs: 'It replaces `timeouts.total` and `timeouts.success` of the profile, which also states the finer limits. See [Time limits](profile.md#time-limits).',
    default: '`timeouts` of the profile, otherwise 120s',
  }),
  maxBodyBytes: value(count, {
    flag: '--max-body <BYTES>',
    group: 'Network',
    description:
      'Maximum size of a response body. A longer body is truncated, and its content is not judged.',
    default: '1 MiB',
    initial: defaultLimits.bodyBytes,
  }),
} satisfies Options;

/**
 * The options of a run, which docs/library.md describes. If a value is out of range, the run rejects with a
 * `UsageError` and sends nothing.
 */
export interface RunOptions extends PartialOptions {
  /**
   * The trusted certificates, and the proxy. Default: the certificates of Node.js, and no proxy. The environment
   * variables of proxies, such as `HTTPS_PROXY`, are not read.
   */
  readonly reach?: ConnectionOptions | undefined;
  /** Stops the run when aborted. The report then contains the results so far. */
  readonly signal?: AbortSignal | undefined;
}

type PartialOptions = {
  readonly [Name in keyof typeof runOptions]?: ValuesOf<typeof runOptions>[Name] | undefined;
};

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
  readonly nameSeed?: string;
  /** Keys of other gateways, which the report must not contain. */
  readonly otherKeys?: readonly string[];
  /** The cases to which the run is limited, in addition to `suites` and `only`. */
  readonly cases?: Selection['cases'];
  /** Whether the report contains exchanges even if no case failed or was inconclusive. Default: true. */
  readonly needsExchanges?: boolean;
}

/** Options with their defaults. `seed` is stated if `fuzz` is. */
export type CompleteOptions = EngineOptions & ValuesOf<typeof runOptions> & { readonly concurrency: number };

/**
 * Returns options with the defaults added. Returns complete options unchanged. Throws a `UsageError` if an option is
 * invalid.
 */
export function completeOptions<Given extends EngineOptions>(given: Given): Given & CompleteOptions {
  const stated = fillIn(runOptions, given, validate);
  const { safe, fuzz, seed, concurrency = safe ? 2 : 8, perSecond = safe ? 5 : undefined } = stated;
  if (seed !== undefined && fuzz === undefined)
    throw new UsageError(
      '--seed has no effect without --fuzz. Add --fuzz N, where N is the number of requests to generate.',
    );
  if (fuzz !== undefined && seed === undefined && stated.shard)
    throw new UsageError(
      'A divided run (--shard) with generated requests (--fuzz) needs a seed (--seed). Use the same seed for each shard.',
    );
  return {
    ...given,
    ...stated,
    concurrency,
    perSecond,
    seed: fuzz === undefined ? undefined : (seed ?? createRandomSeed()),
  };
}

/**
 * Throws a `UsageError` for the name of an option that does not exist, as a caller without types can pass it. `others`
 * are the options of the caller itself.
 */
export function rejectUnknownOptions(given: object, others: readonly string[] = []): void {
  const known = [...Object.keys(runOptions), 'reach', 'signal', ...others];
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new UsageError(`Unknown option "${unknown}".${formatSuggestionOrList(unknown, known)}`);
}

function validate(name: string, given: unknown, { takes }: Option): void {
  const rule = typeof takes === 'object' ? takes.inCode : undefined;
  if (!rule || rule.accepts(given)) return;
  const text = typeof given === 'number' ? given : JSON.stringify(given);
  throw new UsageError(`Invalid value for ${name}: ${text}. Expected ${rule.expected}.`);
}

function createRandomSeed(): number {
  return Math.floor(Math.random() * maxSeed);
}
