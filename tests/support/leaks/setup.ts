import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect } from 'vitest';
import { searchRunningProcesses, watchProcesses } from './processes.ts';
import { addKeys, forgetKeys, keysIn, takeLeaks } from './search-for-keys.ts';

// Every test file has a temporary folder of its own, which its commands also use. Several files may share a process,
// so `TMPDIR` is restored at the end.
const outer = tmpdir();
const folder = mkdtempSync(join(outer, 'conformance-test-'));
process.env.TMPDIR = folder;
const seed = new URL('../../../fixtures/reference-gateway.yaml', import.meta.url);
forgetKeys();
for (const file of [seed, expect.getState().testPath ?? '']) addKeys(keysIn(readFileSync(file, 'utf8')));
watchProcesses();

afterEach(() => expectNoLeak());
afterAll(() => {
  searchRunningProcesses();
  process.env.TMPDIR = outer;
  removeFolder(10);
  expectNoLeak();
});

/** Tries again if a process that is ending has written a file meanwhile. */
function removeFolder(tries: number): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    if (tries <= 1) throw error;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    removeFolder(tries - 1);
  }
}

function expectNoLeak(): void {
  expect(takeLeaks(), 'No output may contain a key.').toEqual([]);
}
