import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../common/package-root.ts';
import type { KnownNames } from './list-known-names.ts';

/** The file in `dist/` with the names. Planning all cases at each Tab would take too long. */
const namesFile = join(packageRoot, 'dist', 'names.json');

/** Reads the names of the last build. Without a build, lists them. */
export async function loadKnownNames(): Promise<KnownNames> {
  if (existsSync(namesFile)) return JSON.parse(readFileSync(namesFile, 'utf8'));
  return (await import('./list-known-names.ts')).listKnownNames();
}
