import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inRepository } from './process.js';

/** The path of the profile of the reference gateway. */
export const referenceProfile = inRepository('fixtures/profiles/reference.yaml');

/**
 * Calls a function with the path of a new temporary folder, returns the result, and removes the folder.
 * @template Result
 * @param {(folder: string) => Promise<Result>} use
 */
export async function withFolder(use) {
  const folder = mkdtempSync(join(tmpdir(), 'benchmark-'));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Writes the profile of the reference gateway without its rate limit, so that a run sends no burst. Returns the path of
 * the file.
 * @param {string} folder
 */
export function profileWithoutBurst(folder) {
  const file = join(folder, 'profile.yaml');
  writeFileSync(file, readFileSync(referenceProfile, 'utf8').replace(/^rateLimit:.*$/m, ''));
  return file;
}
