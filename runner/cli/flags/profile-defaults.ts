import { lstatSync } from 'node:fs';
import { isAbsolute, join, normalize, sep } from 'node:path';
import type { DataFile } from '../../../common/data-file.ts';
import { toMapping } from '../../../common/mapping.ts';
import type { Option, Options } from '../../run/define-option.ts';
import { ownFolder } from '../io/own-folder.ts';

/** The flags of `run` that a profile can set under `defaults`, by the name there: `maxBillable` for `--max-billable`. */
export function listDefaultable(flags: Options): ReadonlyMap<string, { readonly key: string } & Option> {
  const entries = Object.entries(flags).filter(
    // The profile itself describes the gateway.
    ([, { group, isOnlyFlag }]) => group !== 'Target and keys' && !isOnlyFlag,
  );
  return new Map(entries.map(([key, option]) => [nameOf(option), { key, ...option }]));
}

function nameOf({ flag }: Option): string {
  const [, words = ''] = /^--([a-z-]+)/.exec(flag) ?? [];
  return words.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

/**
 * Returns the values of the flags that the `defaults` of a profile set, by key. The profile must conform to the schema.
 * Throws a `DataFileError` for a value that the flag doesn't take.
 */
export function readDefaults(
  file: DataFile,
  defaults: unknown,
  flags: Options,
): ReadonlyMap<string, unknown> {
  const known = listDefaultable(flags);
  const values = new Map<string, unknown>();
  for (const [name, stated] of Object.entries(toMapping(defaults))) {
    const option = known.get(name);
    if (!option) continue;
    const { key, takes } = option;
    const texts = [stated].flat().map(String);
    const fail = (problem: string): never => {
      throw file.error(['defaults', name], `defaults.${name}: ${problem}`);
    };
    const outside = texts.find((text) => !isBelowWorkingFolder(fileIn(option, text)));
    if (outside !== undefined)
      fail(
        `"${outside}" must be below the working folder, without links and hidden folders. For another file, use the flag.`,
      );
    const [text = ''] = texts;
    values.set(
      key,
      typeof takes === 'object'
        ? (takes.parse(text) ?? fail(`invalid value "${text}". Expected ${takes.expected}.`))
        : stated,
    );
  }
  return values;
}

/** Returns the file that a value of a flag such as `--baseline <FILE>` or `--reporter <NAME[=FILE]>` names. */
function fileIn({ flag }: Option, text: string): string | undefined {
  if (flag.includes('<FILE>')) return text;
  const sign = text.indexOf('=');
  return flag.includes('=FILE') && sign >= 0 ? text.slice(sign + 1) : undefined;
}

/**
 * Whether a file is safe to read and write for a profile, which may come from a pull request. It must not reach files
 * of the user or of Git, also not through a link in the repository.
 */
function isBelowWorkingFolder(file: string | undefined): boolean {
  if (file === undefined) return true;
  const parts = normalize(file).split(sep);
  if (isAbsolute(file) || parts.some((part) => part.startsWith('.') && part !== ownFolder)) return false;
  return !parts.some((_, index) =>
    lstatSync(join(...parts.slice(0, index + 1)), { throwIfNoEntry: false })?.isSymbolicLink(),
  );
}
