import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inRepository } from './process.js';

/** The profile of the reference gateway. */
export const referenceProfile = inRepository('fixtures/profiles/reference.yaml');

/**
 * Lends a folder for files that are of no use afterwards.
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

/** Writes the profile of a reference gateway without its frequency limit, so that no burst is sent. @param {string} folder */
export function profileWithoutBurst(folder) {
  const file = join(folder, 'profile.yaml');
  writeFileSync(file, readFileSync(referenceProfile, 'utf8').replace(/^rateLimit:.*$/m, ''));
  return file;
}
