import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DataFile, readDataFile } from '../../common/data-file.ts';
import { toList, toMapping } from '../../common/mapping.ts';
import { formatSuggestion } from '../../common/nearest.ts';
import { packageRoot } from '../../common/package-root.ts';
import type { Schemas } from '../../common/schemas.ts';
import { readBySchema } from '../../common/validate-data.ts';
import type { Attributes } from '../catalog/condition.ts';
import type { Level } from '../catalog/requirements.ts';

/** A requirement on the result that the user of an SDK gets. */
export interface SdkRequirement {
  readonly id: SdkRequirementId;
  readonly clause: readonly string[];
  readonly level: Level;
  readonly says: string;
  readonly expects: string;
  /**
   * The IDs of the requirements on the gateway whose violation shows that the gateway, not the SDK, causes the
   * failure.
   */
  readonly restsOn: readonly string[];
}

export const sdkRequirementIds = [
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
export type SdkRequirementId = (typeof sdkRequirementIds)[number];

export interface RejectedCall {
  readonly id: string;
  readonly about: string;
  /**
   * The attributes of the request. The attribute `operation` is included only if a single operation has this call.
   */
  readonly given: Attributes;
  readonly requirements: readonly SdkRequirementId[];
}

/** The requirements on the results that users of SDKs get, and the rejected calls that test these requirements. */
export interface SdkSpec {
  readonly requirements: readonly SdkRequirement[];
  /** The IDs of the requirements on the responses to calls that the gateway must reject. */
  readonly refusals: readonly string[];
  readonly errors: readonly RejectedCall[];
  /** The first 12 hexadecimal digits of the SHA-256 hash of `specs/sdk-requirements.yaml`. */
  readonly revision: string;
}

/** Reads `specs/sdk-requirements.yaml`. Throws a `DataFileError` if the file is invalid. */
export function loadSdkSpec(schemas: Schemas): SdkSpec {
  const path = join(packageRoot, 'specs', 'sdk-requirements.yaml');
  const revision = createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 12);
  return { ...parseSdkSpec(readDataFile(path), schemas), revision };
}

function parseSdkSpec(file: DataFile, schemas: Schemas): Omit<SdkSpec, 'revision'> {
  const { requirements, refusals, errors } = toMapping(
    readBySchema<unknown>(file, 'sdk-requirements', schemas),
  );
  const texts = (value: unknown): string[] => toList(value).map(String);
  const readId = (value: unknown, path: readonly (string | number)[]): SdkRequirementId => {
    const found = sdkRequirementIds.find((id) => id === value);
    if (!found)
      throw file.error(
        path,
        `unknown SDK requirement "${value}".${formatSuggestion(String(value), sdkRequirementIds) || ' Use an ID of sdkRequirementIds.'}`,
      );
    return found;
  };
  return {
    requirements: toList(requirements).map((raw, index): SdkRequirement => {
      const { id, clause, level, says, expects, restsOn } = toMapping(raw);
      if (level !== 'must' && level !== 'should')
        throw file.error(['requirements', index, 'level'], '`level` must be `must` or `should`.');
      return {
        id: readId(id, ['requirements', index, 'id']),
        clause: texts(clause),
        level,
        says: String(says),
        expects: String(expects),
        restsOn: texts(restsOn),
      };
    }),
    refusals: texts(refusals),
    errors: toList(errors).map((raw, index): RejectedCall => {
      const { id, about, given, requirements } = toMapping(raw);
      const attributes = Object.entries(toMapping(given)).map(([name, value]) => [name, String(value)]);
      return {
        id: String(id),
        about: String(about),
        given: Object.fromEntries(attributes),
        requirements: toList(requirements).map((item) => readId(item, ['errors', index, 'requirements'])),
      };
    }),
  };
}
