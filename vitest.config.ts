import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { watchReporters } from './tests/support/leaks/watch-reporters.ts';

/** The files that take longest, so that none of them is left for the end, when one core would wait for the other. */
const longest = [
  'tests/recorded-run',
  'tests/html/html',
  'tests/proof/faults/prove',
  'tests/run',
  'tests/hostile/hostile',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const index = longest.findIndex((name) => moduleId.endsWith(`${name}.test.ts`));
      return index < 0 ? longest.length : index;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  plugins: [watchReporters()],
  test: {
    include: [
      'contract/**/*.test.ts',
      'runner/**/*.test.ts',
      'reference-server/**/*.test.ts',
      'tests/**/*.test.ts',
    ],
    // Every output of every test is looked through for keys.
    setupFiles: ['tests/leaks/setup.ts'],
    sequence: { sequencer: LongestFirst },
    // More than there are cores: most tests wait for a process of their own, or for a pause of the gateway's.
    maxWorkers: 3,
    // Most of what is made here is soon of no use; with more room for it, it is swept less often.
    execArgv: ['--min-semi-space-size=16', '--max-semi-space-size=32'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
