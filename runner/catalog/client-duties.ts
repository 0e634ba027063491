import type { DataFile } from '../../common/data-file.ts';
import { toList, toMapping } from '../../common/mapping.ts';
import { type Clauses, checkClauses, quotesOf } from './clauses.ts';

export const clientDutyIds = [
  'client/one-header',
  'client/json-content-type',
  'client/version-header',
  'client/no-repeat-of-400',
  'client/growing-gaps',
  'client/retry-after',
] as const;
export type ClientDutyId = (typeof clientDutyIds)[number];

/** A requirement on the clients of a gateway, from `specs/client-duties.yaml`. */
export interface ClientDuty {
  readonly id: ClientDutyId;
  readonly clause: readonly string[];
  /** The sentences of the specification for the clauses, in the order of `clause`. */
  readonly quotes: readonly string[];
  readonly level: 'must' | 'should' | 'observe';
  readonly says: string;
}

const levels = ['must', 'should', 'observe'] as const;

/** Parses `specs/client-duties.yaml`. Throws a `DataFileError` if a duty is missing, unknown or invalid. */
export function readClientDuties(file: DataFile, clauses: Clauses): readonly ClientDuty[] {
  const entries = toList(file.value).map((raw, index): ClientDuty => {
    const { id, level, says, clause } = toMapping(raw);
    const known = clientDutyIds.find((item) => item === id);
    if (!known)
      throw file.error(
        [index, 'id'],
        `unknown client duty "${String(id)}". Expected one of: ${clientDutyIds.join(', ')}.`,
      );
    const found = levels.find((item) => item === level);
    if (!found) throw file.error([index, 'level'], '`level` must be one of: must, should, observe.');
    if (typeof says !== 'string') throw file.error([index], `"${known}" has no \`says\`. Add this property.`);
    const names = toList(clause).map(String);
    checkClauses(file, [index, 'clause'], names, clauses);
    return { id: known, clause: names, quotes: quotesOf(clauses, names), level: found, says };
  });
  for (const id of clientDutyIds) {
    if (!entries.some((entry) => entry.id === id))
      throw file.error([], `the client duty "${id}" is missing. Add this client duty.`);
  }
  return entries;
}
