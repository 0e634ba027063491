import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../contract/package-root.ts';

const sourceFolders = ['contract', 'runner', 'reference-server'];
const buildFiles = ['build.js', 'package.json', 'tsconfig.json', 'tsconfig.build.json'];

/**
 * Throws an error if the built command does not exist or is older than a source, or if `dist/` contains the output of a
 * removed source.
 */
export function assertBuilt(): void {
  const remedy = 'Run `npm run build` first.';
  const dist = join(packageRoot, 'dist');
  const built = statSync(join(dist, 'command', 'main.js'), { throwIfNoEntry: false });
  if (!built) throw new Error(`dist/ is missing or incomplete. ${remedy}`);
  const sources = sourceFolders.flatMap((folder) =>
    filesBelow(folder).filter((path) => /(?<!\.test)\.tsx?$/.test(path)),
  );
  const changed = [...buildFiles, ...sources].filter(
    (path) => statSync(join(packageRoot, path)).mtimeMs > built.mtimeMs,
  );
  const known = new Set(sources.map((path) => path.replace(/\.tsx?$/, '.js')));
  const left = sourceFolders
    .filter((folder) => existsSync(join(dist, folder)))
    .flatMap((folder) => filesBelow(`dist/${folder}`))
    .filter((path) => path.endsWith('.js') && !known.has(path.slice('dist/'.length)));
  const [stale] = [...changed, ...left];
  if (stale !== undefined) throw new Error(`dist/ is older than the sources: ${stale} changed. ${remedy}`);
}

function filesBelow(folder: string): string[] {
  return readdirSync(join(packageRoot, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(packageRoot.length + 1));
}
