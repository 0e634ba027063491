import { styleText } from 'node:util';
import { Command, CommanderError, Option as CommanderOption } from 'commander';
import { packageInfo } from '../../common/package-info.ts';
import { exitCodes } from '../gate/exit-code.ts';
import { describeValue, hideKeys } from '../profile/describe-value.ts';
import { type Option, optionGroups, type ValuesOf } from '../run/define-option.ts';
import { type CommandRow, commands, urlArgument } from './command-table.ts';
import { describeFlag, formatArguments, usageOf } from './flags/describe-flag.ts';
import type { TargetFlags } from './io/target.ts';
import { exitCodeAfterSignal, getStdoutWidth, log, print } from './io/terminal.ts';

/** The width of the help if the output is not a terminal, in columns. */
const pipeWidth = 80;
/** The maximum width of the help, in columns, so that lines stay readable on a wide terminal. */
const longestLine = 100;
/** The minimum width to which Commander wraps text, in columns. If less space is left, the terminal wraps the text. */
const minWidthToWrap = 20;
/** The number of flags up to which `--help` shows all flags of a command. */
const mostInShortHelp = 9;

/**
 * Runs a command line. `--help-all` prints the help with all flags. Logs an error, unless the parser has already
 * logged the error. The stack is logged only for internal errors. Returns the exit code; undefined if the command
 * returned no exit code.
 */
export async function runCommandLine(args: readonly string[]): Promise<number | undefined> {
  try {
    return exitCodeAfterSignal(await parseAndRun(args));
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage;
    const { isUserError, exitCodeOf, formatUserError } = await import('./io/conclude.ts');
    if (!isUserError(error)) return logDefect(error);
    log(formatUserError(error));
    return exitCodeOf(error);
  }
}

/** Logs an internal error with its stack, and returns its exit code. */
export function logDefect(error: unknown): number {
  const details = error instanceof Error ? error.stack : String(error);
  log(
    `conformance: Internal error in this tool. The gateway did not cause the error. Please report the error with this stack:\n${hideKeys(details ?? '', process.env)}`,
  );
  return exitCodes.defect;
}

/** The part of the flags that the help shows; undefined if the command line doesn't ask for help. */
type HelpKind = 'main' | 'all' | undefined;

async function parseAndRun(args: readonly string[]): Promise<number | undefined> {
  // The scripts of `completion` call this at each Tab.
  if (args[0] === 'complete' && args[1] === '--') {
    print(await (await import('./commands/completion.ts')).completeCommand(args.slice(2)));
    return exitCodes.conforms;
  }
  const end = args.indexOf('--');
  const words = end < 0 ? args : args.slice(0, end);
  const isHelp =
    words.length === 0 || words[0] === 'help' || words.some((word) => /^(-h|--help)$/.test(word));
  const help: HelpKind = words.includes('--help-all') ? 'all' : isHelp ? 'main' : undefined;
  const program = createProgram(help);
  let code: number | undefined;
  const on = <Row extends CommandRow>(
    row: Row,
    run: (flags: ValuesOf<Row['flags']>, args: readonly string[]) => Promise<number | undefined>,
  ): Command => {
    const added = addCommand(program, row, help);
    return added.action(async () => {
      if (row.hasDefaults) await setDefaults(added, row);
      code = await run({ ...added.opts(), ...readUrl(row, added) }, added.args);
    });
  };
  const run = on(commands.run, async (flags) => (await import('./commands/run.ts')).runCommand(flags));
  on(commands.init, async (flags) => (await import('./commands/init.ts')).initCommand(flags));
  on(commands.clients, async (flags) => (await import('./commands/clients.ts')).clientsCommand(flags));
  on(commands.app, async (flags, words) => (await import('./commands/app.ts')).appCommand(words, flags));
  on(commands.check, async (flags, files) =>
    (await import('./commands/check.ts')).checkCommand(files, flags),
  );
  on(commands.proxy, async (flags) => (await import('./commands/proxy.ts')).proxyCommand(flags));
  on(commands.diff, async (flags, files) => (await import('./commands/diff.ts')).diffCommand(files, flags));
  on(commands.compare, async (flags, folders) =>
    (await import('./commands/compare.ts')).compareCommand(folders, flags),
  );
  on(commands.merge, async (flags, files) =>
    (await import('./commands/merge.ts')).mergeCommand(files, flags),
  );
  on(commands.serve, async (flags) => (await import('./commands/serve.ts')).serveCommand(flags));
  on(commands.list, async (flags, [what, pattern]) => {
    const { listCommand } = await import('./commands/list.ts');
    print(await listCommand(what, flags, { pattern, width: getStdoutWidth() }));
    return exitCodes.conforms;
  });
  on(commands.explain, async (flags, [id = '']) => {
    print(await (await import('./commands/explain.ts')).explainCommand(id, flags, getStdoutWidth()));
    return exitCodes.conforms;
  });
  on(commands.completion, async (_, [shell = '']) => {
    print((await import('./commands/completion.ts')).completionCommand(shell));
    return exitCodes.conforms;
  });
  program.addHelpText('after', () => `\n${formatProgramEnd(run, help)}`);
  await program.parseAsync(
    args.map((arg, index) => (arg === '--help-all' && index < words.length ? '--help' : arg)),
    { from: 'user' },
  );
  return code;
}

