import { Command, CommanderError, Help, InvalidArgumentError, Option } from 'commander';
import { packageInfo } from '../../contract/package-info.ts';
import { greatestSeed, mostGenerated } from '../fuzz/fuzz-limits.ts';
import type { CheckFlags } from './commands/check.ts';
import type { ClientsFlags } from './commands/clients.ts';
import type { DiffFlags } from './commands/diff.ts';
import type { InitFlags } from './commands/init-start.ts';
import type { MergeFlags } from './commands/merge.ts';
import type { ProxyFlags } from './commands/proxy.ts';
import type { RunFlags } from './commands/run-flags.ts';
import type { ServeFlags } from './commands/serve.ts';
import { duration, rate, shard, type ValueKind, wholeNumber, withoutValues } from './flags/parse-value.ts';
import {
  gatewayFlags,
  initFlags,
  listenFlags,
  reachFlags,
  reportFlags,
  type SharedFlag,
  selectionFlags,
  targetFlags,
  trafficFlags,
} from './flags/shared-flags.ts';
import { log, print, stdoutWidth } from './io/terminal.ts';

const count = wholeNumber(1, Number.MAX_SAFE_INTEGER, 'It is a whole number from 1.');
const amount = wholeNumber(0, Number.MAX_SAFE_INTEGER, 'It is a whole number from 0.');
const drawn = wholeNumber(1, mostGenerated, `It is a whole number from 1 to ${mostGenerated}.`);
const seed = wholeNumber(0, greatestSeed, `A seed is 0 to ${greatestSeed}.`);
const port = wholeNumber(0, 65_535, 'A port is 0 to 65535.');
const help = new Help();
/** A default that says nothing, such as that a flag is not set, is not shown. */
const withoutEmptyDefault = (option: Option): string =>
  help.optionDescription(option).replace(/ \(default: (false|\[\]|0|1)\)$/, '');

/** The command line: every command and flag, each command loaded where it is called. */
export const program: Command = new Command('conformance')
  .description('Judges AI model gateways against their interface specification.')
  .version(packageInfo.version)
  .configureHelp({ optionDescription: withoutEmptyDefault })
  .showSuggestionAfterError()
  .showHelpAfterError('(--help shows every command and flag)')
  .configureOutput({ outputError: (text) => log(withoutValues(text, process.env).trimEnd()) })
  .exitOverride();

const runCommand = program
  .command('run')
  .description('Judge a gateway. Without a target, start the reference gateway and judge it.');

withFlags(runCommand.optionsGroup('The gateway:'), ...gatewayFlags)
  .option(
    '--target <name=url>',
    'one of several to compare, by its base URL or a profile: NAME=URL or NAME=FILE; two to eight times',
    collect,
    [],
  )
  .option('--wait <time>', 'wait for a gateway that is still starting', value(duration), 0);

withFlags(runCommand.optionsGroup('What is sent:'), ...selectionFlags)
  .option('--shard <i/n>', 'only the i-th of n parts; `merge` makes one report of all', value(shard))
  .option(
    '--repeat <n>',
    'send every case n times, to find what answers otherwise now and then',
    value(count),
    1,
  )
  .option('--fuzz <n>', 'send n requests more, drawn at random', value(drawn))
  .option('--seed <n>', 'draw the same as another run did (default: any)', value(seed))
  .option('--safe', 'for production: slow, no burst, few bad keys, no billed calls but the controls', false)
  .option('--max-billable <n>', 'refuse to make more calls that may be billed', value(amount))
  .option('--dry-run', 'show what would be sent, and send nothing', false)

  .optionsGroup('How fast:')
  .option('--concurrency <n>', 'requests at once (default: 8, with --safe 2)', value(count))
  .option(
    '--rate <n/s>',
    'requests a second or minute, such as 5/s; no burst then (with --safe: 5/s)',
    value(rate),
  )
  .addOption(limit('--connect-timeout <time>', 'for a connection', 5_000))
  .addOption(limit('--first-byte-timeout <time>', 'for the head of an answer', 10_000))
  .addOption(limit('--success-timeout <time>', 'for the head of a success, since models think', 60_000))
  .addOption(limit('--idle-timeout <time>', 'between two pieces of a body', 30_000))
  .addOption(limit('--total-timeout <time>', 'for a whole exchange', 120_000))
  .addOption(
    new Option('--max-body <bytes>', 'the longest body that is read')
      .argParser(value(count))
      .default(1024 * 1024, '1 MiB'),
  )

  .optionsGroup('What is reported, and when it fails:');

withFlags(runCommand, ...reportFlags)
  .option('--bail', 'stop at the first violation that is not in the baseline', false)
  .option('--watch [paths...]', 'run again when a key is pressed or a file below these paths changes')
  .option('--max-time <time>', 'stop after this time, and report what was judged', value(duration))
  .action(async (flags: RunFlags) => {
    const { runCommand } = await import('./commands/run.ts');
    process.exitCode = await runCommand(flags);
  });

const clientsCommand = program
  .command('clients')
  .description(
    'Drive the official SDKs that are installed against a gateway. Without a target, against the reference gateway.',
  );

withFlags(clientsCommand.optionsGroup('The gateway:'), ...gatewayFlags)
  .optionsGroup('Which SDKs:')
  .option(
    '--sdk <name>',
    'openai, anthropic, google, ai-openai, ai-anthropic or ai-google; several times (default: all that are installed)',
    collect,
    [],
  )
  .optionsGroup('What is reported, and when it fails:');

