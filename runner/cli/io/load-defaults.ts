import { statSync } from 'node:fs';
import { readDataFile } from '../../../common/data-file.ts';
import { toMapping } from '../../../common/mapping.ts';
import { validateData } from '../../../common/validate-data.ts';
import { catalogOfPackage } from '../../catalog/catalog.ts';
import { expandVariables } from '../../profile/expand.ts';
import type { Options } from '../../run/define-option.ts';
import { readDefaults } from '../flags/profile-defaults.ts';
import { findProfile, type TargetFlags } from './target.ts';

/**
 * Resolves to the values of flags that the profile sets under `defaults`, by key. A profile in a pipe can be read only
 * once, and has no defaults. Rejects with a `DataFileError` if the profile has defaults and is invalid.
 */
export async function loadDefaults(
  given: TargetFlags,
  flags: Options,
): Promise<ReadonlyMap<string, unknown>> {
  const path = findProfile(given);
  if (path === undefined || !statSync(path, { throwIfNoEntry: false })?.isFile()) return new Map();
  const file = readDataFile(path);
  if (toMapping(file.value).defaults === undefined) return new Map();
  const { schemas } = await catalogOfPackage();
  const variables = { environment: process.env, allowed: given.allowEnv };
  // Flags can replace these values, and without them the run ends with a better message.
  const optional = new Set(['baseUrl', 'keys.valid', 'headers']);
  const { value } = expandVariables(file, variables, optional);
  validateData(file, value, 'profile', schemas);
  return readDefaults(file, toMapping(value).defaults, flags);
}
