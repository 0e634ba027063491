import { styleText } from 'node:util';
import type { ValueKind } from './parse-value.ts';

/** The groups of flags, in the order of `--help-all` and docs/flags.md. */
export const flagGroups = [
  'Target and keys',
  'The profile',
  'What to send',
  'Responses',
  'Judging and baseline',
  'Reports',
  'CI and watch mode',
  'Listening',
  'Network',
] as const;

/** A flag of one or several commands, with its description in the help and in docs/flags.md. */
export interface Flag {
  /** The name and the value: `--base-url <URL>`. */
  readonly name: string;
  readonly group: (typeof flagGroups)[number];
  readonly description: string;
  /** Further sentences for docs/flags.md, in Markdown. */
  readonly docs?: string;
  /** The default in words, in Markdown. */
  readonly default?: string;
  /** Whether the short help shows the flag if the command has more than 9 flags. Default: false. */
  readonly isMain?: boolean;
  /**
   * The kind of the value. `switch`: no value; `text`: any value; `list`: any value, repeatable; a `ValueKind`: a value
   * of this kind.
   */
  readonly takes: 'switch' | 'text' | 'list' | ValueKind<unknown>;
  /**
   * The value if the flag is omitted. Not used for switches and lists: an omitted switch is false (for `--no-…`: true),
   * and an omitted list is empty.
   */
  readonly initial?: unknown;
}

/** Formats the usage of a flag: `--base-url URL`, `--header 'NAME: VALUE'`, `--watch [PATH…]`. */
export function usageOf({ name }: Pick<Flag, 'name'>): string {
  return name
    .replace(/<([^>]*)>/, (_, value: string) => (value.includes(' ') ? `'${value}'` : value))
    .replace('...', '…');
}

/** A command, with its description in the help and in docs/flags.md. */
export interface CommandHelp {
  readonly name: string;
  /** The arguments in the form of Commander, each after a space: ` <file...>`. */
  readonly args?: string;
  /** The description in the list of commands. */
  readonly summary: string;
  readonly description: string;
  readonly flags: readonly Flag[];
  readonly examples: readonly string[];
}

export interface HelpStyle {
  readonly columns: number;
  readonly showsAll: boolean;
  /** Wraps a text to a number of columns, and returns the lines separated by line feeds. */
  readonly wrap: (text: string, columns: number) => string;
}

const maxFlagsInFullHelp = 9;

/**
 * Formats the help of a command. Shows only the main flags if the command has more than 9 flags and `showsAll` is
 * false.
 */
export function formatCommandHelp(help: CommandHelp, style: HelpStyle): string {
  const { name, args = '', description, flags, examples } = help;
  const isShort = !style.showsAll && flags.length > maxFlagsInFullHelp;
  const shown = isShort ? flags.filter(({ isMain }) => isMain) : flags;
  const parts = [
    `${formatHeading('Usage:')} conformance ${name}${formatArguments(args)}${flags.length > 0 ? ' [FLAGS]' : ''}`,
    hang(style, '', description).join('\n'),
    ...(isShort ? [formatSection('Main flags', shown, style)] : formatGroups(shown, style)),
    formatExamples(
      'Examples',
      examples.map((example) => `$ conformance ${example}`),
    ),
    ...(isShort ? [`\`conformance ${name} --help-all\` shows all ${flags.length} flags.`] : []),
  ];
  return `${parts.join('\n\n')}\n`;
}

/**
 * Formats the help of the program: the commands, and the main flags of the command `main`. If `showsAll` is true,
 * shows all flags of this command.
 */
export function formatProgramHelp(
  commands: readonly CommandHelp[],
  {
    main,
    description,
    examples,
  }: { readonly main: CommandHelp; readonly description: string; readonly examples: readonly string[] },
  style: HelpStyle,
): string {
  const longest = Math.max(...commands.map(({ name }) => name.length));
  const flags = style.showsAll ? main.flags : main.flags.filter(({ isMain }) => isMain);
  const parts = [
    `${formatHeading('Usage:')} conformance COMMAND [FLAGS]`,
    hang(style, '', description).join('\n'),
    [
      formatHeading('Commands:'),
      ...commands.flatMap(({ name, summary }) => hang(style, `  ${name.padEnd(longest)}  `, summary)),
    ].join('\n'),
    ...(style.showsAll
      ? [`All flags of \`${main.name}\`:`, ...formatGroups(flags, style)]
      : [formatSection(`Main flags of \`${main.name}\``, flags, style)]),
    formatExamples(
      'Examples',
      examples.map((example) => `$ conformance ${example}`),
    ),
    [
      formatHeading('More:'),
      '  conformance COMMAND --help      Main flags of a command',
      '  conformance COMMAND --help-all  All flags of a command',
      '  conformance --version           Version',
    ].join('\n'),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** Formats the arguments of a command for a usage line: ` <file...>` becomes ` FILE…`. */
export function formatArguments(args: string): string {
  return args.replace(/[<>]/g, '').replaceAll('...', '…').toUpperCase();
}

function formatGroups(flags: readonly Flag[], style: HelpStyle): string[] {
  const names = flags.map((flag) => usageOf(flag).length);
  return flagGroups.flatMap((group) => {
    const own = flags.filter((flag) => flag.group === group);
    return own.length === 0 ? [] : [formatSection(group, own, style, Math.max(...names))];
  });
}

function formatSection(title: string, flags: readonly Flag[], style: HelpStyle, longest = 0): string {
  const names = flags.map(usageOf);
  const room = Math.max(longest, ...names.map(({ length }) => length));
  return [
    formatHeading(`${title}:`),
    ...flags.flatMap((flag, index) =>
      hang(style, `  ${(names[index] ?? '').padEnd(room)}  `, describeFlag(flag)),
    ),
  ].join('\n');
}

function hang({ columns, wrap }: HelpStyle, prefix: string, text: string): string[] {
  return wrap(text, columns - prefix.length)
    .split('\n')
    .map((line, index) => (index === 0 ? prefix : ' '.repeat(prefix.length)) + line);
}

function describeFlag({ description, default: value }: Flag): string {
  const text = description.replace(/`([-.$A-Z][^`]*)`/g, '$1');
  return value === undefined ? text : `${text} Default: ${value.replaceAll('`', '')}.`;
}

function formatExamples(title: string, lines: readonly string[]): string {
  return [formatHeading(`${title}:`), ...lines.map((line) => `  ${line}`)].join('\n');
}

/** Formats a heading in bold. Commander removes the style if the output has no colours. */
function formatHeading(text: string): string {
  return styleText('bold', text, { validateStream: false });
}
