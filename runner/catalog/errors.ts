import type { DataFile } from '../../common/data-file.ts';
import type { Schemas } from '../../common/schemas.ts';
import { readBySchema } from '../../common/validate-data.ts';
import type { AttributeVocabulary } from './attributes.ts';
import { type Clauses, checkClauses } from './clauses.ts';
import type { Attributes } from './condition.ts';
import type { AcceptedHeader } from './operations.ts';

export type ErrorSubject = 'key' | 'account' | 'model' | 'request' | 'rate' | 'gateway';

/** An error of section 7. */
export interface ErrorRow {
  readonly name: string;
  /** The statuses of the error, by family if the families differ. */
  readonly status: number | Readonly<Record<'A' | 'B' | 'C', number>>;
  readonly about: ErrorSubject;
  /** Whether the same request may succeed later. */
  readonly retry: boolean;
  readonly clause: readonly string[];
  /** The headers whose key is wrong, according to the error; empty if the error does not say that a key is wrong. */
  readonly refuses: readonly AcceptedHeader[];
  /** The attribute of a request that explains the error, if no other part of the request is invalid. */
  readonly shows: Attributes | undefined;
}

/** The rows of `specs/errors.yaml`, by name: the values of `error.type` (7.1), and of `error.code` (7.2). */
export interface ErrorRows {
  readonly types: ReadonlyMap<string, ErrorRow>;
  readonly codes: ReadonlyMap<string, ErrorRow>;
}

export const noErrors: ErrorRows = { types: new Map(), codes: new Map() };

type RawRow = Omit<ErrorRow, 'name' | 'refuses' | 'shows'> & Partial<Pick<ErrorRow, 'refuses' | 'shows'>>;
type RawErrors = { readonly [Kind in keyof ErrorRows]: Readonly<Record<string, RawRow>> };

export const errorKinds = ['types', 'codes'] as const satisfies readonly (keyof ErrorRows)[];
export type ErrorKind = (typeof errorKinds)[number];

/** Returns the statuses of an error; without a family, those of all families. */
export function statusesOf({ status }: Pick<ErrorRow, 'status'>, family?: string): readonly number[] {
  if (typeof status === 'number') return [status];
  return family === 'A' || family === 'B' || family === 'C'
    ? [status[family]]
    : [...new Set(Object.values(status))];
}

/** Parses `specs/errors.yaml`. Throws a `DataFileError` for an unknown clause or attribute. */
export function readErrors(
  file: DataFile,
  attributes: AttributeVocabulary,
  clauses: Clauses,
  schemas: Schemas,
): ErrorRows {
  const raw: RawErrors = readBySchema(file, 'errors', schemas);
  const readRows = (kind: keyof ErrorRows): ReadonlyMap<string, ErrorRow> =>
    new Map(
      Object.entries(raw[kind]).map(([name, { refuses = [], shows, ...row }]) => {
        checkClauses(file, [kind, name, 'clause'], row.clause, clauses);
        for (const [attribute, value] of Object.entries(shows ?? {})) {
          const complaint = attributes.complaint(attribute, value);
          if (complaint !== undefined) throw file.error([kind, name, 'shows', attribute], complaint);
        }
        return [name, { name, refuses, shows, ...row }];
      }),
    );
  return { types: readRows('types'), codes: readRows('codes') };
}
