import { readFileSync } from 'node:fs';
import { toList, toMapping } from '../../../common/mapping.ts';

/** One change to a source file by the mutation run, and whether the change survived the tests. */
export interface Mutant {
  readonly file: string;
  /** The line before and after the change. This text stays the same if the line moves in the file. */
  readonly change: string;
  readonly survived: boolean;
}

/** Reads the mutants of a mutation testing report, without the mutants that were ignored. */
export function readMutants(path: string): Mutant[] {
  const files = toMapping(toMapping(JSON.parse(readFileSync(path, 'utf8'))).files);
  return Object.entries(files).flatMap(([file, entry]) => {
    const { source, mutants } = toMapping(entry);
    const lines = String(source).split('\n');
    return toList(mutants).flatMap((item): Mutant[] => {
      const { status, replacement, location } = toMapping(item);
      if (status === 'Ignored') return [];
      const { start, end } = toMapping(location);
      const change = describeChange(lines, place(start), place(end), String(replacement));
      return [{ file, change, survived: status === 'Survived' || status === 'NoCoverage' }];
    });
  });
}

interface Place {
  readonly line: number;
  readonly column: number;
}

function place(value: unknown): Place {
  const { line, column } = toMapping(value);
  return { line: Number(line), column: Number(column) };
}

function describeChange(lines: readonly string[], start: Place, end: Place, replacement: string): string {
  const first = lines[start.line - 1] ?? '';
  const last = lines[end.line - 1] ?? '';
  const changed = first.slice(0, start.column - 1) + replacement + last.slice(end.column - 1);
  return `${oneLine(first)} ⇒ ${oneLine(changed)}`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Survivors with the same reason why no test can or must kill these mutants. */
export interface ListedSurvivors {
  readonly file: string;
  readonly because: string;
  readonly changes: readonly string[];
}

/** Reads the listed survivors. Throws an error if an entry lacks a property. */
export function readListed(value: unknown): ListedSurvivors[] {
  return toList(value).map((item, index) => {
    const { file, because, changes } = toMapping(item);
    if (typeof file !== 'string' || typeof because !== 'string' || toList(changes).length === 0)
      throw new Error(`Entry ${index + 1} of the listed survivors lacks file, because or changes.`);
    return { file, because, changes: toList(changes).map(String) };
  });
}

/** Returns the listed changes to lines that their file no longer has. `linesOf` returns the lines of a file. */
export function findMissing(
  listed: readonly ListedSurvivors[],
  linesOf: (file: string) => readonly string[],
): string[] {
  return listed.flatMap(({ file, changes }) => {
    const lines = new Set(linesOf(file).map(oneLine));
    return changes
      .filter((change) => !lines.has(change.split(' ⇒ ')[0] ?? ''))
      .map((change) => `${file}: ${change}`);
  });
}

/** Returns the survivors that are not listed, and the listed mutants that did not survive. */
export function compare(
  mutants: readonly Mutant[],
  listed: readonly ListedSurvivors[],
): { readonly unlisted: string[]; readonly stale: string[] } {
  const key = (file: string, change: string): string => `${file}: ${change}`;
  const survivors = new Set(
    mutants.filter((mutant) => mutant.survived).map(({ file, change }) => key(file, change)),
  );
  const names = new Set(listed.flatMap(({ file, changes }) => changes.map((change) => key(file, change))));
  return {
    unlisted: [...survivors].filter((name) => !names.has(name)),
    stale: [...names].filter((name) => !survivors.has(name)),
  };
}
