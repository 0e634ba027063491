import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../common/package-root.ts';
import { createScratchFolder } from './command.ts';

/** A project of a user in which this package and its development dependencies are installed. */
export type UserProject = {
  /** Runs a script of a dependency, such as `vitest/vitest.mjs`. Rejects if the script fails. */
  readonly run: (script: string, ...args: string[]) => Promise<{ readonly stdout: string }>;
};

/** Creates a project with these TypeScript files, by name. */
export function createUserProject(files: Readonly<Record<string, string>>): UserProject {
  const folder = createScratchFolder();
  const modules = join(folder, 'node_modules');
  mkdirSync(modules);
  for (const name of readdirSync(join(packageRoot, 'node_modules')).filter((name) => !name.startsWith('.')))
    if (name !== 'model-gateway-conformance')
      symlinkSync(join(packageRoot, 'node_modules', name), join(modules, name));
  symlinkSync(packageRoot, join(modules, 'model-gateway-conformance'));
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const compilerOptions = {
    strict: true,
    noUncheckedIndexedAccess: true,
    target: 'es2023',
    module: 'nodenext',
    skipLibCheck: true,
    noEmit: true,
  };
  const include = Object.keys(files).filter((name) => !name.includes('config'));
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include }));
  const env = { PATH: process.env.PATH, HOME: process.env.HOME };
  const execute = promisify(execFile);
  return {
    run: (script, ...args) =>
      execute(process.execPath, [join(packageRoot, 'node_modules', script), ...args], { cwd: folder, env }),
  };
}
