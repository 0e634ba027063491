import type { DataFile, DataPath } from '../../contract/data-file.ts';
import { list, mapping } from '../../contract/mapping.ts';
import type { Schemas } from '../../contract/schemas.ts';
import { validateData } from '../catalog/validate-data.ts';

/** The sections of a baseline. */
export const sections = ['violations', 'notApplicable', 'inconclusive'] as const;
export type Section = (typeof sections)[number];

/** A baseline entry, or one of its case patterns if it has several; each is checked separately. */
export interface EntryPattern {
  readonly section: Section;
  /** Patterns; undefined for any. */
  readonly requirement: string | undefined;
  readonly case: string | undefined;
  readonly reason: string;
  /** The last day on which the entry is valid. */
  readonly until: string | undefined;
  readonly isIntermittent: boolean;
  /** The position in the file; the same as `entry` if the entry has one pattern. */
  readonly path: DataPath;
  readonly entry: DataPath;
  readonly line: number;
}

/** The accepted violations of a gateway. */
export interface Baseline {
  readonly source: DataFile;
  readonly patterns: readonly EntryPattern[];
}

/** Reads a baseline. Throws DataFileError, with the line and a suggestion, if it is not valid. */
export function readBaseline(source: DataFile, schemas: Schemas): Baseline {
  // A file with only comments is an empty baseline.
  const value = source.value ?? {};
  validateData(source, value, 'baseline', schemas);
  const members = mapping(value);
  const patterns = sections.flatMap((section) =>
    list(members[section]).flatMap((raw, index) =>
      readEntry(source, section, mapping(raw), [section, index]),
    ),
  );
  return { source, patterns };
}

function readEntry(
  source: DataFile,
  section: Section,
  { requirement, case: cases, reason, until, intermittent }: Readonly<Record<string, unknown>>,
  entry: DataPath,
): EntryPattern[] {
  if (requirement === undefined && cases === undefined)
    throw source.error(entry, 'an entry needs a `requirement`, a `case`, or both');
  const claim = (pattern: unknown, path: DataPath): EntryPattern => ({
    section,
    requirement: text(requirement),
    case: text(pattern),
    reason: String(reason),
    until: text(until),
    isIntermittent: intermittent === true,
    path,
    entry,
    line: source.lineOf(path) ?? 1,
  });
  return Array.isArray(cases)
    ? cases.map((pattern, index) => claim(pattern, [...entry, 'case', index]))
    : [claim(cases, entry)];
}

function text(value: unknown): string | undefined {
  return value === undefined ? undefined : String(value);
}
