import { type Dirent, readdirSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { type DataFile, readDataFile } from '../../common/data-file.ts';
import { compileNamePattern } from '../../common/glob.ts';
import { toMapping } from '../../common/mapping.ts';
import type { OwnData } from '../catalog/own-data.ts';

/**
 * Reads the files that `requirements` and `scenarios` of a profile name. Their patterns are relative to `folder`. Throws
 * a `DataFileError` if a pattern leaves the folder or matches nothing, or if a file can't be read.
 */
export function readOwnData(profile: DataFile, folder: string): OwnData {
  return {
    requirements: readOwnFiles(profile, 'requirements', folder),
    scenarios: readOwnFiles(profile, 'scenarios', folder),
  };
}

function readOwnFiles(profile: DataFile, member: keyof OwnData, folder: string): DataFile[] {
  const stated = toMapping(profile.value)[member];
  if (stated === undefined) return [];
  const found = [stated].flat().flatMap((pattern, index) => {
    const text = String(pattern);
    const fail = (problem: string): Error =>
      profile.error(Array.isArray(stated) ? [member, index] : [member], `${member}: "${text}" ${problem}`);
    const parts = text
      .split('/')
      .filter((part, at, all) => !['', '.'].includes(part) && (part !== '**' || all[at + 1] !== '**'));
    if (isAbsolute(text) || parts.includes('..') || text.includes('\\'))
      throw fail(
        'must be below the folder of the profile. Move the files there, and write the path with slashes.',
      );
    if (!/\.ya?ml$/.test(text)) throw fail('must end in .yaml or .yml.');
    const paths = findFiles(folder, parts);
    if (paths.length === 0)
      throw fail(
        'matches no file. The path starts at the folder of the profile, and links are not followed.',
      );
    return paths;
  });
  return [...new Set(found)].map((path) => readDataFile(path));
}

/**
 * Returns the files below a folder whose paths match the parts of a pattern, in the order of their names. `*` is any text
 * in a name, and `**` any folders. Neither matches a hidden name or `node_modules`. Links are not followed, since they can leave the folder.
 */
function findFiles(folder: string, [part, ...rest]: readonly string[]): string[] {
  if (part === undefined) return [];
  const entries = listEntries(folder).filter(
    ({ name }) => name === part || !(name.startsWith('.') || name === 'node_modules'),
  );
  const folders = entries.filter((entry) => entry.isDirectory());
  const inside = ({ name }: Dirent, parts: readonly string[]): string[] =>
    findFiles(join(folder, name), parts);
  if (part === '**')
    return [...findFiles(folder, rest), ...folders.flatMap((entry) => inside(entry, [part, ...rest]))];
  const matches = compileNamePattern(part);
  return rest.length === 0
    ? entries.filter((entry) => entry.isFile() && matches(entry.name)).map(({ name }) => join(folder, name))
    : folders.filter(({ name }) => matches(name)).flatMap((entry) => inside(entry, rest));
}

function listEntries(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}
