import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const version = '6.2.2';

/**
 * Installs newman from the registry into a folder. Returns the path of its script; undefined if the installation fails.
 * @param {string} folder
 */
export function installNewman(folder) {
  const args = [
    'install',
    '--prefix',
    folder,
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    `newman@${version}`,
  ];
  try {
    execFileSync('npm', args, { stdio: 'ignore', timeout: 120_000 });
  } catch {
    return undefined;
  }
  return join(folder, 'node_modules/newman/bin/newman.js');
}
