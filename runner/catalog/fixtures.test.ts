import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DataFileError } from '../../common/data-file.ts';
import { packageRoot } from '../../common/package-root.ts';
import { loadSchemas } from '../../common/schemas.ts';
import { loadFixtures } from './fixtures.ts';

test('an invalid condition `varies` is rejected with its line', () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'fixtures-')), 'fixtures');
  cpSync(join(packageRoot, 'fixtures'), folder, { recursive: true });
  const file = join(folder, 'discovery.yaml');
  writeFileSync(file, 'tries: 3\nvaries:\n  surface: model\n  anyOf: chat\n');
  expect(() => loadFixtures(undefined, folder)).toThrow(
    new DataFileError(file, 4, '`anyOf` must be a list of conditions.'),
  );
});

const schemas = await loadSchemas();
test.each([
  [
    'faults.yaml',
    'unparseable:',
    'unparsable:',
    'unknown property "unparsable". Did you mean "unparseable"?',
  ],
  [
    'faults.yaml',
    '{ cut: 2 }',
    '{ cat: 2 }',
    'unknown property "cat" in unparseable.truncated. Did you mean "cut"?',
  ],
  ['headers.yaml', 'added:', 'aded:', 'unknown property "aded". Did you mean "added"?'],
  ['words.yaml', 'errors:', 'error:', 'unknown property "error". Did you mean "errors"?'],
  ['discovery.yaml', 'avoid:', 'avoids:', 'unknown property "avoids". Did you mean "avoid"?'],
  ['generated.yaml', 'letters:', 'leters:', 'unknown property "leters" in timeless. Did you mean "letters"?'],
])('in %s, `%s` written `%s` is rejected', (name, right, wrong, message) => {
  const folder = join(mkdtempSync(join(tmpdir(), 'fixtures-')), 'fixtures');
  cpSync(join(packageRoot, 'fixtures'), folder, { recursive: true });
  const file = join(folder, name);
  writeFileSync(file, readFileSync(file, 'utf8').replace(right, wrong));
  expect(() => loadFixtures(schemas, folder)).toThrow(message);
});
