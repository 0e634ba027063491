import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect } from 'vitest';
import { readSeed } from '../../reference-server/seed.ts';
import { keysIn, know, takeLeaks } from './found.ts';
import { lookAtRunning, watchProcesses } from './processes.ts';

// Every test file has a folder of its own for what it and the commands that it starts write.
const folder = mkdtempSync(join(tmpdir(), 'conformance-test-'));
process.env.TMPDIR = folder;
know(Object.values(readSeed().keys).map(({ key }) => key));
know(keysIn(readFileSync(expect.getState().testPath ?? '', 'utf8')));
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
