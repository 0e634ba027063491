import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, vi } from 'vitest';
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
afterAll(async () => {
  process.env.TMPDIR = outer;
  searchRunningProcesses();
  // A process that is ending may write a file meanwhile.
  await vi.waitFor(() => rmSync(folder, { recursive: true, force: true }), { interval: 100 });
  expectNoLeak();
});

function expectNoLeak(): void {
  expect(takeLeaks(), 'No output may contain a key.').toEqual([]);
}
