import type { Shard } from '../../plan/select.ts';
import { defaultMaxModels, maxGeneratedRequests, maxSeed } from '../../run/options.ts';
import type { BaselineFlags } from '../io/baseline-file.ts';
import type { ConcludeFlags } from '../io/conclude.ts';
import type { TargetFlags } from '../io/target.ts';
import type { ConnectionFlags } from './connection-flags.ts';
import type { Flag } from './help.ts';
import { amount, count, duration, rate, shard, wholeNumber } from './parse-value.ts';

export const compareFlag: Flag = {
  name: '--target <NAME=URL>',
  group: 'Target and keys',
  description: 'One of 2 to 8 gateways to compare: NAME=URL, or NAME=FILE with its profile. Repeatable.',
  docs: '`--profile`, `--header` and the flags for the key apply only to targets that are URLs. `--target` cannot be combined with `--base-url`, `--watch` or `--bail`. With `--update-baseline`, the path of `--baseline` must contain `{target}`. See [Compare several gateways](compare.md#compare-several-gateways).',
  takes: 'list',
};

export const allowSetupFlag: Flag = {
  name: '--allow-setup',
  group: 'Target and keys',
  description:
    'Let the commands of `setup` in the profile run. The commands create and delete keys and change balances.',
  docs: 'The requests of `setup` go to the gateway itself and need no flag. See [Keys and balances that change](profile.md#keys-and-balances-that-change).',
  takes: 'switch',
};

export const selectionFlags: readonly Flag[] = [
  {
    name: '--suite <NAME>',
    group: 'What to send',
    description: 'Send only the cases of this suite, and all controls. Repeatable.',
    docs: 'If a pooled case is selected, the run also sends the cases whose responses the pooled case judges.',
    takes: 'list',
  },
  {
    name: '--only <PATTERN>',
    group: 'What to send',
    description:
      'Send only the cases whose ID matches, the cases with a requirement whose ID matches, and all controls. * stands for any text. Repeatable.',
    docs: 'A pattern without `*` also matches every longer ID that begins with the pattern and a slash. If a pooled case is selected, the run also sends the cases whose responses the pooled case judges.',
    takes: 'list',
    isMain: true,
  },
  {
    name: '--models <PATTERN[,PATTERN...]>',
    group: 'What to send',
    description: 'Also test models of the model list that match PATTERN; `all` selects all models.',
    docs: 'See [Many models](models.md).',
    takes: 'text',
  },
  {
    name: '--max-models <N>',
    group: 'What to send',
    description: 'Refuse a run if `--models` selects more than N models.',
    docs: 'Each model can add dozens of calls that may be billed, and the gateway decides how many models it lists.',
    default: String(defaultMaxModels),
    takes: count,
    initial: defaultMaxModels,
  },
  {
    name: '--repeat <N>',
    group: 'What to send',
    description: 'Send every case N times to detect intermittent failures.',
    docs: 'The burst that tests the rate limit is sent only once.',
    default: '1',
    takes: count,
    initial: 1,
  },
  {
    name: '--fuzz <N>',
    group: 'What to send',
    description: `Also send N generated requests, at most ${maxGeneratedRequests}.`,
    docs: 'See [Generated requests](fuzzing.md).',
    takes: wholeNumber(1, maxGeneratedRequests, `Expected an integer from 1 to ${maxGeneratedRequests}.`),
  },
  {
    name: '--seed <N>',
    group: 'What to send',
    description: `Generate the same requests as an earlier run with this seed, from 0 to ${maxSeed}.`,
    docs: 'The earlier run must have the same profile, version and `--thorough`. The flag needs `--fuzz`. With `--fuzz` and `--shard`, the flag is required.',
    default: 'random, and printed',
    takes: wholeNumber(0, maxSeed, `Expected an integer from 0 to ${maxSeed}.`),
  },
  {
    name: '--thorough',
    group: 'What to send',
    description:
      'Send every combination of the attributes of each scenario, such as operation, header and key, instead of a selection that covers all pairs.',
    takes: 'switch',
  },
  {
    name: '--safe',
    group: 'What to send',
    description:
      'For production: by default 2 concurrent requests and 5 a second; no burst, few wrong keys, and no billed calls except the controls.',
    docs: 'The run does not use `setup`, which creates and deletes keys and changes balances. See [In production](production.md).',
    takes: 'switch',
    isMain: true,
  },
  {
    name: '--max-billable <N>',
    group: 'What to send',
    description:
      'Plan at most N calls that may be billed: the controls, and the calls that cover the most requirements and combinations.',
    docs: 'If the controls alone exceed the limit, the command exits with 2. With `--models`, the command refuses a plan with more than N calls that may be billed. A part of the limit is reserved for the planned calls that may be billed. Other billed calls, such as accepted invalid requests, use up the rest of the limit. After the rest of the limit is used up, the run repeats no controls that may be billed. The run then sends an invalid model call only if the gateway has accepted no earlier call with the same kind of invalid part (credential, model or body). If the gateway accepts invalid requests, the run can exceed N by up to three calls. See [In production](production.md).',
    takes: amount,
  },
  {
    name: '--dry-run',
    group: 'What to send',
    description: 'Print the plan and send nothing.',
    docs: 'For each suite, the plan shows the numbers of cases, cases that are not applicable, requests, calls that may be billed, and requests with a wrong key.',
    takes: 'switch',
    isMain: true,
  },
];

