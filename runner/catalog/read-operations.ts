import type { DataFile, DataPath } from '../../common/data-file.ts';
import { formatSuggestion } from '../../common/nearest.ts';
import type { Schemas } from '../../common/schemas.ts';
import { readBySchema } from '../../common/validate-data.ts';
import { type Clauses, checkClauses } from './clauses.ts';
import {
  isOtherOperation,
  knownOperationIds,
  mapOperations,
  type Operation,
  type Operations,
} from './operations.ts';
import type { Requirement } from './requirements.ts';

type Optional = 'request' | 'presence' | 'shows' | 'body' | 'plain';
type RawOperation = Omit<Operation, 'id' | Optional> &
  Partial<Pick<Operation, Optional>> & { readonly clause: string };

/** The names that `specs/operations.yaml` may use. */
interface OperationNames {
  readonly clauses: Clauses;
  readonly requirements: readonly Pick<Requirement, 'id'>[];
  readonly bodies: Readonly<Record<string, unknown>>;
}

/** Parses `specs/operations.yaml`. Throws a `DataFileError` for a missing operation or an unknown name. */
export function readOperations(file: DataFile, schemas: Schemas, names: OperationNames): Operations {
  const raw: Readonly<Record<string, RawOperation>> = readBySchema(file, 'operations', schemas);
  const checkName = (
    path: DataPath,
    kind: string,
    name: string | undefined,
    known: Iterable<string>,
  ): void => {
    const all = [...known];
    if (name === undefined || all.includes(name)) return;
    throw file.error(path, `unknown ${kind} "${name}".${formatSuggestion(name, all)}`);
  };
  for (const [id, { clause, presence, body, plain }] of Object.entries(raw)) {
    checkName([id], 'operation', id, [...knownOperationIds, 'other']);
    checkName([id, 'plain'], 'operation', plain, knownOperationIds);
    checkName([id, 'body'], 'body', body, Object.keys(names.bodies));
    const ids = names.requirements.map((requirement) => requirement.id);
    checkName([id, 'presence'], 'requirement', presence, ids);
    checkClauses(file, [id, 'clause'], [clause], names.clauses);
  }
  return mapOperations((id): Operation => {
    const name = isOtherOperation(id) ? 'other' : id;
    const row = raw[name];
    if (!row) throw file.error([], `the operation "${name}" is missing. Add this operation.`);
    const { clause: _, request, presence, shows, body, plain = id, ...rest } = row;
    return { ...rest, id, request, presence, shows, body, plain };
  });
}
