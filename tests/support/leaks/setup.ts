import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect } from 'vitest';
import { keysIn, know, takeLeaks } from './found.ts';
import { lookAtRunning, watchProcesses } from './processes.ts';

// Every test file has a folder of its own for what it and the commands that it starts write.
const folder = mkdtempSync(join(tmpdir(), 'conformance-test-'));
process.env.TMPDIR = folder;
const seed = new URL('../../../fixtures/reference-gateway.yaml', import.meta.url);
for (const file of [seed, expect.getState().testPath ?? '']) know(keysIn(readFileSync(file, 'utf8')));
watchProcesses();

afterEach(() => expectNoLeak());
afterAll(() => {
  lookAtRunning();
  rmSync(folder, { recursive: true, force: true });
  expectNoLeak();
});

function expectNoLeak(): void {
  expect(takeLeaks(), 'No output may have a key in it.').toEqual([]);
}