/** The flags of `run` for CI and for development. */
export const lifecycleFlags: readonly Flag[] = [
  {
    name: '--bail',
    group: 'Judging and baseline',
    description: 'Stop at the first violation that is not in the baseline.',
    takes: 'switch',
  },
  {
    name: '--wait <TIME>',
    group: 'CI and watch mode',
    description: 'Wait up to this time for a gateway that is still starting.',
    takes: duration,
    initial: 0,
  },
  {
    name: '--max-time <TIME>',
    group: 'CI and watch mode',
    description: 'Stop after this time and report the results so far.',
    takes: duration,
  },
  {
    name: '--shard <I/N>',
    group: 'CI and watch mode',
    description:
      'Send only the cases of shard I of N, and all controls. `conformance merge` merges the reports.',
    docs: 'See [Divide a run](ci.md#divide-a-run).',
    takes: shard,
  },
  {
    name: '--watch [PATH...]',
    group: 'CI and watch mode',
    description: 'Run again when a file at or below a path changes or, on a terminal, when you press Enter.',
    docs: 'The key `r` has the same effect as Enter, `f` runs the failed and inconclusive cases, and `q` quits with the exit code of the last run.',
    takes: 'text',
  },
];

/** The flags of `run` for speed and limits. */
export const paceFlags: readonly Flag[] = [
  {
    name: '--concurrency <N>',
    group: 'Network',
    description: 'Maximum number of concurrent requests.',
    default: '8, with `--safe` 2',
    takes: count,
  },
  {
    name: '--rate <N/s>',
    group: 'Network',
    description:
      'Start at most N requests per second (N/s) or per minute (N/m). With this flag, the rate limit of the gateway is not tested.',
    docs: 'The limit does not apply to the requests of `setup`, nor to the requests that are sent while a key is deleted.',
    default: 'no limit, with `--safe` 5/s',
    takes: rate,
  },
  limitFlag('--connect-timeout <TIME>', 'Time limit for opening a connection.', 5_000),
  limitFlag(
    '--first-byte-timeout <TIME>',
    'Time limit for the headers of a response, except an expected success.',
    10_000,
  ),
  limitFlag(
    '--success-timeout <TIME>',
    'Time limit for the headers of an expected success. Model calls take longer than refusals.',
    60_000,
  ),
  limitFlag('--idle-timeout <TIME>', 'Time limit between two parts of a response body.', 30_000),
  limitFlag('--total-timeout <TIME>', 'Time limit for a request with its response.', 120_000),
  {
    name: '--max-body <BYTES>',
    group: 'Network',
    description:
      'Maximum size of a response body. A longer body is truncated, and its content is not judged.',
    default: '1 MiB',
    takes: count,
    initial: 1024 * 1024,
  },
];

function limitFlag(name: string, description: string, milliseconds: number): Flag {
  return {
    name,
    group: 'Network',
    description,
    default: `${milliseconds / 1000}s`,
    takes: duration,
    initial: milliseconds,
  };
}

/** The flags of `run`. Times are in milliseconds, `rate` is in requests per second, and `maxBody` is in bytes. */
export interface RunFlags extends TargetFlags, ConnectionFlags, ConcludeFlags, BaselineFlags {
  readonly target: readonly string[];
  readonly suite: readonly string[];
  readonly only: readonly string[];
  readonly models?: string;
  readonly maxModels: number;
  readonly shard?: Shard;
  readonly repeat: number;
  readonly fuzz?: number;
  readonly seed?: number;
  readonly thorough: boolean;
  readonly safe: boolean;
  readonly dryRun: boolean;
  readonly maxBillable?: number;
  readonly reporter: readonly string[];
  readonly bail: boolean;
  readonly maxTime?: number;
  readonly wait: number;
  /** The paths to watch; true if no path is given, so that only a key press starts another run. */
  readonly watch?: true | readonly string[];
  readonly rate?: number;
  readonly concurrency?: number;
  readonly connectTimeout: number;
  readonly firstByteTimeout: number;
  readonly successTimeout: number;
  readonly idleTimeout: number;
  readonly totalTimeout: number;
  readonly maxBody: number;
}
