import {
  type Completion,
  list,
  nameKinds,
  type Options,
  paths,
  text,
  time,
  toggle,
  type ValuesOf,
  value,
} from '../run/define-option.ts';
import { runOptions } from '../run/options.ts';
import { completionScripts } from './completion/scripts.ts';
import { proxyFlags, serveFlags } from './flags/listen-flags.ts';
import { modelFlag } from './flags/model-flags.ts';
import {
  allowEnvFlag,
  baseUrlFlag,
  certificateFlags,
  clientFlags,
  comparisonFlags,
  gatewayFlags,
  gatewayUrlFlag,
  headerFlag,
  keyFileFlag,
  ownDataFlag,
  reportFlags,
  targetFlags,
} from './flags/shared-flags.ts';

/** A command, with its description in the help and in docs/flags.md. */
export interface CommandRow {
  readonly name: string;
  /** The arguments in the form of Commander, each after a space: ` <file...>`. */
  readonly args?: string;
  /** What a shell completes each argument with; the last one also those after it. Default: nothing. */
  readonly completes?: readonly Completion[];
  /** The description in the list of commands. */
  readonly summary: string;
  readonly description: string;
  readonly flags: Options;
  /** Whether `defaults` in the profile set flags of the command. Default: false. */
  readonly hasDefaults?: boolean;
  /** What to do after a mistake in the command line. Default: to read the help. */
  readonly remedy?: string;
  readonly examples: readonly string[];
}

/** The argument of the commands that send requests to a gateway. It is the same as `--base-url`. */
export const urlArgument = ' [url]';

/** What `list` lists. */
export const listNames = [
  'requirements',
  'clauses',
  'cases',
  'coverage',
  'suites',
  'operations',
  'faults',
  'variants',
] as const;