withFlags(clientsCommand, ...reportFlags).action(async (flags: ClientsFlags) => {
  const { clientsCommand } = await import('./commands/clients.ts');
  process.exitCode = await clientsCommand(flags);
});

withFlags(program.command('init'), ...initFlags)
  .description('Send valid requests to a gateway and write what answers into a commented profile.')
  .option('--output <file>', 'the profile to write', 'conformance.yaml')
  .action(async (flags: InitFlags) => {
    const { initCommand } = await import('./commands/init.ts');
    process.exitCode = await initCommand(flags);
  });

withFlags(program.command('serve'), ...listenFlags)
  .description('Start the reference gateway, to develop clients against.')
  .option('--host <address>', 'the address to listen on', '127.0.0.1')
  .option('--port <n>', 'the port to listen on; 0 takes a free one', value(port), 8787)
  .option('--fault <id>', 'with this defect, to see the suite at work; several times', collect, [])
  .option('--variant <id>', 'with this legal oddity; several times', collect, [])
  .option('--script <file>', 'answer as the rules of this file say')
  .option(
    '--throttle <n>',
    'answer the first n requests of every operation 429 with Retry-After: 1',
    value(count),
  )
  .option('--latency <time>', 'wait so long before the first byte of every answer', value(duration))
  .option('--break-stream <n>', 'break the connection of every streamed answer after n chunks', value(amount))
  .action(async (flags: ServeFlags) => {
    const { serveCommand } = await import('./commands/serve.ts');
    await serveCommand(flags);
  });

program
  .command('list')
  .description('List what there is.')
  .argument('[what]', 'requirements, cases, suites, operations, faults or variants', 'requirements')
  .action(async (what: string) => {
    const { listCommand } = await import('./commands/list.ts');
    print(await listCommand(what, stdoutWidth()));
  });

program
  .command('explain')
  .description('Explain a requirement or a case: the clause, what is sent, what is expected, a curl line.')
  .argument('<id>', 'the id of a requirement or a case')
  .action(async (id: string) => {
    const { explainCommand } = await import('./commands/explain.ts');
    print(await explainCommand(id, stdoutWidth()));
  });

withFlags(
  program
    .command('merge')
    .description('Make one report of the JSON reports of all shards, as of an undivided run.')
    .argument('<file...>', 'the JSON report of each shard'),
  ...reportFlags,
).action(async (files: readonly string[], flags: MergeFlags) => {
  const { mergeCommand } = await import('./commands/merge.ts');
  process.exitCode = await mergeCommand(files, flags);
});

const checkCommand = program
  .command('check')
  .description('Judge recorded traffic: HAR 1.2 or NDJSON files, - for standard input.')
  .argument('<file...>', 'the recordings');

withFlags(checkCommand, ...targetFlags, ...reportFlags, ...trafficFlags).action(
  async (files: readonly string[], flags: CheckFlags) => {
    const { checkCommand } = await import('./commands/check.ts');
    process.exitCode = await checkCommand(files, flags);
  },
);

const proxyCommand = program
  .command('proxy')
  .description('Pass calls on to a gateway, and judge them as they pass; ends with Ctrl+C and its reports.');

withFlags(proxyCommand, ...targetFlags, ...reachFlags, ...reportFlags, ...trafficFlags, ...listenFlags)
  .option('--port <n>', 'the port for clients; 0 takes a free one', value(port), 8788)
  .option('--control-port <n>', 'the port that tells the report so far; 0 takes a free one', value(port), 0)
  .action(async (flags: ProxyFlags) => {
    const { proxyCommand } = await import('./commands/proxy.ts');
    process.exitCode = await proxyCommand(flags);
  });

program
  .command('diff')
  .description('Say what changed between two JSON reports; fail with 1 where something got worse.')
  .argument('<old>', 'the JSON report of before')
  .argument('<new>', 'the JSON report of now')
  .option('--markdown', 'as Markdown, such as for a comment on a pull request', false)
  .action(async (before: string, now: string, flags: DiffFlags) => {
    const { diffCommand } = await import('./commands/diff.ts');
    process.exitCode = await diffCommand(before, now, flags);
  });

/** A command with flags that others have too. */
function withFlags(command: Command, ...shared: readonly SharedFlag[]): Command {
  for (const { flags, does, takes } of shared) {
    if (takes === 'several') command.option(flags, does, collect, []);
    else if (takes === 'switch') command.option(flags, does, false);
    else command.option(flags, does);
  }
  return command;
}

/** The exit code of what the command line itself ends with, such as an unknown flag or --help; undefined for all else. */
export function endingOf(error: unknown): number | undefined {
  return error instanceof CommanderError ? error.exitCode : undefined;
}

function collect(value: string, before: readonly string[]): string[] {
  return [...before, value];
}

function value<T>({ parse, hint }: ValueKind<T>): (text: string) => T {
  return (text) => {
    const parsed = parse(text);
    if (parsed === undefined) throw new InvalidArgumentError(hint);
    return parsed;
  };
}

function limit(flags: string, of: string, milliseconds: number): Option {
  return new Option(flags, `time limit ${of}`)
    .argParser(value(duration))
    .default(milliseconds, `${milliseconds / 1000}s`);
}
