import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../common/package-root.ts';
import { createScratchFolder } from './command.ts';

const execute = promisify(execFile);

/**
 * Creates a project of a user in which the packed package and the packages of this project are installed. Returns the
 * path of the project.
 */
export async function createProject(): Promise<string> {
  const folder = createScratchFolder();
  const modules = join(folder, 'node_modules');
  mkdirSync(modules);
  await execute('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: packageRoot });
  const [tarball = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  await execute('tar', ['-xzf', tarball, '-C', modules], { cwd: folder });
  await execute('mv', [join(modules, 'package'), join(modules, 'model-gateway-conformance')]);
  for (const name of readdirSync(join(packageRoot, 'node_modules')).filter((name) => !name.startsWith('.')))
    if (name !== 'model-gateway-conformance')
      symlinkSync(join(packageRoot, 'node_modules', name), join(modules, name));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'theirs', type: 'module' }));
  return folder;
}
