import { join } from 'node:path';
import { readDataFile } from '../../common/data-file.ts';
import { packageRoot } from '../../common/package-root.ts';
import type { Schemas } from '../../common/schemas.ts';
import { readBySchema } from '../../common/validate-data.ts';

/** What is expected of an app; `expectations` has the sentence and the check of each. */
export type ExpectationId =
  | 'repeats'
  | 'waits-as-stated'
  | 'waits-longer'
  | 'comes-through'
  | 'does-not-repeat'
  | 'reports-failure';

/** A row of `fixtures/app-situations.yaml`. */
export interface AppSituation {
  readonly id: string;
  readonly about: string;
  /** The rules of the reference gateway, in the form of `serve --rules`. */
  readonly rules: readonly unknown[];
  readonly expects: readonly ExpectationId[];
}

const file = join(packageRoot, 'fixtures', 'app-situations.yaml');

/** Reads the situations of this package. Throws a `DataFileError` if the file is invalid. */
export function readAppSituations(schemas: Schemas): readonly AppSituation[] {
  return readBySchema(readDataFile(file), 'app-situations', schemas);
}
