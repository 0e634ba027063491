import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readDataFile } from '../../../contract/data-file.ts';
import { packageRoot } from '../../../contract/package-root.ts';
import { compare, figures, readMutants, readNamed } from './survivors.ts';

// Run by the scripts `mutate:*` after the mutants; a survivor is killed by a test, or named with its reason.
test.each(['runner', 'reference-server'])(
  '%s: every survivor is named, and every name survived',
  async (target) => {
    const mutants = readMutants(join(packageRoot, `node_modules/.cache/mutation/${target}.json`));
    const path = `tests/proof/mutation/${target}.equivalents.yaml`;
    const named = readNamed(readDataFile(join(packageRoot, path), path).value);
    expect(
      compare(mutants, named),
      `Kill the unnamed by a test, or name them in ${path}; take the stale out.`,
    ).toEqual({
      unnamed: [],
      stale: [],
    });
    await expect(figures(mutants)).toMatchFileSnapshot(`${target}.figures.md`);
  },
);
