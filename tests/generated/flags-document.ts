import { type CommandRow, commands } from '../../runner/cli/command-table.ts';
import { formatDefault, usageOf } from '../../runner/cli/flags/describe-flag.ts';
import { type Option, optionGroups } from '../../runner/run/define-option.ts';
import { runOptions } from '../../runner/run/options.ts';

const mark = '<!-- The tables below are written by `npm run generate`. -->';
const rows: readonly CommandRow[] = Object.values(commands);

/** Returns docs/flags.md with the tables of the flags, in the groups of --help-all. */
export function updateFlagsDocument(document: string): string {
  return document.replace(/^## (\w+)$.*?(?=^## |$(?![\s\S]))/gms, (section, name: string) => {
    const flags = Object.values(rows.find((item) => item.name === name)?.flags ?? {});
    const [prose = ''] = section.split(mark);
    return flags.length > 0 ? `${prose.trimEnd()}\n\n${mark}\n\n${tables(flags)}\n` : section;
  });
}

/** Returns docs/library.md with the table of the options of a run. */
export function updateLibraryDocument(document: string): string {
  return document.replace(
    /(?<=written by `npm run generate`. -->\n\n).*?(?=\n\n)/s,
    [
      '| Option | Value | Default | Flag of `run` |',
      '|---|---|---|---|',
      ...Object.entries<Option>(runOptions).map(optionRow),
    ].join('\n'),
  );
}

/** Returns the tables of a command: one for each group of flags. */
function tables(flags: readonly Option[]): string {
  return optionGroups
    .flatMap((group) => {
      const own = flags.filter((flag) => flag.group === group);
      return own.length === 0
        ? []
        : [`**${group}**\n\n| Flag | Default | Description |\n|---|---|---|\n${own.map(row).join('\n')}\n`];
    })
    .join('\n');
}

function row(option: Option): string {
  const { flag, description, docs } = option;
  const text = [withCode(description), docs].filter(Boolean);
  return `| \`${usageOf(flag)}\` | ${formatDefault(option)} | ${text.join(' ')} |`.replaceAll('  ', ' ');
}

function optionRow([name, option]: readonly [string, Option]): string {
  const { flag, takes, default: words, initial } = option;
  const kind = { switch: 'a boolean', list: 'a list of texts' };
  const values = typeof takes === 'object' ? takes.inCode?.expected : kind[takes];
  const value = words ?? (initial === undefined ? '' : `\`${JSON.stringify(initial)}\``);
  return `| \`${name}\` | ${values} | ${value} | \`${usageOf(flag)}\` |`;
}

/** Returns a description with a star as code, which Markdown would take for emphasis. */
function withCode(description: string): string {
  return description.replaceAll(' * ', ' `*` ').replaceAll("'*'", '`*`');
}
