import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../../common/package-root.ts';
import { commandHelps } from '../../../runner/cli/flags/command-help.ts';
import { type CommandHelp, type Flag, flagGroups, usageOf } from '../../../runner/cli/flags/help.ts';

const file = join(packageRoot, 'docs/flags.md');
const mark = '<!-- The tables below are written by `npm run docs:flags`. -->';
const helps: readonly CommandHelp[] = Object.values(commandHelps);

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

test('docs/flags.md has the tables of the flags, in the groups of --help-all', async () => {
  const text = readFileSync(file, 'utf8').replace(
    /^## (\w+)$.*?(?=^## |$(?![\s\S]))/gms,
    (section, name: string) => {
      const help = helps.find((item) => item.name === name);
      const [prose = ''] = section.split(mark);
      return help && help.flags.length > 0
        ? `${prose.trimEnd()}\n\n${mark}\n\n${tables(help.flags)}\n`
        : section;
    },
  );
  await expect(text).toMatchFileSnapshot(file);
});

test('docs/flags.md has a section for each command', () => {
  const sections = [...readFileSync(file, 'utf8').matchAll(/^## (\w+)$/gm)].map(([, name]) => name);
  expect(sections).toEqual(expect.arrayContaining(helps.map(({ name }) => name)));
});
