import { commandHelps } from '../../runner/cli/flags/command-help.ts';
import { type CommandHelp, type Flag, flagGroups, usageOf } from '../../runner/cli/flags/help.ts';

const mark = '<!-- The tables below are written by `npm run generate`. -->';
const helps: readonly CommandHelp[] = Object.values(commandHelps);

/** Returns docs/flags.md with the tables of the flags, in the groups of --help-all. */
export function updateFlagsDocument(document: string): string {
  return document.replace(/^## (\w+)$.*?(?=^## |$(?![\s\S]))/gms, (section, name: string) => {
    const help = helps.find((item) => item.name === name);
    const [prose = ''] = section.split(mark);
    return help && help.flags.length > 0
      ? `${prose.trimEnd()}\n\n${mark}\n\n${tables(help.flags)}\n`
      : section;
  });
}

/** Returns the tables of a command: one for each group of flags. */
function tables(flags: readonly Flag[]): string {
  return flagGroups
    .flatMap((group) => {
      const own = flags.filter((flag) => flag.group === group);
      return own.length === 0
        ? []
        : [`**${group}**\n\n| Flag | Default | Description |\n|---|---|---|\n${own.map(row).join('\n')}\n`];
    })
    .join('\n');
}

function row(flag: Flag): string {
  const { description, docs, default: value = '' } = flag;
  const text = [description.replaceAll(' * ', ' `*` ').replaceAll("'*'", '`*`'), docs].filter(Boolean);
  return `| \`${usageOf(flag)}\` | ${value} | ${text.join(' ')} |`.replaceAll('  ', ' ');
}