/** Sets the flags that the command line doesn't set to the defaults of the profile. */
async function setDefaults(command: Command, { flags }: CommandRow): Promise<void> {
  const given = command.opts<TargetFlags & { readonly defaults: boolean }>();
  if (!given.defaults) return;
  const { loadDefaults } = await import('./io/load-defaults.ts');
  const defaults = [...(await loadDefaults(given, flags))].filter(
    ([key]) => command.getOptionValueSource(key) !== 'cli',
  );
  for (const [key, value] of defaults) command.setOptionValueWithSource(key, value, 'config');
  if (defaults.length > 0)
    log(
      `conformance: Set by the profile: ${defaults.map(([key]) => flags[key]?.flag.split(' ')[0]).join(', ')}.`,
    );
}

/** Returns the base URL that is an argument. Two different base URLs are a mistake. */
function readUrl({ args }: CommandRow, command: Command): { readonly baseUrl?: string } {
  const [url] = command.args;
  if (args !== urlArgument || url === undefined) return {};
  const { baseUrl = url } = command.opts<{ readonly baseUrl?: string }>();
  return baseUrl === url
    ? { baseUrl }
    : command.error(
        `error: The base URLs ${describeValue(url)} and ${describeValue(baseUrl)} were both given. Keep one.`,
      );
}

function createProgram(help: HelpKind): Command {
  const program = new Command('conformance')
    .usage('COMMAND [FLAGS]')
    .description('Tests AI model gateways against their interface specification.')
    .addHelpOption(helpOption(help))
    .version(packageInfo.version)
    .showSuggestionAfterError()
    .configureOutput({
      outputError: () => {},
      getOutHelpWidth: () => Math.min(process.stdout.columns || pipeWidth, longestLine),
      getErrHelpWidth: () => Math.min(process.stderr.columns || pipeWidth, longestLine),
    })
    .configureHelp({
      minWidthToWrap,
      visibleCommands: (command) => [...command.commands],
      subcommandTerm: (command) => command.name(),
      optionTerm: ({ flags }) => usageOf(flags),
      optionDescription: ({ description }) => description,
      // Commander removes the style if the output has no colours.
      styleTitle: (title) => styleText('bold', title, { validateStream: false }),
    })
    .exitOverride(logMistake('`conformance --help` lists the commands and the main flags.'));
  for (const option of program.options) option.hideHelp(help !== undefined);
  return program;
}

/** Adds a command whose flags have the names of their rows. */
function addCommand(program: Command, row: CommandRow, help: HelpKind): Command {
  const { name, args = '', summary, description, examples } = row;
  const flags = Object.entries(row.flags).sort(
    ([, a], [, b]) => optionGroups.indexOf(a.group) - optionGroups.indexOf(b.group),
  );
  const isShort = help === 'main' && flags.length > mostInShortHelp;
  const added = program
    .command(name + args)
    .usage(`${formatArguments(args)}${flags.length > 0 ? ' [FLAGS]' : ''}`.trim())
    .summary(summary)
    .description(description)
    .addHelpOption(helpOption(help))
    .addHelpText('after', () =>
      [
        `\n${formatExamples(program, examples)}`,
        ...(isShort ? [`\n\`conformance ${name} --help-all\` shows all ${flags.length} flags.`] : []),
      ].join('\n'),
    )
    .exitOverride(
      logMistake(
        row.remedy ??
          `\`conformance ${name} --help${flags.length > 0 ? '-all` lists all flags.' : '` shows the usage.'}`,
      ),
    );
  for (const [key, option] of flags) {
    const flag = new Flag(key, option, (problem) => added.error(problem));
    added.addOption(
      isShort ? flag.helpGroup('Main flags:').hideHelp(!option.isMain) : flag.helpGroup(`${option.group}:`),
    );
  }
  return added;
}

/** Hidden in the help. If the command line doesn't ask for help, a message about an unknown flag can suggest it. */
function helpOption(help: HelpKind): CommanderOption {
  return new CommanderOption('-h, --help').hideHelp(help !== undefined);
}

class Flag extends CommanderOption {
  readonly key: string;

  constructor(key: string, option: Option, fail: (problem: string) => never) {
    super(option.flag, describeFlag(option));
    this.key = key;
    const { takes, initial } = option;
    this.default(initial);
    if (typeof takes === 'object')
      this.argParser((text) => {
        const value = takes.parse(text);
        if (value !== undefined) return value;
        return fail(`Invalid value for ${this.long}: ${describeValue(text)}. Expected ${takes.expected}.`);
      });
    else if (takes === 'list' && !this.variadic)
      this.argParser((text, before: readonly string[]) => [...before, text]);
  }

  /** The name of the value of this flag. */
  override attributeName(): string {
    return this.key;
  }
}

