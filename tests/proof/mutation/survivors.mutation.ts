import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readDataFile } from '../../../common/data-file.ts';
import { packageRoot } from '../../../common/package-root.ts';
import { compare, readListed, readMutants } from './survivors.ts';

// The scripts `mutate:*` run this file after the mutants. A survivor must be killed by a test or listed with its
// reason.
test.each(['runner', 'reference-server'])(
  '%s: every survivor is listed, and every listed mutant survived',
  (target) => {
    const mutants = readMutants(join(packageRoot, `node_modules/.cache/mutation/${target}.json`));
    const path = `tests/proof/mutation/${target}.equivalents.yaml`;
    const listed = readListed(readDataFile(join(packageRoot, path), path).value);
    expect(
      compare(mutants, listed),
      `Kill the unlisted mutants with a test or list them in ${path}, and remove the stale entries.`,
    ).toEqual({
      unlisted: [],
      stale: [],
    });
  },
);
