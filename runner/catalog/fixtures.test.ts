import { cpSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DataFileError } from '../../common/data-file.ts';
import { packageRoot } from '../../common/package-root.ts';
import { loadFixtures } from './fixtures.ts';

test('an invalid condition `varies` is rejected with its line', () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'fixtures-')), 'fixtures');
  cpSync(join(packageRoot, 'fixtures'), folder, { recursive: true });
  const file = join(folder, 'discovery.yaml');
  writeFileSync(file, 'tries: 3\nvaries:\n  surface: model\n  anyOf: chat\n');
  expect(() => loadFixtures(folder)).toThrow(
    new DataFileError(file, 4, '`anyOf` must be a list of conditions.'),
  );
});
