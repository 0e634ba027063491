import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of this package, wherever it is installed and whether it runs from source or built. */
export const packageRoot: string = findRoot(dirname(fileURLToPath(import.meta.url)));

function findRoot(folder: string): string {
  if (existsSync(join(folder, 'suites')) && existsSync(join(folder, 'package.json'))) return folder;
  return findRoot(dirname(folder));
}
