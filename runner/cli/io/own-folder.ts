import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from '../../../common/write-file.ts';

/** The folder for the files of this command, in the working folder. */
export const ownFolder = '.conformance';

/** Makes Git ignore the folder. Throws system errors. */
export function ignoreOwnFolder(): void {
  const file = join(ownFolder, '.gitignore');
  if (!existsSync(file)) writeWhole(file, ['*\n']);
}
