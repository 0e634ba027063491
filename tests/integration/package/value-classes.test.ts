import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readDataFile } from '../../../common/data-file.ts';
import { toMapping } from '../../../common/mapping.ts';
import { packageRoot } from '../../../common/package-root.ts';
import { attributesFile } from '../../../runner/catalog/attributes.ts';
import { mark } from '../../generated/value-classes.ts';

const attributes = toMapping(readDataFile(attributesFile).value);

test('docs/value-classes.md has every value with `seen-in`', () => {
  const text = readFileSync(join(packageRoot, 'docs/value-classes.md'), 'utf8');
  const tables = [...text.matchAll(new RegExp(`${mark}\n\n\\| \`(\\w+)\``, 'g'))].map(([, name]) => name);
  const expected = Object.keys(attributes).filter((name) =>
    Object.values(toMapping(toMapping(attributes[name]).values)).some((row) => 'seen-in' in toMapping(row)),
  );
  expect(tables.sort()).toEqual(expected.sort());
});
