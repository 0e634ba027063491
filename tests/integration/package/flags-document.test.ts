import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../../common/package-root.ts';
import { type CommandRow, commands } from '../../../runner/cli/command-table.ts';
import { formatDefault, usageOf } from '../../../runner/cli/flags/describe-flag.ts';
import { type Option, optionGroups } from '../../../runner/run/define-option.ts';
import { runOptions } from '../../../runner/run/options.ts';

const file = join(packageRoot, 'docs/flags.md');
const mark = '<!-- The tables below are written by `npm run docs:flags`. -->';
const rows: readonly CommandRow[] = Object.values(commands);

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

/** Returns a description with a star as code, which Markdown would take for emphasis. */
function withCode(description: string): string {
  return description.replaceAll(' * ', ' `*` ').replaceAll("'*'", '`*`');
}

function row(option: Option): string {
  const { flag, description, docs } = option;
  const text = [withCode(description), docs].filter(Boolean);
  return `| \`${usageOf(flag)}\` | ${formatDefault(option)} | ${text.join(' ')} |`.replaceAll('  ', ' ');
}

test('docs/flags.md has the tables of the flags, in the groups of --help-all', async () => {
  const text = readFileSync(file, 'utf8').replace(
    /^## (\w+)$.*?(?=^## |$(?![\s\S]))/gms,
    (section, name: string) => {
      const flags = Object.values(rows.find((item) => item.name === name)?.flags ?? {});
      const [prose = ''] = section.split(mark);
      return flags.length > 0 ? `${prose.trimEnd()}\n\n${mark}\n\n${tables(flags)}\n` : section;
    },
  );
  await expect(text).toMatchFileSnapshot(file);
});

function optionRow([name, option]: readonly [string, Option]): string {
  const { flag, takes, description, docs, default: words, initial } = option;
  const kind = { switch: 'a boolean', list: 'a list of texts' };
  const values = typeof takes === 'object' ? takes.inCode?.expected : kind[takes];
  const value = words ?? (initial === undefined ? '' : `\`${JSON.stringify(initial)}\``);
  const text = [withCode(description).replace(' Repeatable.', ''), docs].filter(Boolean).join(' ');
  return `| \`${name}\` | ${values} | ${text} | ${value} | \`${usageOf(flag)}\` |`;
}

test('docs/library.md has a table of the options of a run', async () => {
  const library = join(packageRoot, 'docs/library.md');
  const rows = Object.entries<Option>(runOptions).map(optionRow);
  const text = readFileSync(library, 'utf8').replace(
    /(?<=written by `npm run docs:flags`. -->\n\n).*?(?=\n\n)/s,
    ['| Option | Value | Description | Default | Flag of `run` |', '|---|---|---|---|---|', ...rows].join(
      '\n',
    ),
  );
  await expect(text).toMatchFileSnapshot(library);
});

test('docs/flags.md has a section for each command', () => {
  const sections = [...readFileSync(file, 'utf8').matchAll(/^## (\w+)$/gm)].map(([, name]) => name);
  expect(sections).toEqual(expect.arrayContaining(rows.map(({ name }) => name)));
});
