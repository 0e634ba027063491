import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { toMapping } from '../../common/mapping.ts';
import { packageInfo } from '../../common/package-info.ts';
import { packageRoot } from '../../common/package-root.ts';
import { createScratchFolder } from './command.ts';

const execute = promisify(execFile);

/** Packs the package in a folder, and returns the path of the tarball. */
export async function packInto(folder: string): Promise<string> {
  await execute('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: packageRoot });
  const [tarball = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  return join(folder, tarball);
}

/**
 * Creates a project of a user who installed the packed package, TypeScript, the types of Node.js and Vitest. Returns the
 * path of the project.
 */
export async function createProject(): Promise<string> {
  const folder = createScratchFolder();
  const modules = join(folder, 'node_modules');
  mkdirSync(modules);
  await execute('tar', ['-xzf', await packInto(folder), '-C', modules]);
  await execute('mv', [join(modules, 'package'), join(modules, packageInfo.name)]);
  const { dependencies } = toMapping(JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')));
  for (const name of [...Object.keys(toMapping(dependencies)), 'typescript', '@types/node', 'vitest']) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(packageRoot, 'node_modules', name), join(modules, name));
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'theirs', type: 'module' }));
  return folder;
}
