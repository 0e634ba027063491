import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DataFile, readDataFile } from '../../contract/data-file.ts';
import { list, mapping } from '../../contract/mapping.ts';
import { packageRoot } from '../../contract/package-root.ts';
import type { Facts } from '../catalog/condition.ts';
import type { Level } from '../catalog/ledger.ts';

/** What the user of an SDK is to get. */
export interface ClientRequirement {
  readonly id: ClientRequirementId;
  readonly clause: readonly string[];
  readonly level: Level;
  readonly says: string;
  readonly expects: string;
  /** The requirements of the ledger of which one is broken where the gateway is at fault. */
  readonly restsOn: readonly string[];
}

export const clientRequirementIds = [
  'clients/call-succeeds',
  'clients/stream-completes',
  'clients/list-models',
  'clients/error-class',
  'clients/message-reaches-user',
  'clients/type-reaches-user',
  'clients/trace-id-reachable',
  'clients/no-retry',
  'clients/error-understood',
  'clients/streamed-error-raised',
] as const;
export type ClientRequirementId = (typeof clientRequirementIds)[number];

/** A call that must be refused. */
export interface RefusedCall {
  readonly id: string;
  readonly about: string;
  /** What is known of the request beside its operation; of one that only one operation has, that too. */
  readonly given: Facts;
  readonly holds: readonly ClientRequirementId[];
}

/** What SDKs are held to. */
export interface ClientLedger {
  readonly requirements: readonly ClientRequirement[];
  readonly refusals: readonly string[];
  readonly errors: readonly RefusedCall[];
  /** A short hash of the file. */
  readonly revision: string;
}

/** Reads `specs/clients.yaml`; throws DataFileError where it isn't of its form. */
export function loadClientLedger(): ClientLedger {
  const path = join(packageRoot, 'specs', 'clients.yaml');
  const revision = createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 12);
  return { ...readClientLedger(readDataFile(path)), revision };
}

function readClientLedger(file: DataFile): Omit<ClientLedger, 'revision'> {
  const { requirements, refusals, errors } = mapping(file.value);
  const texts = (value: unknown): string[] => list(value).map(String);
  const idOf = (value: unknown, path: readonly (string | number)[]): ClientRequirementId => {
    const found = clientRequirementIds.find((id) => id === value);
    if (!found) throw file.error(path, `there is no requirement of clients "${value}"`);
    return found;
  };
  return {
    requirements: list(requirements).map((raw, index): ClientRequirement => {
      const { id, clause, level, says, expects, restsOn } = mapping(raw);
      if (level !== 'must' && level !== 'should')
        throw file.error(['requirements', index, 'level'], '`level` is must or should');
      return {
        id: idOf(id, ['requirements', index, 'id']),
        clause: texts(clause),
        level,
        says: String(says),
        expects: String(expects),
        restsOn: texts(restsOn),
      };
    }),
    refusals: texts(refusals),
    errors: list(errors).map((raw, index): RefusedCall => {
      const { id, about, given, holds } = mapping(raw);
      const facts = Object.entries(mapping(given)).map(([name, value]) => [name, String(value)]);
      return {
        id: String(id),
        about: String(about),
        given: Object.fromEntries(facts),
        holds: list(holds).map((item) => idOf(item, ['errors', index, 'holds'])),
      };
    }),
  };
}
