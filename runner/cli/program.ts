import { Command, CommanderError, type Help, InvalidArgumentError, Option } from 'commander';
import { packageInfo } from '../../common/package-info.ts';
import { exitCodes } from '../gate/exit-code.ts';
import { hideKeys } from '../profile/describe-value.ts';
import type { CheckFlags } from './commands/check.ts';
import type { ClientsFlags } from './commands/clients.ts';
import type { DiffFlags } from './commands/diff.ts';
import type { InitFlags } from './commands/init-start.ts';
import type { MergeFlags } from './commands/merge.ts';
import type { ProxyFlags } from './commands/proxy.ts';
import type { ServeFlags } from './commands/serve.ts';
import { commandHelps } from './flags/command-help.ts';
import {
  type CommandHelp,
  type Flag,
  formatCommandHelp,
  formatProgramHelp,
  type HelpStyle,
} from './flags/help.ts';
import { formatParseError, type ValueKind } from './flags/parse-value.ts';
import type { RunFlags } from './flags/run-flags.ts';
import { exitCodeAfterSignal, getStdoutWidth, log, print } from './io/terminal.ts';

/** The width of the help if the output is not a terminal, in columns. */
const pipeWidth = 80;
/** The maximum width of the help, in columns, so that lines stay readable on a wide terminal. */
const longestLine = 100;
/** The minimum width to which Commander wraps text, in columns. If less space is left, the terminal wraps the text. */
const minWidthToWrap = 20;
let showsAll = false;
let code: number | undefined;

const program = new Command('conformance')
  .version(packageInfo.version)
  .showSuggestionAfterError()
  .configureOutput({
    outputError: (text) => log(formatParseError(text, process.env)),
    getOutHelpWidth: () => process.stdout.columns || pipeWidth,
    getErrHelpWidth: () => process.stderr.columns || pipeWidth,
  })
  .showHelpAfterError('`conformance --help` lists the commands and the main flags.')
  .configureHelp({
    minWidthToWrap,
    formatHelp: (_, help) =>
      formatProgramHelp(
        Object.values(commandHelps),
        {
          main: commandHelps.run,
          description: 'Tests AI model gateways against their interface specification.',
          examples: [
            'run --base-url https://gateway.example',
            'run --reporter junit=conformance.xml --baseline known.yaml',
          ],
        },
        styleOf(help),
      ),
  })
  .exitOverride();

/**
 * Runs a command line. `--help-all` prints the help with all flags. Logs an error, unless the parser has already
 * printed the error. The stack is logged only for internal errors. Returns the exit code; undefined if the command
 * returned no exit code.
 */
export async function runCommandLine(args: readonly string[]): Promise<number | undefined> {
  code = undefined;
  try {
    await parseAndRun(args);
    return exitCodeAfterSignal(code);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage;
    const { isUserError, exitCodeOf, formatUserError } = await import('./io/conclude.ts');
    if (!isUserError(error)) return logDefect(error);
    log(formatUserError(error));
    return exitCodeOf(error);
  }
}

async function parseAndRun(args: readonly string[]): Promise<void> {
  const end = args.indexOf('--');
  const isHelpAll = (arg: string, index: number): boolean => arg === '--help-all' && (end < 0 || index < end);
  showsAll = args.some(isHelpAll);
  await program.parseAsync(
    args.map((arg, index) => (isHelpAll(arg, index) ? '--help' : arg)),
    { from: 'user' },
  );
}

/** Logs an internal error with its stack, and returns its exit code. */
export function logDefect(error: unknown): number {
  const details = error instanceof Error ? error.stack : String(error);
  log(
    `conformance: Internal error in this tool. The gateway did not cause the error. Please report the error with this stack:\n${hideKeys(details ?? '', process.env)}`,
  );
  return exitCodes.defect;
}

command(commandHelps.run).action(async (flags: RunFlags) => {
  const { runCommand } = await import('./commands/run.ts');
  code = await runCommand(flags);
});

command(commandHelps.clients).action(async (flags: ClientsFlags) => {
  const { clientsCommand } = await import('./commands/clients.ts');
  code = await clientsCommand(flags);
});

command(commandHelps.init).action(async (flags: InitFlags) => {
  const { initCommand } = await import('./commands/init.ts');
  code = await initCommand(flags);
});

command(commandHelps.serve).action(async (flags: ServeFlags) => {
  const { serveCommand } = await import('./commands/serve.ts');
  await serveCommand(flags);
});

command(commandHelps.list).action(async (what = 'requirements') => {
  const { listCommand } = await import('./commands/list.ts');
  print(await listCommand(what, getStdoutWidth()));
});

command(commandHelps.explain).action(async (id: string) => {
  const { explainCommand } = await import('./commands/explain.ts');
  print(await explainCommand(id, getStdoutWidth()));
});

command(commandHelps.merge).action(async (files: readonly string[], flags: MergeFlags) => {
  const { mergeCommand } = await import('./commands/merge.ts');
  code = await mergeCommand(files, flags);
});

command(commandHelps.check).action(async (files: readonly string[], flags: CheckFlags) => {
  const { checkCommand } = await import('./commands/check.ts');
  code = await checkCommand(files, flags);
});

command(commandHelps.proxy).action(async (flags: ProxyFlags) => {
  const { proxyCommand } = await import('./commands/proxy.ts');
  code = await proxyCommand(flags);
});

command(commandHelps.diff).action(async (before: string, now: string, flags: DiffFlags) => {
  const { diffCommand } = await import('./commands/diff.ts');
  code = await diffCommand(before, now, flags);
});

/**
 * Returns the style of the help. Commander wraps the help, because the packages that wrap reports would slow down the
 * start of every command.
 */
function styleOf(help: Help): HelpStyle {
  return {
    columns: Math.min(help.helpWidth ?? pipeWidth, longestLine),
    showsAll,
    wrap: (text, columns) => help.boxWrap(text, columns),
  };
}

function command(help: CommandHelp): Command {
  const { name, args = '', flags } = help;
  const added = program
    .command(name + args)
    .showHelpAfterError(
      `\`conformance ${name} --help${flags.length > 0 ? '-all` lists all flags.' : '` shows the usage.'}`,
    )
    .configureHelp({
      minWidthToWrap,
      formatHelp: (_, style) => formatCommandHelp(help, styleOf(style)),
    });
  addFlags(added, flags);
  return added;
}

function addFlags(command: Command, flags: readonly Flag[]): void {
  for (const { name, takes, initial } of flags) {
    const option = new Option(name);
    // A flag such as `--no-console` disables a feature that is enabled by default.
    if (takes === 'switch') option.default(option.negate);
    else if (takes === 'list') option.argParser(collect).default([]);
    else if (takes !== 'text') option.argParser(parserOf(takes)).default(initial);
    else if (initial !== undefined) option.default(initial);
    command.addOption(option);
  }
}

function collect(value: string, before: readonly string[]): string[] {
  return [...before, value];
}

function parserOf<T>({ parse, hint }: ValueKind<T>): (text: string) => T {
  return (text) => {
    const parsed = parse(text);
    if (parsed === undefined) throw new InvalidArgumentError(hint);
    return parsed;
  };
}
