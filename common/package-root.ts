import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The path of the folder that contains the `package.json` of this package, even if the code runs from `dist/`. */
export const packageRoot: string = findRoot(dirname(fileURLToPath(import.meta.url)));

function findRoot(folder: string): string {
  if (existsSync(join(folder, 'suites')) && existsSync(join(folder, 'package.json'))) return folder;
  return findRoot(dirname(folder));
}
