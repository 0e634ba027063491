import { defineConfig } from 'vitest/config';
import { browserCode } from './browser-code.js';
import { watchReporters } from './tests/support/leaks/watch-reporters.ts';

export default defineConfig({
  plugins: [browserCode(), watchReporters()],
  test: {
    // Searches every output of every test for keys.
    setupFiles: ['tests/support/leaks/setup.ts'],
    maxWorkers: '100%',
    // The projects set `isolate: false`: no test file depends on the state of a module that another file changed, and
    // importing all sources for each file takes minutes.
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
