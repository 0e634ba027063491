import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readDataFile } from '../../../common/data-file.ts';
import { packageRoot } from '../../../common/package-root.ts';
import { compare, findMissing, readListed, readMutants } from './survivors.ts';

const source = 'const a = b > 0;\nif (a) {\n  c();\n}\n';
const mutant = (status: string, replacement: string, start: number[], end: number[]): unknown => ({
  status,
  replacement,
  location: {
    start: { line: start[0], column: start[1] },
    end: { line: end[0], column: end[1] },
  },
});
const path = join(mkdtempSync(join(tmpdir(), 'conformance-')), 'mutation.json');
writeFileSync(
  path,
  JSON.stringify({
    files: {
      'a.ts': {
        source,
        mutants: [
          mutant('Survived', 'b >= 0', [1, 11], [1, 16]),
          mutant('NoCoverage', '{}', [2, 8], [4, 2]),
          mutant('Killed', 'false', [2, 5], [2, 6]),
          mutant('Timeout', 'true', [2, 5], [2, 6]),
          mutant('Ignored', '', [3, 3], [3, 7]),
        ],
      },
    },
  }),
);
const mutants = readMutants(path);
const listed = (...changes: string[]) =>
  readListed([{ file: 'a.ts', because: 'no answer shows it', changes }]);

test('readMutants describes a change by its line before and after', () => {
  expect(mutants).toEqual([
    { file: 'a.ts', change: 'const a = b > 0; ⇒ const a = b >= 0;', survived: true },
    { file: 'a.ts', change: 'if (a) { ⇒ if (a) {}', survived: true },
    { file: 'a.ts', change: 'if (a) { ⇒ if (false) {', survived: false },
    { file: 'a.ts', change: 'if (a) { ⇒ if (true) {', survived: false },
  ]);
});

test('compare lists survivors without an entry, and entries without a survivor', () => {
  expect(compare(mutants, listed('if (a) { ⇒ if (a) {}', 'if (a) { ⇒ if (false) {'))).toEqual({
    unlisted: ['a.ts: const a = b > 0; ⇒ const a = b >= 0;'],
    stale: ['a.ts: if (a) { ⇒ if (false) {'],
  });
});

test('readListed refuses an entry without a reason', () => {
  expect(() => readListed([{ file: 'a.ts', changes: ['x'] }])).toThrow('Entry 1');
});

test.each(['runner', 'reference-server'])('the list of %s names only lines that exist', (target) => {
  const path = `tests/proof/mutation/${target}.equivalents.yaml`;
  const listed = readListed(readDataFile(join(packageRoot, path), path).value);
  const linesOf = (file: string): string[] => {
    const source = join(packageRoot, file);
    return existsSync(source) ? readFileSync(source, 'utf8').split('\n') : [];
  };
  expect(findMissing(listed, linesOf), `Adapt these entries of ${path} or remove them.`).toEqual([]);
});