/** The commands, in the order of the help of the program, which also shows the main flags of `run`. */
export const commands = {
  run: {
    name: 'run',
    args: urlArgument,
    summary: 'Test a gateway, or the bundled reference gateway',
    description:
      'Sends valid and invalid requests to a gateway and reports which requirements its responses violate. Without a base URL, a profile or ./conformance.yaml, the command starts and tests the bundled reference gateway.',
    flags: {
      ...gatewayFlags,
      defaults: toggle({
        flag: '--no-defaults',
        group: 'Target and keys',
        description: 'Ignore `defaults` in the profile.',
        docs: 'See [Defaults of flags](profile.md#defaults-of-flags).',
      }),
      ...reportFlags,
      ...runOptions,
      target: list({
        flag: '--target <NAME=URL>',
        group: 'Target and keys',
        description:
          'One of 2 to 8 gateways to compare: NAME=URL, or NAME=FILE with its profile. Repeatable.',
        docs: '`--profile`, `--header` and the flags for the key apply only to targets that are URLs. `--target` cannot be combined with `--base-url`, `--watch` or `--bail`. With `--update-baseline`, the path of `--baseline` must contain `{target}`. See [Compare several gateways](compare.md#compare-several-gateways).',
      }),
      lastFailed: toggle({
        flag: '--last-failed',
        group: 'What to send',
        description:
          'Send only the cases that failed or were not judged when they were last sent from this folder, and all controls.',
        docs: 'Each run writes these cases to `.conformance/last-run.json` in the working folder, without those that the baseline accepts; with `--strict-should`, also the cases with warnings. A run of other cases keeps the earlier results of the same gateway. `--suite` and `--only` choose among these cases.',
        isMain: true,
        isOnlyFlag: true,
      }),
      dryRun: toggle({
        flag: '--dry-run',
        group: 'What to send',
        description: 'Print the plan and send nothing.',
        docs: 'For each suite, the plan shows the numbers of cases, cases that are not applicable, requests, calls that may be billed, and requests with a wrong key.',
        isMain: true,
        isOnlyFlag: true,
      }),
      watch: paths({
        flag: '--watch [PATH...]',
        group: 'CI and watch mode',
        description:
          'Run again when a file at or below a path changes or, on a terminal, when you press Enter.',
        docs: 'The key `r` has the same effect as Enter, `f` runs the failed and inconclusive cases, and `q` quits with the exit code of the last run. `--open` opens only the report of the first run.',
        isOnlyFlag: true,
      }),
      ...certificateFlags,
    },
    hasDefaults: true,
    examples: ['run https://gateway.example', "run --only 'auth/*' --reporter html=conformance.html"],
  },
  init: {
    name: 'init',
    args: urlArgument,
    summary: 'Write a profile of a gateway',
    description:
      'Sends valid requests to a gateway, reports how the gateway responds, and writes a commented profile.',
    flags: {
      baseUrl: gatewayUrlFlag,
      profile: text({
        flag: '--profile <FILE>',
        group: 'Target and keys',
        description:
          'Existing profile to extend. `init` keeps the properties of this profile that no flag replaces.',
        isMain: true,
      }),
      keyFile: keyFileFlag,
      allowEnv: allowEnvFlag,
      header: {
        ...headerFlag,
        docs: 'The header is written into the profile, with `${NAME}` unchanged.',
      },
      model: modelFlag,
      output: text({
        flag: '--output <FILE>',
        group: 'The profile',
        description: 'Profile to write.',
        initial: 'conformance.yaml',
        isMain: true,
      }),
      force: toggle({
        flag: '--force',
        group: 'The profile',
        description: 'Replace an existing file.',
        isMain: true,
      }),
      deviations: toggle({
        flag: '--deviations',
        group: 'The profile',
        description:
          'Also run the suite, and propose as comments what the gateway does instead of the specification, if it does the same each time.',
        isMain: true,
      }),
      yes: toggle({ flag: '--yes', group: 'The profile', description: 'Ask no questions.', isMain: true }),
      ...certificateFlags,
    },
    examples: ['init https://gateway.example', 'init --profile conformance.yaml --force'],
  },
  clients: {
    name: 'clients',
    args: urlArgument,
    summary: 'Test a gateway through the official SDKs',
    description:
      'Calls a gateway with the installed official SDKs, and reports the results and errors that the users of the SDKs get. Without a base URL, a profile or ./conformance.yaml, the command starts and tests the bundled reference gateway.',
    flags: {
      ...gatewayFlags,
      sdk: list({
        flag: '--sdk <NAME>',
        group: 'What to send',
        description:
          'SDK to test: openai, anthropic, google, ai-openai, ai-anthropic or ai-google. Repeatable.',
        default: 'all installed SDKs',
        isMain: true,
      }),
      ...reportFlags,
      ...certificateFlags,
    },
    examples: ['clients https://gateway.example --sdk openai'],
  },
  app: {
    name: 'app',
    args: ' <command...>',
    summary: 'Run an app or its tests against the reference gateway',
    description:
      'Starts the reference gateway, runs COMMAND with its address and key in the environment variables of the SDKs of OpenAI, Anthropic and Google, and reports the duties of clients that the calls violate. Write the command after `--`. Exits with the exit code of the command, with 1 if that is 0 and the app violates a duty, and with 3 if the command made no call.',
    flags: {
      situation: list({
        flag: '--situation <NAME>',
        group: 'Responses',
        description:
          'After a normal run, run the command in this situation, and report how the app copes: busy, server-error, bad-request, no-balance, broken-stream, stream-error, or all. Repeatable.',
        docs: 'See [Test an app](apps.md). Exits with 1 if the app does something in a situation that it must not, and with 3 if its calls never meet a situation that you name.',
        isMain: true,
      }),
      model: list({
        flag: '--model <ID>',
        group: 'Responses',
        description: 'Offer this model, such as gpt-4o, in all operations. Repeatable.',
        default: 'the models of the reference gateway',
        isMain: true,
      }),
      maxTime: value(time, {
        flag: '--max-time <TIME>',
        group: 'What to send',
        description: 'End the command after this time.',
        initial: 600_000,
      }),
      verbose: toggle({
        flag: '--verbose',
        group: 'Reports',
        description: 'Show what the command prints in each situation, and all findings.',
      }),
    },
    remedy: 'Write the command and its flags after `--`: conformance app -- COMMAND.',
    examples: ['app -- pytest', 'app --situation all --model gpt-4o -- npm test'],
  },
  check: {
    name: 'check',
    args: ' <file...>',
    completes: ['files'],
    summary: 'Check recorded traffic (HAR or NDJSON files)',
    description:
      'Checks recorded traffic against the requirements of the suite. Recordings are HAR 1.2 or NDJSON files; - is standard input. Nothing is sent.',
    flags: {
      baseUrl: baseUrlFlag({
        description: 'Judge only the traffic to this base URL.',
        default: '`baseUrl` of the profile, otherwise all requests with the path of an operation',
      }),
      ...targetFlags,
      writeProfile: text({
        flag: '--write-profile <FILE>',
        group: 'Reports',
        description:
          'Write a profile with the models, the billing-type paths and the settings that the traffic shows, but without keys.',
        docs: 'The file must not exist yet. See [What the traffic shows](traffic.md#what-the-traffic-shows).',
      }),
      ...reportFlags,
      ...clientFlags,
    },
    examples: ['check capture.har', 'check --base-url https://gateway.example capture.har'],
  },
  proxy: {
    name: 'proxy',
    args: urlArgument,
    summary: 'Forward and judge the traffic to a gateway',
    description:
      'Forwards requests to a gateway, and prints a violation as soon as the exchanges prove the violation. Some violations are only in the report. Press Ctrl+C to stop the proxy and write the reports.',
    flags: {
      baseUrl: baseUrlFlag({
        description: 'Base URL of the gateway to forward requests to.',
        default: '`baseUrl` of the profile',
      }),
      ...targetFlags,
      ...reportFlags,
      ...clientFlags,
      ...proxyFlags,
      ...certificateFlags,
    },
    examples: ['proxy https://gateway.example'],
  },
  diff: {
    name: 'diff',
    args: ' <old> <new>',
    completes: ['files'],
    summary: 'Compare two JSON reports of one gateway',
    description:
      'Compares two JSON reports of one gateway, and lists the requirements whose results changed. Exits with 1 if a check that was judged before is newly violated, and with 3 if a check is no longer judged, or is violated and was not judged before.',
    flags: comparisonFlags,
    examples: ['diff before.json after.json', 'diff before.json after.json --reporter markdown'],
  },
  compare: {
    name: 'compare',
    args: ' <folder>',
    completes: ['files'],
    summary: 'Compare the JSON reports of several gateways',
    description:
      'Reads the JSON report of each gateway from FOLDER/NAME/report.json, or of each version from FOLDER/NAME/VERSION/report.json, and shows which requirements each gateway satisfies. Nothing is sent.',
    flags: {
      ...comparisonFlags,
      verbose: toggle({
        flag: '--verbose',
        group: 'Reports',
        description: 'Print the result of each requirement, too.',
      }),
    },
    examples: ['compare results --reporter html=results/index.html', 'compare results --reporter markdown'],
  },
  merge: {
    name: 'merge',
    args: ' <file...>',
    completes: ['files'],
    summary: 'Merge the JSON reports of all shards of a run',
    description:
      'Merges the JSON reports of all shards into one report, with one verdict and the counts of all shards.',
    flags: { profile: ownDataFlag, ...reportFlags },
    examples: ['merge shard-1.json shard-2.json --reporter html=conformance.html'],
  },
  serve: {
    name: 'serve',
    summary: 'Start the reference gateway',
    description:
      'Starts the reference gateway, so that you can develop and test clients. Prints the keys of the gateway. Press Ctrl+C to stop the gateway.',
    flags: serveFlags,
    examples: ['serve', 'serve --fault bad-key/beginning-is-enough-for-the-model-list'],
  },
  list: {
    name: 'list',
    args: ' [what] [pattern]',
    completes: [listNames, { ids: nameKinds }],
    summary: 'List requirements, clauses, cases, coverage, suites, operations, faults or variants',
    description:
      'Lists WHAT: requirements (the default), clauses, cases, coverage, suites, operations, faults or variants. With a pattern, lists only the IDs that match: `*` stands for any text.',
    flags: { profile: ownDataFlag },
    examples: ['list', "list cases 'auth/*'", 'list faults models'],
  },
  explain: {
    name: 'explain',
    args: ' <id>',
    completes: [{ ids: ['requirements', 'cases', 'faults', 'variants'] }],
    summary: 'Explain a requirement, a case or a clause',
    description:
      'For a requirement, prints the clauses and the expected response. For a case, prints the requests and the expected responses. For a clause of the specification, prints the sentence and the requirements of the clause. For a fault or a variant of the reference gateway, prints what it does and how to start it.',
    flags: { profile: ownDataFlag },
    examples: ['explain auth/bad-bearer-token', "explain '5 rule 2'"],
  },
  completion: {
    name: 'completion',
    args: ' <shell>',
    completes: [Object.keys(completionScripts)],
    summary: 'Print a script that completes commands, flags and IDs in a shell',
    description:
      'Prints a script for SHELL: bash, zsh or fish. With it, Tab completes commands, flags, and values such as names of reporters, requirement IDs and case IDs. The first lines of the script say how to use it.',
    flags: {},
    examples: ['completion bash'],
  },
} satisfies Readonly<Record<string, CommandRow>>;

/** The values of the flags of a command. */
export type FlagsOf<Name extends keyof typeof commands> = ValuesOf<(typeof commands)[Name]['flags']>;
