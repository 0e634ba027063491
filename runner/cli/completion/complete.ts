import type { Completion, Option } from '../../run/define-option.ts';
import { type CommandRow, commands } from '../command-table.ts';
import type { KnownNames } from './list-known-names.ts';

/** A text that can replace the current word, with its meaning for shells that show it. */
export interface Candidate {
  readonly text: string;
  readonly about?: string;
}

/** What can replace the current word; `files` if the shell completes the path after its last `=`. */
export type Candidates = 'files' | readonly Candidate[];

const rows: readonly CommandRow[] = Object.values(commands);

/**
 * Returns what can be the last of `words`, the words after the name of the program. A long ID is completed up to its
 * next slash. `load` is called only if IDs are needed.
 */
export async function complete(
  words: readonly string[],
  load: () => Promise<KnownNames>,
): Promise<Candidates> {
  const current = words.at(-1) ?? '';
  const [name, ...others] = words.slice(0, -1);
  if (name === undefined)
    return beginningWith(current, [
      ...rows.map((row) => ({ text: row.name, about: row.summary })),
      ...asCandidates(['--help', '--help-all', '--version']),
    ]);
  const row = rows.find((item) => item.name === name);
  if (!row) return [];
  // The rest is the command line of another program.
  if (others.includes('--')) return 'files';
  const flags = Object.values(row.flags);
  const [flag = '', ...rest] = current.split('=');
  const withValue = rest.length > 0 ? findFlag(flags, flag) : undefined;
  if (withValue) {
    const values = await completeValue(withValue, rest.join('='), load);
    return values === 'files' ? values : values.map((item) => ({ ...item, text: `${flag}=${item.text}` }));
  }
  const before = findFlag(flags, others.at(-1) ?? '');
  if (before && placeOf(before) !== 'none' && !(placeOf(before) === 'optional' && current.startsWith('-')))
    return completeValue(before, current, load);
  const given = others.filter((word) => !word.startsWith('-')).length;
  const values = row.completes?.[Math.min(given, row.completes.length - 1)];
  if (!current.startsWith('-') && values !== undefined) return completeFrom(values, current, load);
  return beginningWith(current, [
    ...flags.map((option) => ({ text: longOf(option), about: option.description })),
    ...asCandidates(['--help', ...(flags.length > 0 ? ['--help-all'] : [])]),
  ]);
}

function longOf({ flag }: Option): string {
  return flag.split(' ', 1)[0] ?? '';
}

function findFlag(flags: readonly Option[], long: string): Option | undefined {
  return flags.find((option) => longOf(option) === long);
}

function placeOf({ flag }: Option): 'none' | 'optional' | 'required' {
  return flag.includes('<') ? 'required' : flag.includes(' [') ? 'optional' : 'none';
}

/** A flag whose value is a FILE or a PATH has paths, and `--reporter NAME[=FILE]` has them after the sign. */
async function completeValue(
  { flag, completes }: Option,
  value: string,
  load: () => Promise<KnownNames>,
): Promise<Candidates> {
  if (/[<[](FILE|PATH)/.test(flag) || (flag.includes('=FILE') && value.includes('='))) return 'files';
  return completes ? completeFrom(completes, value, load) : [];
}

async function completeFrom(
  values: Completion,
  current: string,
  load: () => Promise<KnownNames>,
): Promise<Candidates> {
  if (values === 'files') return values;
  if (!('ids' in values)) return beginningWith(current, asCandidates(values));
  const known = await load();
  return beginningWith(
    current,
    asCandidates(
      cutAfterSlash(
        current,
        values.ids.flatMap((kind) => known[kind]),
      ),
    ),
  );
}

/** Returns the IDs that begin with a text, each up to the next slash after it. */
function cutAfterSlash(current: string, ids: readonly string[]): readonly string[] {
  const cut = ids
    .filter((id) => id.startsWith(current))
    .map((id) => {
      const slash = id.indexOf('/', current.length);
      return slash < 0 ? id : id.slice(0, slash + 1);
    });
  return [...new Set(cut)];
}

function asCandidates(texts: readonly string[]): Candidate[] {
  return texts.map((text) => ({ text }));
}

function beginningWith(current: string, candidates: readonly Candidate[]): Candidate[] {
  return candidates.filter(({ text }) => text.startsWith(current));
}

/** Formats candidates for the scripts: one a line, its meaning after a tab; `:files` for paths. */
export function formatCandidates(candidates: Candidates): string {
  if (candidates === 'files') return ':files\n';
  return candidates
    .map(({ text, about }) => `${text}${about === undefined ? '' : `\t${firstSentence(about)}`}\n`)
    .join('');
}

function firstSentence(text: string): string {
  return text.replace(/[.:;] .*/s, '').replace(/\.$/, '');
}