/** Formats the end of the help of the program: the flags of `run`, examples, and how to get more help. */
function formatProgramEnd(run: Command, help: HelpKind): string {
  const style = run.createHelp();
  style.prepareContext({ helpWidth: Math.min(process.stdout.columns || pipeWidth, longestLine) });
  const shown = run.options.filter(({ hidden }) => !hidden);
  const width = Math.max(...shown.map((option) => style.optionTerm(option).length));
  const groups = style.groupItems([...run.options], shown, ({ helpGroupHeading = '' }) => helpGroupHeading);
  const lines = [...groups].flatMap(([heading, options]) =>
    style.formatItemList(
      help === 'all' ? heading : 'Main flags of `run`:',
      options.map((option) =>
        style.formatItem(style.optionTerm(option), width, style.optionDescription(option), style),
      ),
      style,
    ),
  );
  return [
    ...(help === 'all' ? ['All flags of `run`:', ''] : []),
    ...lines,
    formatExamples(run, [
      'run https://gateway.example',
      'run --reporter junit=conformance.xml --baseline known.yaml',
    ]),
    '',
    style.styleTitle('More:'),
    '  conformance COMMAND --help      Main flags of a command',
    '  conformance COMMAND --help-all  All flags of a command',
    '  conformance --version           Version',
  ].join('\n');
}

function formatExamples(command: Command, examples: readonly string[]): string {
  const title = command.createHelp().styleTitle('Examples:');
  return [title, ...examples.map((example) => `  $ conformance ${example}`)].join('\n');
}

const keyHint =
  'Set GATEWAY_API_KEY, or use --key-file FILE: a key on the command line would stay in the history of the shell.';
const urlHint = 'Give the base URL as an argument: `conformance run https://gateway.example`.';
const reporterHint = 'Use --reporter NAME=FILE, such as --reporter json=report.json.';

/** What to use instead of flags and commands of other tools. */
const hints: Readonly<Record<string, string>> = {
  '--url': urlHint,
  '--host': urlHint,
  '--endpoint': urlHint,
  '--target-url': urlHint,
  '--api-key': keyHint,
  '--key-value': keyHint,
  '--token': keyHint,
  '--output': reporterHint,
  '--out': reporterHint,
  '-o': reporterHint,
  '--format': reporterHint,
  '--json': reporterHint,
  '--html': reporterHint,
  '--junit': reporterHint,
  '--no-color': 'Set NO_COLOR=1.',
  '--filter': 'Use --only PATTERN.',
  '--grep': 'Use --only PATTERN.',
  '--failed': 'Use --last-failed.',
  '--lf': 'Use --last-failed.',
  '-v': 'Use --verbose, or --version.',
  '--debug': 'Use --verbose.',
  '--config': 'Use --profile FILE.',
  '-c': 'Use --profile FILE.',
  '--port': urlHint,
  '--parallel': 'Use --concurrency N.',
  '--workers': 'Use --concurrency N.',
  '-j': 'Use --concurrency N.',
  '--list': 'Use `conformance list`.',
  doctor: '`conformance init` shows what works with a gateway.',
  version: 'Use --version.',
  test: 'Did you mean "run"?',
  start: 'Did you mean "serve"?',
  server: 'Did you mean "serve"?',
};

/** The mistakes of users in the words of this command, by the code of Commander's error. `quoted` is what it quotes. */
const mistakes: Readonly<Record<string, (quoted: string) => string>> = {
  'commander.unknownOption': (flag) => `Unknown flag ${flag.replace(/=.*/s, '')}.`,
  'commander.unknownCommand': (name) => `Unknown command ${describeValue(name)}.`,
  'commander.optionMissingArgument': (flag) => `${flag.split(' ')[0]} needs a value: ${usageOf(flag)}.`,
  'commander.missingArgument': (name) => `Missing argument: ${name.toUpperCase()}.`,
};

/** Returns a function that logs the mistake of an error with a remedy, and throws the error. */
function logMistake(remedy: string): (error: CommanderError) => never {
  return (error) => {
    if (error.exitCode !== 0 && error.code !== 'commander.help') {
      log(`conformance: ${formatMistake(error)}`);
      log(remedy);
    }
    throw error;
  };
}

/** Hides keys, because a user may have entered a key as a value. */
function formatMistake({ code, message }: CommanderError): string {
  const [problem = '', suggestion] = message.replace(/^error: /, '').split(/\n\(Did you mean (.*)\?\)$/s);
  const [, quoted = ''] = /'(.*)'/s.exec(problem) ?? [];
  const sentence = mistakes[code]?.(quoted) ?? problem.replace(/^./, (letter) => letter.toUpperCase());
  const hint =
    /^https?:/.test(quoted) && code === 'commander.unknownCommand'
      ? urlHint
      : hints[quoted.replace(/=.*/s, '')];
  if (hint !== undefined) return hideKeys(`${sentence} ${hint}`, process.env);
  const named = suggestion !== undefined && /^\w\S*$/.test(suggestion) ? `"${suggestion}"` : suggestion;
  return hideKeys(`${sentence}${named === undefined ? '' : ` Did you mean ${named}?`}`, process.env);
}
