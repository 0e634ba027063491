import type { CommandHelp, Flag } from './help.ts';
import { initFlags } from './init-flags.ts';
import { proxyFlags, serveFlags } from './listen-flags.ts';
import { allowSetupFlag, compareFlag, lifecycleFlags, paceFlags, selectionFlags } from './run-flags.ts';
import {
  certificateFlags,
  clientFlag,
  createTargetFlags,
  gatewayFlags,
  judgingFlags,
  reportFlags,
  strictClientFlag,
  writeProfileFlag,
} from './shared-flags.ts';

const sdkFlag: Flag = {
  name: '--sdk <NAME>',
  group: 'What to send',
  description: 'SDK to test: openai, anthropic, google, ai-openai, ai-anthropic or ai-google. Repeatable.',
  default: 'all installed SDKs',
  takes: 'list',
  isMain: true,
};

/** The help of `run`. The help of the program also shows the main flags of `run`. */
const run: CommandHelp = {
  name: 'run',
  summary: 'Test a gateway, or the bundled reference gateway',
  description:
    'Sends valid and invalid requests to a gateway and reports which requirements its responses violate. Without a base URL, a profile or ./conformance.yaml, the command starts and tests the bundled reference gateway.',
  flags: [
    ...gatewayFlags,
    allowSetupFlag,
    compareFlag,
    ...selectionFlags,
    ...judgingFlags,
    ...reportFlags,
    ...lifecycleFlags,
    ...paceFlags,
    ...certificateFlags,
  ],
  examples: [
    'run --base-url https://gateway.example',
    "run --only 'auth/*' --reporter html=conformance.html",
  ],
};

/** The help of each command, in the order of the help of the program. */
export const commandHelps = {
  run,
  init: {
    name: 'init',
    summary: 'Write a profile of a gateway',
    description:
      'Sends valid requests to a gateway, reports how the gateway responds, and writes a commented profile.',
    flags: initFlags,
    examples: ['init --base-url https://gateway.example', 'init --profile conformance.yaml --force'],
  },
  clients: {
    name: 'clients',
    summary: 'Test a gateway through the official SDKs',
    description:
      'Calls a gateway with the installed official SDKs, and reports the results and errors that the users of the SDKs get. Without a base URL, a profile or ./conformance.yaml, the command starts and tests the bundled reference gateway.',
    flags: [...gatewayFlags, sdkFlag, ...judgingFlags, ...reportFlags, ...certificateFlags],
    examples: ['clients --base-url https://gateway.example --sdk openai'],
  },
  check: {
    name: 'check',
    args: ' <file...>',
    summary: 'Check recorded traffic (HAR or NDJSON files)',
    description:
      'Checks recorded traffic against the requirements of the suite. Recordings are HAR 1.2 or NDJSON files; - is standard input. Nothing is sent.',
    flags: [
      ...createTargetFlags({
        description: 'Judge only the traffic to this base URL.',
        default: '`baseUrl` of the profile, otherwise all requests with the path of an operation',
      }),
      writeProfileFlag,
      ...judgingFlags,
      clientFlag,
      strictClientFlag,
      ...reportFlags,
    ],
    examples: ['check capture.har', 'check --base-url https://gateway.example capture.har'],
  },
  proxy: {
    name: 'proxy',
    summary: 'Forward and judge the traffic to a gateway',
    description:
      'Forwards requests to a gateway, and prints a violation as soon as the exchanges prove the violation. Some violations are only in the report. Press Ctrl+C to stop the proxy and write the reports.',
    flags: [
      ...createTargetFlags({
        description: 'Base URL of the gateway to forward requests to.',
        default: '`baseUrl` of the profile',
      }),
      ...judgingFlags,
      clientFlag,
      strictClientFlag,
      ...reportFlags,
      ...proxyFlags,
      ...certificateFlags,
    ],
    examples: ['proxy --base-url https://gateway.example'],
  },
  diff: {
    name: 'diff',
    args: ' <old> <new>',
    summary: 'Compare two JSON reports of one gateway',
    description:
      'Compares two JSON reports of one gateway, and lists the requirements whose results changed. Exits with 1 if a check that was judged before is newly violated, and with 3 if a check is no longer judged, or is violated and was not judged before.',
    flags: [
      {
        name: '--markdown',
        group: 'Reports',
        description: 'Print Markdown, for example for a comment on a pull request.',
        takes: 'switch',
      },
    ],
    examples: ['diff before.json after.json'],
  },
  merge: {
    name: 'merge',
    args: ' <file...>',
    summary: 'Merge the JSON reports of all shards of a run',
    description:
      'Merges the JSON reports of all shards into one report, with one verdict and the counts of all shards.',
    flags: [...judgingFlags, ...reportFlags],
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
    args: ' [what]',
    summary: 'List requirements, clauses, cases, coverage, suites, operations, faults or variants',
    description:
      'Lists WHAT: requirements (the default), clauses, cases, coverage, suites, operations, faults or variants.',
    flags: [],
    examples: ['list', 'list cases'],
  },
  explain: {
    name: 'explain',
    args: ' <id>',
    summary: 'Explain a requirement, a case or a clause',
    description:
      'For a requirement, prints the clauses and the expected response. For a case, prints the requests and the expected responses. For a clause of the specification, prints the sentence and the requirements of the clause.',
    flags: [],
    examples: ['explain auth/bad-bearer-token', "explain '5 rule 2'"],
  },
} as const satisfies Readonly<Record<string, CommandHelp>>;
