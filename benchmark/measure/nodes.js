import { execFileSync } from 'node:child_process';
import { delimiter } from 'node:path';

/** A release of Node.js to measure with. @typedef {{ path: string, name: string, major: number }} Node */

/** The current release, and the releases whose binaries the variable BENCHMARK_NODES lists. @type {readonly Node[]} */
export const nodes = [process.execPath, ...(process.env.BENCHMARK_NODES ?? '').split(delimiter)]
  .filter((path) => path !== '')
  .map((path) => {
    const version = execFileSync(path, ['-p', 'process.versions.node'], { encoding: 'utf8' }).trim();
    return { path, name: `Node ${version}`, major: Number.parseInt(version, 10) };
  });
