import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const measuring = pathToFileURL(join(import.meta.dirname, 'measure-memory.js')).href;

/** An environment in which a command notes, in a folder, the most memory that it held. */
export function withMemory(folder: string): Record<string, string> {
  return { NODE_OPTIONS: `--import=${measuring}`, MEMORY_FILE: join(folder, 'memory') };
}

/** The most memory that the command held, in megabytes. */
export function mostMemory(folder: string): number {
  return Number(readFileSync(join(folder, 'memory'), 'utf8')) / 1024;
}
