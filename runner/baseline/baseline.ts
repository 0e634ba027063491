import type { DataFile, DataPath } from '../../contract/data-file.ts';
import { list, mapping } from '../../contract/mapping.ts';
import type { Schemas } from '../../contract/schemas.ts';
import { validateData } from '../catalog/validate-data.ts';

/** What an entry can say of its obligations. */
export const sections = ['violations', 'notApplicable', 'inconclusive'] as const;
export type Section = (typeof sections)[number];

/** One pattern of a baseline: an entry, or one of several case patterns of an entry, each of which is held by itself. */
export interface Claim {
  readonly section: Section;
  /** Patterns; undefined where any will do. */
  readonly requirement: string | undefined;
  readonly case: string | undefined;
  readonly reason: string;
  /** The last day on which it is accepted. */
  readonly until: string | undefined;
  /** Does not happen in every run. */
  readonly isIntermittent: boolean;
  /** Where it stands in the file; `entry` is the same where the entry makes one claim. */
  readonly path: DataPath;
  readonly entry: DataPath;
  readonly line: number;
}

/** What is known of a gateway, and accepted. */
export interface Baseline {
  readonly source: DataFile;
  readonly claims: readonly Claim[];
}

/** Reads a baseline; throws DataFileError, with the line and a suggestion, where it isn't of its form. */
export function readBaseline(source: DataFile, schemas: Schemas): Baseline {
  // A file of comments alone is an empty baseline.
  const value = source.value ?? {};
  validateData(source, value, 'baseline', schemas);
  const members = mapping(value);
  const claims = sections.flatMap((section) =>
    list(members[section]).flatMap((raw, index) =>
      readEntry(source, section, mapping(raw), [section, index]),
    ),
  );
  return { source, claims };
}

function readEntry(
  source: DataFile,
  section: Section,
  { requirement, case: cases, reason, until, intermittent }: Readonly<Record<string, unknown>>,
  entry: DataPath,
): Claim[] {
  if (requirement === undefined && cases === undefined)
    throw source.error(entry, 'an entry names a `requirement`, a `case`, or both');
  const claim = (pattern: unknown, path: DataPath): Claim => ({
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
