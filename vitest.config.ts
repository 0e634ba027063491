import { defineConfig } from 'vitest/config';
import { watchReporters } from './tests/leaks/watch-reporters.ts';

export default defineConfig({
  plugins: [watchReporters()],
  test: {
    include: ['runner/**/*.test.ts', 'reference-server/**/*.test.ts', 'tests/**/*.test.ts'],
    // Every output of every test is looked through for keys.
    setupFiles: ['tests/leaks/setup.ts'],
    // As many as there are cores: most tests wait for a process of their own.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
