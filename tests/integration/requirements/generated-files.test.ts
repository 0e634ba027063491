import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../../common/package-root.ts';
import { generatedFiles } from '../../generated/files.ts';

test.each(Object.entries(generatedFiles))('%s is up to date', async (path, update) => {
  const present = readFileSync(join(packageRoot, path), 'utf8');
  expect(await update(present), 'Run `npm run generate`.').toBe(present);
});
