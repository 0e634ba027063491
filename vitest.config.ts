import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { browserCode } from './browser-code.js';
import { watchReporters } from './tests/support/leaks/watch-reporters.ts';

const projects = ['proof', 'integration', 'unit'];
// Its threads have a low priority, and use the time in which the other tests wait.
const first = 'tests/proof/faults/faults.test.ts';

/** Starts the long files first, so that no core is idle at the end while another runs a long file. */
class ProofFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification): number =>
      moduleId.endsWith(first) ? -1 : projects.indexOf(project.name);
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  plugins: [browserCode(), watchReporters()],
  test: {
    // Searches every output of every test for keys.
    setupFiles: ['tests/support/leaks/setup.ts'],
    sequence: { sequencer: ProofFirst },
    // While a worker waits, the threads of `first` use its core. Each further worker would import all sources again.
    maxWorkers: 2,
    // Most objects are short-lived, and a larger young generation is collected less often. Each test calls other functions
    // for a short time, so V8 would discard many early optimizations. Without these flags, 1,589 tests of the runner take
    // 19 % more processor time (Node.js 20: 23.2 s instead of 19.5 s).
    execArgv: ['--min-semi-space-size=16', '--max-semi-space-size=32', '--interrupt-budget=600000'],
    // The projects set `isolate: false`: no test file depends on the state of a module that another file changed, and importing all sources for each file takes
    // minutes.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{common,runner,reference-server}/**/*.test.ts', 'tests/*.test.ts'],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['tests/integration/**/*.test.ts'],
          isolate: false,
          globalSetup: ['tests/support/require-tools.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'proof',
          include: ['tests/proof/**/*.test.ts'],
          isolate: false,
          globalSetup: ['tests/support/require-tools.ts'],
        },
      },
    ],
  },
});
