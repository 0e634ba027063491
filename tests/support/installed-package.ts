import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { scratch } from './command.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const execute = promisify(execFile);

/** Creates the project of a user, in which the packed package is installed next to the packages of this project. */
export async function makeProject(): Promise<string> {
  const folder = scratch();
  const modules = join(folder, 'node_modules');
  mkdirSync(modules);
  await execute('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: root });
  const [tarball = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  await execute('tar', ['-xzf', tarball, '-C', modules], { cwd: folder });
  await execute('mv', [join(modules, 'package'), join(modules, 'model-gateway-conformance')]);
  for (const name of readdirSync(join(root, 'node_modules')).filter((name) => !name.startsWith('.')))
    if (name !== 'model-gateway-conformance')
      symlinkSync(join(root, 'node_modules', name), join(modules, name));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'theirs', type: 'module' }));
  return folder;
}
